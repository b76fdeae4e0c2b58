// Package sel is the geometry of selections: which elements of a shape are
// wanted, in which order they come, and how they lie in the boxes (chunks) that
// cut the shape. It does no I/O and knows no bytes: every offset and length is
// in elements.
//
// A selection is immutable and may be used from any number of goroutines.
//
//	Selection            shape x axes, or a list of points
//	  └ Grid             the selection over a grid of equal boxes
//	      └ Window       the part in one box
//	          └ Run      pieces that are contiguous in the box and in the result
//
// Per axis the selected positions are ordered, so those in an interval are a
// contiguous range of ordinals. All of the intersection rests on that.
package sel

import (
	"fmt"
	"math"
	"math/bits"

	"clawh5/core/h5err"
)

// MaxRank is the highest rank of a selection.
const MaxRank = 32

// Selection is a set of elements of a shape with an order.
type Selection struct {
	shape  []uint64
	axes   []Axis    // nil for points
	points []uint64  // rank coordinates a point, or the first of a run; nil unless points
	runs   []stretch // of points that are runs along the last axis; else nil
	out    []uint64
	n      int64

	// Where the result lies: the element of ordinals k at base + sum of
	// k*steps, one step an axis of out; nil steps are those of row-major order.
	base  int64
	steps []int64
}

// stretch is where a run lies in the result, and its length.
type stretch struct{ out, n int64 }

// smallRank is the rank up to which a selection and a grid are one allocation.
const smallRank = 4

// allocate makes a selection of a rank with room for its lists.
func allocate(rank int) *Selection {
	if rank <= smallRank {
		b := new(struct {
			Selection
			axes  [smallRank]Axis
			lists [2 * smallRank]uint64
		})
		b.Selection.axes = b.axes[:rank:rank]
		b.shape, b.out = b.lists[:rank:rank], b.lists[rank:2*rank]
		return &b.Selection
	}
	lists := make([]uint64, 2*rank)
	return &Selection{axes: make([]Axis, rank), shape: lists[:rank:rank], out: lists[rank:]}
}

// All selects every element of shape, in row-major order.
func All(shape []uint64) (*Selection, error) {
	s := allocate(len(shape))
	for i, n := range shape {
		s.axes[i] = Axis{Stride: 1, Count: n, Block: 1}
	}
	return s.orthogonal(shape)
}

// None selects nothing.
func None(shape []uint64) *Selection {
	return &Selection{shape: clone(shape), points: []uint64{}, out: []uint64{0}}
}

// Hyperslab selects count blocks of block elements, stride apart, on each axis.
// A nil stride or block is all ones.
func Hyperslab(shape, start, stride, count, block []uint64) (*Selection, error) {
	rank := len(shape)
	if len(start) != rank || len(count) != rank || (stride != nil && len(stride) != rank) || (block != nil && len(block) != rank) {
		return nil, h5err.New(h5err.Selection, fmt.Sprintf("a hyperslab of another rank than the shape's %d", rank))
	}
	s := allocate(rank)
	for i := range s.axes {
		a := Axis{Start: start[i], Stride: 1, Count: count[i], Block: 1}
		if stride != nil {
			a.Stride = stride[i]
		}
		if block != nil {
			a.Block = block[i]
		}
		s.axes[i] = a
	}
	return s.orthogonal(shape)
}

// Orthogonal selects the product of one list of positions an axis.
func Orthogonal(shape []uint64, axes []Axis) (*Selection, error) {
	if len(axes) != len(shape) {
		return nil, h5err.New(h5err.Selection, fmt.Sprintf("%d axes for a shape of rank %d", len(axes), len(shape)))
	}
	s := allocate(len(axes))
	copy(s.axes, axes)
	return s.orthogonal(shape)
}

// orthogonal checks the axes against the shape.
func (s *Selection) orthogonal(shape []uint64) (*Selection, error) {
	if err := checkRank(len(shape)); err != nil {
		return nil, err
	}
	copy(s.shape, shape)
	for i := range s.axes {
		a, err := s.axes[i].check(i, shape[i])
		if err != nil {
			return nil, err
		}
		s.axes[i] = a
		s.out[i] = a.size()
	}
	var ok bool
	if s.n, ok = product(s.out); !ok {
		return nil, h5err.New(h5err.Selection, "more elements selected than 63 bits can count")
	}
	return s, nil
}

// Points selects single elements in the order of the list; coords holds rank
// coordinates a point. Duplicates are allowed.
func Points(shape, coords []uint64) (*Selection, error) {
	rank := len(shape)
	if err := checkRank(rank); err != nil {
		return nil, err
	}
	if rank == 0 || len(coords)%rank != 0 {
		return nil, h5err.New(h5err.Selection, fmt.Sprintf("%d coordinates are no list of points of rank %d", len(coords), rank))
	}
	for i, c := range coords {
		if axis := i % rank; c >= shape[axis] {
			return nil, outOfRange(axis, c, shape[axis])
		}
	}
	n := len(coords) / rank
	s := &Selection{shape: clone(shape), points: make([]uint64, len(coords)), out: []uint64{uint64(n)}, n: int64(n)}
	copy(s.points, coords)
	return s, nil
}

// Runs selects runs of elements along the last axis: coords holds rank
// coordinates for the first of each, lens their lengths, and outs where each
// begins in the result.
func Runs(shape, coords []uint64, lens, outs []int64) (*Selection, error) {
	rank := len(shape)
	if rank == 0 || len(coords) != rank*len(lens) || len(outs) != len(lens) {
		return nil, h5err.New(h5err.Selection, fmt.Sprintf("%d coordinates, %d lengths and %d places of runs of rank %d", len(coords), len(lens), len(outs), rank))
	}
	s := &Selection{shape: clone(shape), points: clone(coords), runs: make([]stretch, len(lens))}
	for i, n := range lens {
		for d, c := range coords[i*rank : (i+1)*rank] {
			if c >= shape[d] {
				return nil, outOfRange(d, c, shape[d])
			}
		}
		if first := coords[(i+1)*rank-1]; n < 1 || uint64(n) > shape[rank-1]-first {
			return nil, axisError(rank-1, "a run of %d from index %d is out of range for extent %d", n, first, shape[rank-1])
		}
		s.runs[i] = stretch{outs[i], n}
		s.n += n
	}
	s.out = []uint64{uint64(s.n)}
	return s, nil
}

// Placed is s with its result elsewhere: the element of ordinals k lies at base
// plus the sum of k*steps. There is a step for every axis of OutShape.
func (s *Selection) Placed(base int64, steps []int64) *Selection {
	p := *s
	p.base, p.steps = base, steps
	return &p
}

// IsPlaced reports whether the result of s is part of a larger one.
func (s *Selection) IsPlaced() bool { return s.steps != nil || s.runs != nil }

// placement are base and steps of any selection but runs.
func (s *Selection) placement() (base int64, steps []int64) {
	if s.steps != nil {
		return s.base, s.steps
	}
	steps = make([]int64, len(s.out))
	step := int64(1)
	for d := len(steps) - 1; d >= 0; d-- {
		steps[d] = step
		step *= int64(s.out[d])
	}
	return 0, steps
}

// Shape is the shape selected from. The caller must not change it.
func (s *Selection) Shape() []uint64 { return s.shape }

// OutShape is the shape of the result: count*block an axis, or the number of
// points. The caller must not change it.
func (s *Selection) OutShape() []uint64 { return s.out }

// NumElements is the number of selected elements, duplicates counted.
func (s *Selection) NumElements() int64 { return s.n }

// Bounds are the lowest and the highest selected position on each axis; false
// if nothing is selected.
func (s *Selection) Bounds() (lo, hi []uint64, ok bool) {
	if s.n == 0 {
		return nil, nil, false
	}
	rank := len(s.shape)
	lo, hi = make([]uint64, rank), make([]uint64, rank)
	for d := range s.axes {
		lo[d], hi[d] = s.Reach(d)
	}
	if s.points != nil {
		copy(lo, s.points)
		copy(hi, s.points)
		for i, c := range s.points {
			lo[i%rank] = min(lo[i%rank], c)
			if s.runs != nil && i%rank == rank-1 {
				c += uint64(s.runs[i/rank].n) - 1
			}
			hi[i%rank] = max(hi[i%rank], c)
		}
	}
	return lo, hi, true
}

// Reach are the lowest and the highest selected position on an axis of a
// selection that is neither empty nor points.
func (s *Selection) Reach(axis int) (lo, hi uint64) {
	a := &s.axes[axis]
	return a.at(0), a.at(a.size() - 1)
}

// IsPoints reports whether s is a list of points, which has no order on an axis.
func (s *Selection) IsPoints() bool { return s.points != nil }

func checkRank(rank int) error {
	if rank > MaxRank {
		return h5err.New(h5err.Selection, fmt.Sprintf("rank %d is more than %d", rank, MaxRank))
	}
	return nil
}

func outOfRange(axis int, index, extent uint64) error {
	return axisError(axis, "index %d is out of range for extent %d", index, extent)
}

func axisError(axis int, format string, args ...any) error {
	return h5err.New(h5err.Selection, fmt.Sprintf("axis %d: ", axis)+fmt.Sprintf(format, args...))
}

// product is the number of elements of a shape; false if it exceeds an int64.
// A zero on any axis makes it zero, however large the others are.
func product(shape []uint64) (int64, bool) {
	p, fits := uint64(1), true
	for _, n := range shape {
		if n == 0 {
			return 0, true
		}
		hi, lo := bits.Mul64(p, n)
		fits = fits && hi == 0 && lo <= math.MaxInt64
		p = lo
	}
	return int64(p), fits
}

func clone(s []uint64) []uint64 {
	c := make([]uint64, len(s))
	copy(c, s)
	return c
}
