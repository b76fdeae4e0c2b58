package sel

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"

	"clawh5/core/h5err"
)

// Grid is a selection seen through a grid of equal boxes that begins at the
// origin of the shape. Boxes at the far edges reach past the shape; nothing is
// selected there.
//
// Boxes are named by their scaled coordinates (in units of boxes), or by their
// ordinal: the row-major number of the box in the grid.
type Grid struct {
	s      *Selection
	box    []uint64
	counts []uint64 // boxes an axis
	volume int64    // elements of a box

	boxStride  []int64 // elements from one position to the next in a box
	outStride  []int64 // the same in the result
	outBase    int64
	gridStride []uint64

	points []point // in order of box and place in it
	groups []group // one a touched box
}

// point is a selected point, or a run of n in one box: its place in its box and
// in the result.
type point struct {
	ordinal  uint64
	box, out int64
	n        int64
}

type group struct {
	ordinal uint64
	first   int   // in points
	n       int64 // elements
}

// NewGrid lays a grid of boxes over the shape of s. Each side of a box is at
// least 1; a box has fewer than 2^63 elements.
func NewGrid(s *Selection, box []uint64) (*Grid, error) {
	rank := len(s.shape)
	if len(box) != rank {
		return nil, h5err.New(h5err.Selection, fmt.Sprintf("boxes of rank %d for a shape of rank %d", len(box), rank))
	}
	g := allocateGrid(rank)
	g.s = s
	copy(g.box, box)
	for d, width := range box {
		if width == 0 {
			return nil, axisError(d, "a box of width 0")
		}
		g.counts[d] = s.shape[d] / width
		if s.shape[d]%width != 0 {
			g.counts[d]++
		}
	}
	var ok bool
	if g.volume, ok = product(box); !ok {
		return nil, h5err.New(h5err.Limit, "a box of more elements than 63 bits can count")
	}
	if _, ok = product(g.counts); !ok {
		return nil, h5err.New(h5err.Limit, "more boxes than 63 bits can count")
	}
	boxes, inBox, inOut := uint64(1), int64(1), int64(1)
	for d := rank - 1; d >= 0; d-- {
		g.gridStride[d], g.boxStride[d] = boxes, inBox
		boxes *= g.counts[d]
		inBox *= int64(box[d])
		if s.axes != nil {
			g.outStride[d] = inOut
			inOut *= int64(s.out[d])
		}
	}
	if s.points != nil {
		g.sortPoints()
	} else if s.steps != nil {
		g.outBase = s.base
		copy(g.outStride, s.steps)
	}
	return g, nil
}

// allocateGrid makes a grid of a rank with room for its lists.
func allocateGrid(rank int) *Grid {
	var (
		g      *Grid
		lists  []uint64
		signed []int64
	)
	if rank <= smallRank {
		b := new(struct {
			Grid
			lists  [3 * smallRank]uint64
			signed [2 * smallRank]int64
		})
		g, lists, signed = &b.Grid, b.lists[:3*rank], b.signed[:2*rank]
	} else {
		g, lists, signed = new(Grid), make([]uint64, 3*rank), make([]int64, 2*rank)
	}
	g.box, g.counts, g.gridStride = lists[:rank:rank], lists[rank:2*rank:2*rank], lists[2*rank:]
	g.boxStride, g.outStride = signed[:rank:rank], signed[rank:]
	return g
}

func (g *Grid) sortPoints() {
	rank := len(g.box)
	g.points = make([]point, 0, len(g.s.points)/rank)
	base, steps := g.s.placement()
	for i := range len(g.s.points) / rank {
		p := point{out: base + int64(i)*steps[0], n: 1}
		for d, c := range g.s.points[i*rank : (i+1)*rank] {
			p.ordinal += c / g.box[d] * g.gridStride[d]
			p.box += int64(c%g.box[d]) * g.boxStride[d]
		}
		if g.s.runs != nil {
			p.out, p.n = g.s.runs[i].out, g.s.runs[i].n
			p = g.cutRun(p)
		}
		g.points = append(g.points, p)
	}
	order := func(a, b point) int {
		return cmp.Or(cmp.Compare(a.ordinal, b.ordinal), cmp.Compare(a.box, b.box), cmp.Compare(a.out, b.out))
	}
	if !slices.IsSortedFunc(g.points, order) {
		slices.SortFunc(g.points, order)
	}
	for i := range g.points {
		if i == 0 || g.points[i].ordinal != g.points[i-1].ordinal {
			g.groups = append(g.groups, group{ordinal: g.points[i].ordinal, first: i})
		}
		g.groups[len(g.groups)-1].n += g.points[i].n
	}
}

// cutRun adds what of a run lies before its last box, and returns the rest.
func (g *Grid) cutRun(p point) point {
	last := len(g.box) - 1
	width := int64(g.box[last])
	for {
		n := width - p.box%width // the last axis varies fastest in a box
		if n >= p.n {
			return p
		}
		piece := p
		piece.n = n
		g.points = append(g.points, piece)
		p = point{ordinal: p.ordinal + g.gridStride[last], box: p.box - p.box%width, out: p.out + n, n: p.n - n}
	}
}

// Selection is the selection that the grid cuts.
func (g *Grid) Selection() *Selection { return g.s }

// Box are the sides of a box. The caller must not change them.
func (g *Grid) Box() []uint64 { return g.box }

// Volume is the number of elements of a box.
func (g *Grid) Volume() int64 { return g.volume }

// Touched is the number of boxes that hold a selected element. It walks the
// touched positions of an axis where they cannot be counted by arithmetic.
func (g *Grid) Touched() int64 {
	if g.s.points != nil {
		return int64(len(g.groups))
	}
	n := int64(1)
	for d := range g.box {
		n *= int64(g.s.axes[d].boxes(g.box[d]))
	}
	return n
}

// Bounds are the lowest and the highest scaled coordinates that are touched and
// the number of boxes between them, math.MaxInt64 if that is more; false if
// nothing is selected.
func (g *Grid) Bounds() (lo, hi []uint64, boxes int64, ok bool) {
	lo, hi, ok = g.s.Bounds()
	if !ok {
		return nil, nil, 0, false
	}
	boxes = 1
	for d, width := range g.box {
		lo[d] /= width
		hi[d] /= width
		over, n := bits.Mul64(uint64(boxes), hi[d]-lo[d]+1)
		if over != 0 || n > math.MaxInt64 {
			n = math.MaxInt64
		}
		boxes = int64(n)
	}
	return lo, hi, boxes, true
}

// Ordinal is the ordinal of a box; false if the coordinates lie outside the grid.
func (g *Grid) Ordinal(scaled []uint64) (uint64, bool) {
	var n uint64
	for d, c := range scaled {
		if c >= g.counts[d] {
			return 0, false
		}
		n += c * g.gridStride[d]
	}
	return n, true
}

// Scaled writes the coordinates of a box.
func (g *Grid) Scaled(scaled []uint64, ordinal uint64) {
	for d, stride := range g.gridStride {
		scaled[d] = ordinal / stride
		ordinal -= scaled[d] * stride
	}
}

// Touches reports whether a box holds a selected element.
func (g *Grid) Touches(scaled []uint64) bool {
	ordinal, ok := g.Ordinal(scaled)
	if !ok {
		return false
	}
	if g.s.points != nil {
		_, found := g.find(ordinal)
		return found
	}
	for d, width := range g.box {
		a := &g.s.axes[d]
		k := a.ceil(scaled[d] * width)
		if k >= a.size() || a.at(k)/width != scaled[d] {
			return false
		}
	}
	return true
}

// find is the points group of a box.
func (g *Grid) find(ordinal uint64) (int, bool) {
	i := sort.Search(len(g.groups), func(i int) bool { return g.groups[i].ordinal >= ordinal })
	return i, i < len(g.groups) && g.groups[i].ordinal == ordinal
}
