package sel

import (
	"sort"

	"clawh5/core/h5err"
)

// Region is a finite set of elements, numbered in row-major order: one side of
// a mapping. It is a product of patterns or a union of boxes.
type Region struct {
	rank  int
	axes  []Pattern // nil for boxes
	spans *spans
	n     int64
}

// NewRegion is the product of one pattern an axis.
func NewRegion(axes []Pattern) (*Region, error) {
	r := &Region{rank: len(axes), axes: make([]Pattern, len(axes))}
	sizes := make([]uint64, len(axes))
	for d, p := range axes {
		if p.N > 0 && (p.Block == 0 || p.Stride < p.Block && p.N > p.Block) {
			return nil, axisError(d, "blocks of %d overlap at stride %d", p.Block, p.Stride)
		}
		p = p.normal()
		if p.N > 0 && !p.fits() {
			return nil, axisError(d, "%d positions from %d at stride %d exceed 64 bits", p.N, p.Start, p.Stride)
		}
		r.axes[d], sizes[d] = p, p.N
	}
	var ok bool
	if r.n, ok = product(sizes); !ok {
		return nil, h5err.New(h5err.Selection, "more elements selected than 63 bits can count")
	}
	return r, checkRank(r.rank)
}

// fits reports whether all positions, and the one behind them, fit 63 bits.
func (p *Pattern) fits() bool {
	const most = 1<<63 - 1
	steps := (p.N - 1) / p.Block
	return p.Start <= most && p.N <= most && p.Block <= most && p.Stride <= most &&
		(steps == 0 || p.Stride <= (most-p.Start)/steps) && p.Start+steps*p.Stride <= most-p.Block
}

// NumElements is the number of elements.
func (r *Region) NumElements() int64 { return r.n }

// Rank is the number of axes.
func (r *Region) Rank() int { return r.rank }

// Bounds are the lowest and the highest position on an axis of a region that is
// not empty.
func (r *Region) Bounds(d int) (lo, hi uint64) {
	if r.axes != nil {
		return r.axes[d].Start, r.axes[d].End() - 1
	}
	return r.spans.bounds(d)
}

// locate writes the coordinates of element k and returns how many elements from
// it on follow each other on the last axis.
func (r *Region) locate(k int64, coords []uint64) int64 {
	if r.axes != nil {
		rest, run := uint64(k), uint64(1)
		for d := r.rank - 1; d >= 0; d-- {
			p := &r.axes[d]
			i := rest % p.N
			rest /= p.N
			coords[d] = p.At(i)
			if d == r.rank-1 {
				run = p.run(i)
			}
		}
		return int64(run)
	}
	for d, s := 0, r.spans; ; d++ {
		i := sort.Search(len(s.first), func(i int) bool { return s.first[i] > k }) - 1
		k -= s.first[i]
		if s.below == nil {
			coords[d] = s.lo[i] + uint64(k)
			return int64(s.hi[i] - coords[d] + 1)
		}
		each := s.below[i].n
		coords[d] = s.lo[i] + uint64(k/each)
		k %= each
		s = s.below[i]
	}
}

// within calls yield for every run of elements along the last axis that begins
// in a row (the other coordinates) between lo and hi. The run itself may reach
// beyond. first is the number of its first element.
func (r *Region) within(lo, hi []uint64, yield func(coords []uint64, n, first int64) error) error {
	w := rowWalk{lo: lo, hi: hi, coords: make([]uint64, r.rank), yield: yield}
	if r.n == 0 {
		return nil
	}
	if r.axes != nil {
		return w.product(r.axes, 0, 0)
	}
	return w.spans(r.spans, 0, 0)
}

type rowWalk struct {
	lo, hi []uint64
	coords []uint64
	yield  func(coords []uint64, n, first int64) error
}

func (w *rowWalk) product(axes []Pattern, d int, before uint64) error {
	if d == len(axes) {
		return w.yield(w.coords, 1, 0)
	}
	p := &axes[d]
	k, end := p.Ceil(w.lo[d]), p.Ceil(w.hi[d]+1)
	for k < end {
		w.coords[d] = p.At(k)
		n := uint64(1)
		var err error
		if d == len(axes)-1 {
			n = p.run(k)
			err = w.yield(w.coords, int64(n), int64(before*p.N+k))
		} else {
			err = w.product(axes, d+1, before*p.N+k)
		}
		if err != nil {
			return err
		}
		k += n
	}
	return nil
}

func (w *rowWalk) spans(s *spans, d int, before int64) error {
	i := sort.Search(len(s.hi), func(i int) bool { return s.hi[i] >= w.lo[d] })
	for ; i < len(s.lo) && s.lo[i] <= w.hi[d]; i++ {
		if s.below == nil {
			w.coords[d] = s.lo[i]
			if err := w.yield(w.coords, int64(s.hi[i]-s.lo[i]+1), before+s.first[i]); err != nil {
				return err
			}
			continue
		}
		for c := max(s.lo[i], w.lo[d]); c <= min(s.hi[i], w.hi[d]); c++ {
			w.coords[d] = c
			if err := w.spans(s.below[i], d+1, before+s.first[i]+int64(c-s.lo[i])*s.below[i].n); err != nil {
				return err
			}
		}
	}
	return nil
}
