package sel

import (
	"cmp"
	"fmt"
	"slices"

	"clawh5/core/h5err"
)

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
	if axes, ok := root.product(nil); ok {
		return NewRegion(axes)
	}
	return &Region{rank: rank, spans: root, n: root.n}, nil
}

// product appends the patterns of which a tree is the product; false if it is
// none. Files list the boxes of a regular selection too, and a product is read
// with fewer and longer copies.
func (s *spans) product(axes []Pattern) ([]Pattern, bool) {
	p, ok := s.pattern()
	if !ok {
		return nil, false
	}
	axes = append(axes, p)
	if s.below == nil {
		return axes, true
	}
	for _, b := range s.below[1:] {
		if !b.equal(s.below[0]) {
			return nil, false
		}
	}
	return s.below[0].product(axes)
}

// pattern is the pattern that the intervals of the outermost axis make up, those
// that touch taken for one; false if there is none.
func (s *spans) pattern() (p Pattern, ok bool) {
	p = Pattern{Start: s.lo[0], Block: s.hi[0] - s.lo[0] + 1}
	i := 1
	for ; i < len(s.lo) && s.lo[i] == p.Start+p.Block; i++ {
		p.Block += s.hi[i] - s.lo[i] + 1
	}
	p.Stride, p.N = p.Block, p.Block
	if i < len(s.lo) {
		p.Stride = s.lo[i] - p.Start
	}
	for ; i < len(s.lo); i++ {
		n := s.hi[i] - s.lo[i] + 1
		if s.lo[i] != p.At(p.N) || p.N%p.Block+n > p.Block {
			return p, false
		}
		p.N += n
	}
	return p, p.fits()
}

func (s *spans) equal(t *spans) bool {
	return slices.Equal(s.lo, t.lo) && slices.Equal(s.hi, t.hi) &&
		slices.EqualFunc(s.below, t.below, func(a, b *spans) bool { return a.equal(b) })
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
