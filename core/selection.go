package core

import (
	"clawh5/core/h5err"
	"clawh5/core/internal/sel"
)

// Selection says which elements of a dataset are meant. The zero value selects
// all. It is checked against a dataset's shape when it is used.
type Selection struct {
	kind                        selectionKind
	rank                        int
	start, stride, count, block []uint64
	points                      []uint64
	index                       [][]uint64
}

type selectionKind uint8

const (
	selectAll selectionKind = iota
	selectNone
	selectHyperslab
	selectPoints
	selectOrthogonal
)

// All selects every element.
func All() Selection { return Selection{} }

// None selects nothing.
func None() Selection { return Selection{kind: selectNone} }

// Hyperslab selects count blocks of block elements, stride apart, from start, in
// every dimension, as H5Sselect_hyperslab does. A nil stride or block is all 1.
// The result has the shape count*block.
func Hyperslab(start, stride, count, block []uint64) Selection {
	return Selection{kind: selectHyperslab, rank: len(start), start: start, stride: stride, count: count, block: block}
}

// Points selects single elements in the order given; coordinates holds rank
// numbers for each. The result has the shape (points).
func Points(rank int, coordinates []uint64) Selection {
	return Selection{kind: selectPoints, rank: rank, points: coordinates}
}

// Orthogonal is Hyperslab, but where index[d] is not nil, dimension d takes
// those positions instead; they must increase strictly.
func Orthogonal(start, stride, count, block []uint64, index [][]uint64) Selection {
	s := Hyperslab(start, stride, count, block)
	s.kind, s.index = selectOrthogonal, index
	return s
}

func (s Selection) bind(shape []uint64) (*sel.Selection, error) {
	switch s.kind {
	case selectAll:
		return sel.All(shape)
	case selectNone:
		return sel.None(shape), nil
	}
	if s.rank != len(shape) {
		return nil, selectionError("the selection has %d dimensions, the dataset %d", s.rank, len(shape))
	}
	switch s.kind {
	case selectPoints:
		return sel.Points(shape, s.points)
	case selectOrthogonal:
		return sel.Orthogonal(shape, s.axes())
	}
	return sel.Hyperslab(shape, s.start, s.stride, s.count, s.block)
}

func (s Selection) axes() []sel.Axis {
	one := func(v []uint64, d int) uint64 {
		if v == nil {
			return 1
		}
		return v[d]
	}
	axes := make([]sel.Axis, s.rank)
	for d := range axes {
		if s.index[d] != nil {
			axes[d] = sel.Axis{Index: s.index[d]}
			continue
		}
		axes[d] = sel.Axis{Start: s.start[d], Stride: one(s.stride, d), Count: s.count[d], Block: one(s.block, d)}
	}
	return axes
}

func selectionError(format string, args ...any) error {
	return newError(h5err.Selection, format, args...)
}
