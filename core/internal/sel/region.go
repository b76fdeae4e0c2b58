package sel

import (
	"cmp"
	"fmt"
	"slices"
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

// spans is a union of boxes as a tree: an interval of positions on one axis, and
// what is in it on the axes within, the same for each position.
type spans struct {
	lo, hi []uint64 // disjoint and rising
	below  []*spans // nil on the last axis
	first  []int64  // elements before each interval
	n      int64
	min    []uint64 // bounds of the axis and those within
	max    []uint64
}

func (s *spans) bounds(d int) (lo, hi uint64) { return s.min[d], s.max[d] }

// The work that a list of boxes can make is bounded by what boxes that lie side
// by side make, and by what a few do that lie across each other.
const (
	spansPerSide = 32
	spansAnyway  = 1 << 16
)

// NewBoxes is the union of boxes, each given by the coordinates of its first and
// of its last element.
func NewBoxes(rank int, corners []uint64) (*Region, error) {
	if rank < 1 || rank > MaxRank || len(corners)%(2*rank) != 0 {
		return nil, h5err.New(h5err.Selection, fmt.Sprintf("%d coordinates are no boxes of rank %d", len(corners), rank))
	}
	list := make([]int, len(corners)/(2*rank))
	for i := range list {
		list[i] = i
		for d := range rank {
			if lo, hi := corners[2*i*rank+d], corners[(2*i+1)*rank+d]; lo > hi || hi >= 1<<63-1 {
				return nil, axisError(d, "a box from %d to %d", lo, hi)
			}
		}
	}
	if len(list) == 0 {
		return NewRegion(make([]Pattern, rank))
	}
	b := spanBuilder{rank: rank, corners: corners, left: spansAnyway + spansPerSide*rank*len(list)}
	root := b.build(list, 0)
	if b.left < 0 {
		return nil, h5err.New(h5err.Limit, fmt.Sprintf("%d boxes that lie across each other", len(list)))
	}
	if root.n < 0 {
		return nil, h5err.New(h5err.Selection, "more elements selected than 63 bits can count")
	}
	return &Region{rank: rank, spans: root, n: root.n}, nil
}

type spanBuilder struct {
	rank    int
	corners []uint64
	left    int
}

func (b *spanBuilder) lo(i, d int) uint64 { return b.corners[2*i*b.rank+d] }
func (b *spanBuilder) hi(i, d int) uint64 { return b.corners[(2*i+1)*b.rank+d] }

// build makes the tree of the boxes of list from axis d on.
func (b *spanBuilder) build(list []int, d int) *spans {
	s := &spans{}
	if b.left -= len(list); b.left < 0 {
		return s
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(i, j int) int { return cmp.Compare(b.lo(i, d), b.lo(j, d)) })
	if d == b.rank-1 {
		b.leaf(s, list, d)
	} else {
		b.node(s, list, d)
	}
	if b.left >= 0 {
		s.count(b.rank, d)
	}
	return s
}

// leaf joins intervals that touch or overlap.
func (b *spanBuilder) leaf(s *spans, list []int, d int) {
	for _, i := range list {
		lo, hi := b.lo(i, d), b.hi(i, d)
		if last := len(s.hi) - 1; last >= 0 && lo <= s.hi[last]+1 {
			s.hi[last] = max(s.hi[last], hi)
			continue
		}
		s.lo, s.hi = append(s.lo, lo), append(s.hi, hi)
	}
}

// node cuts the axis wherever a box begins or ends.
func (b *spanBuilder) node(s *spans, list []int, d int) {
	var active []int
	for at := uint64(0); (len(list) > 0 || len(active) > 0) && b.left >= 0; {
		if len(active) == 0 {
			at = b.lo(list[0], d)
		}
		for len(list) > 0 && b.lo(list[0], d) == at {
			active, list = append(active, list[0]), list[1:]
		}
		end := b.hi(active[0], d)
		for _, i := range active {
			end = min(end, b.hi(i, d))
		}
		if len(list) > 0 {
			end = min(end, b.lo(list[0], d)-1)
		}
		s.lo, s.hi, s.below = append(s.lo, at), append(s.hi, end), append(s.below, b.build(active, d+1))
		active = slices.DeleteFunc(active, func(i int) bool { return b.hi(i, d) == end })
		at = end + 1
	}
}

// count fills in the sums and bounds of a tree from axis d on. A number of
// elements that overflows becomes negative and stays so.
func (s *spans) count(rank, d int) {
	s.first = make([]int64, len(s.lo))
	s.min, s.max = make([]uint64, rank), make([]uint64, rank)
	for i := range s.lo {
		s.first[i] = s.n
		each := int64(1)
		if s.below != nil {
			each = s.below[i].n
			for k := d + 1; k < rank; k++ {
				lo, hi := s.below[i].bounds(k)
				if i == 0 {
					s.min[k] = lo
				}
				s.min[k], s.max[k] = min(s.min[k], lo), max(s.max[k], hi)
			}
		}
		n, ok := product([]uint64{s.hi[i] - s.lo[i] + 1, uint64(each)})
		if s.n += n; !ok || each < 0 || s.n < 0 {
			s.n = -1
			return
		}
	}
	if len(s.lo) > 0 {
		s.min[d], s.max[d] = s.lo[0], s.hi[len(s.hi)-1]
	}
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
