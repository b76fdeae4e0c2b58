package sel

import (
	"fmt"

	"clawh5/core/h5err"
)

// Mapping pairs the elements of two regions of the same size in their orders:
// those of a virtual dataset with those of a source.
type Mapping struct {
	virtual, source *Region
	pair            []int // per axis of virtual the axis of source that it is, -1 for one of one position; nil if the shapes differ
}

// NewMapping pairs two regions.
func NewMapping(virtual, source *Region) (*Mapping, error) {
	if virtual.n != source.n {
		return nil, h5err.New(h5err.Selection, fmt.Sprintf("%d elements are mapped to %d", source.n, virtual.n))
	}
	return &Mapping{virtual: virtual, source: source, pair: pairAxes(virtual, source)}, nil
}

// Virtual is the region of the virtual dataset.
func (m *Mapping) Virtual() *Region { return m.virtual }

// Source is the region of the source.
func (m *Mapping) Source() *Region { return m.source }

// pairAxes finds the axes that correspond: those of more than one position have
// the same sizes on both sides.
func pairAxes(virtual, source *Region) []int {
	if virtual.axes == nil || source.axes == nil {
		return nil
	}
	pair := make([]int, virtual.rank)
	at := 0
	for d := range virtual.axes {
		pair[d] = -1
		if virtual.axes[d].N == 1 {
			continue
		}
		for at < source.rank && source.axes[at].N == 1 {
			at++
		}
		if at == source.rank || source.axes[at].N != virtual.axes[d].N {
			return nil
		}
		pair[d] = at
		at++
	}
	for ; at < source.rank; at++ {
		if source.axes[at].N != 1 {
			return nil
		}
	}
	return pair
}

// Overlaps reports whether some element lies in both regions, or may.
func (r *Region) Overlaps(o *Region) bool {
	if r.n == 0 || o.n == 0 || r.rank != o.rank {
		return false
	}
	for d := range r.rank {
		lo, hi := r.Bounds(d)
		from, to := o.Bounds(d)
		if hi < from || to < lo {
			return false
		}
	}
	if r.axes == nil || o.axes == nil {
		return r.meets(o)
	}
	for d := range r.axes {
		if !overlap(&r.axes[d], &o.axes[d]) {
			return false
		}
	}
	return true
}

// maxMeet bounds the search for a common position.
const maxMeet = 1 << 12

// overlap reports whether two patterns have a common position, or may.
func overlap(p, q *Pattern) bool {
	if p.Block == 1 && q.Block == 1 && p.Stride == q.Stride && p.N > 1 && q.N > 1 && p.Start%p.Stride != q.Start%q.Stride {
		return false
	}
	k := uint64(0)
	for range maxMeet {
		pos := p.At(k)
		j := q.Ceil(pos)
		if j >= q.N {
			return false
		}
		at := q.At(j)
		if at == pos {
			return true
		}
		if k = p.Ceil(at); k >= p.N {
			return false
		}
	}
	return true
}

// meets is Overlaps for regions that are not both products.
func (r *Region) meets(o *Region) bool {
	lo, hi := make([]uint64, r.rank), make([]uint64, r.rank)
	for d := range lo {
		lo[d], hi[d] = o.Bounds(d)
	}
	steps := 0
	err := r.within(lo, hi, func(coords []uint64, n, _ int64) error {
		if steps++; steps > maxMeet {
			return errMeets
		}
		return o.along(coords, n, func(int64, int64, int64) error { return errMeets })
	})
	return err != nil
}

var errMeets = h5err.New(h5err.Internal, "regions overlap")

// along calls yield for the stretches of n elements from coords on along the
// last axis that lie in r: where in the n, how many, and the number of the first.
func (r *Region) along(coords []uint64, n int64, yield func(at, n, first int64) error) error {
	last := r.rank - 1
	if r.axes != nil {
		var before uint64
		for d := range last {
			p := &r.axes[d]
			k := p.Ceil(coords[d])
			if k >= p.N || p.At(k) != coords[d] {
				return nil
			}
			before = before*p.N + k
		}
		p := &r.axes[last]
		end := p.Ceil(coords[last] + uint64(n))
		for k := p.Ceil(coords[last]); k < end; {
			run := min(p.run(k), end-k)
			if err := yield(int64(p.At(k)-coords[last]), int64(run), int64(before*p.N+k)); err != nil {
				return err
			}
			k += run
		}
		return nil
	}
	return r.spans.along(coords, n, 0, 0, yield)
}

func (s *spans) along(coords []uint64, n int64, d int, before int64, yield func(at, n, first int64) error) error {
	from := coords[d]
	i := s.find(from)
	if s.below != nil {
		if i == len(s.lo) || s.lo[i] > from {
			return nil
		}
		return s.below[i].along(coords, n, d+1, before+s.first[i]+int64(from-s.lo[i])*s.below[i].n, yield)
	}
	for end := from + uint64(n); i < len(s.lo) && s.lo[i] < end; i++ {
		lo, hi := max(s.lo[i], from), min(s.hi[i]+1, end)
		if err := yield(int64(lo-from), int64(hi-lo), before+s.first[i]+int64(lo-s.lo[i])); err != nil {
			return err
		}
	}
	return nil
}

// find is the first interval that ends at or behind a position.
func (s *spans) find(pos uint64) int {
	lo, hi := 0, len(s.hi)
	for lo < hi {
		if mid := (lo + hi) / 2; s.hi[mid] >= pos {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
