package storage

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// How raw data is requested: holes up to MergeGap bytes are read along rather
// than paid for with a further request; no request that arose from merging is
// longer than MergeMax, since several connections in parallel carry more than
// one. Measured at 20 ms and 100 ms to the first byte, 50 and 100 MB/s a
// connection.
const (
	MergeGap = 256 << 10
	MergeMax = 4 << 20
)

// end is the offset behind r, at most the largest offset there is.
func (r Range) end() int64 {
	if r.Off > math.MaxInt64-r.Len {
		return math.MaxInt64
	}
	return r.Off + r.Len
}

// MergeRanges returns sorted disjoint ranges such that every range of the
// input that is not empty lies inside exactly one of them. Ranges that overlap
// are always merged. Ranges up to gap bytes apart are merged while the result
// stays within limit bytes. A range longer than limit stays whole (SplitRange cuts
// it). The input is not changed.
func MergeRanges(ranges []Range, gap, limit int64) []Range {
	sorted := make([]Range, 0, len(ranges))
	for _, r := range ranges {
		if r.Len > 0 && r.Off >= 0 {
			sorted = append(sorted, Range{r.Off, r.end() - r.Off})
		}
	}
	slices.SortFunc(sorted, func(a, b Range) int { return cmp.Compare(a.Off, b.Off) })
	out := sorted[:0]
	for _, r := range sorted {
		if len(out) > 0 {
			last := &out[len(out)-1]
			hole := r.Off - last.end()
			joined := Range{last.Off, max(last.end(), r.end()) - last.Off}
			if hole < 0 || hole <= gap && joined.Len <= limit {
				*last = joined
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// SplitRange cuts r into pieces of at most max bytes, as equal as possible.
func SplitRange(r Range, max int64) []Range {
	if r.Len <= max || max <= 0 {
		return []Range{r}
	}
	pieces := (r.Len-1)/max + 1
	out := make([]Range, 0, pieces)
	for i := pieces; i > 0; i-- {
		n := (r.Len-1)/i + 1
		out = append(out, Range{r.Off, n})
		r.Off += n
		r.Len -= n
	}
	return out
}

// ReadRanges fills the spans from r: by its own RangeReader where it has one,
// else with up to parallel calls of ReadAt at once. The contract is that of
// RangeReader.
func ReadRanges(ctx context.Context, r Reader, spans []Span, parallel int) error {
	if rr, ok := r.(RangeReader); ok {
		return rr.ReadRanges(ctx, spans)
	}
	return Parallel(ctx, len(spans), parallel, func(ctx context.Context, i int) error {
		return r.ReadAt(ctx, spans[i].P, spans[i].Off)
	})
}
