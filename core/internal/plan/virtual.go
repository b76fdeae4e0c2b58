package plan

import (
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/sel"
)

const virtualTitle = "global heap block for virtual datasets"

// Side is one side of a mapping of a virtual dataset: a selection that may have
// no end on one axis.
type Side struct {
	enc  *format.EncodedSelection
	axis int // without end; -1 if there is none
}

// NewSide checks a selection of a mapping. Points are refused, as libhdf5 does.
func NewSide(e *format.EncodedSelection) (Side, error) {
	s := Side{enc: e, axis: -1}
	if e.Kind == format.SelectPoints {
		return s, h5err.At(h5err.Unsupported, virtualTitle, h5err.NoOffset, "points in a mapping")
	}
	if !e.Regular() {
		return s, nil
	}
	for d := range e.Count {
		if e.Count[d] != format.Unlimited && e.Block[d] != format.Unlimited {
			continue
		}
		single := e.Count[d] == 1 || e.Block[d] != format.Unlimited
		if s.axis >= 0 || !single || e.Block[d] == 0 || e.Stride[d] == 0 && e.Count[d] != 1 {
			return s, corruptMapping("a selection without end of start %v, stride %v, count %v, block %v", e.Start, e.Stride, e.Count, e.Block)
		}
		s.axis = d
	}
	return s, nil
}

func corruptMapping(detail string, args ...any) error {
	return h5err.At(h5err.Corrupt, virtualTitle, h5err.NoOffset, fmt.Sprintf(detail, args...))
}

// Axis is the axis on which the selection has no end; -1 if there is none.
func (s *Side) Axis() int { return s.axis }

// HasBlocks reports whether the selection without end is one of blocks, rather
// than of a block without end.
func (s *Side) HasBlocks() bool { return s.axis >= 0 && s.enc.Count[s.axis] == format.Unlimited }

// endless is the pattern of n positions of an axis without end.
func (s *Side) endless(n uint64) sel.Pattern {
	e, d := s.enc, s.axis
	if e.Block[d] == format.Unlimited || e.Block[d] == e.Stride[d] {
		return sel.Pattern{Start: e.Start[d], Stride: max(n, 1), Block: max(n, 1), N: n}
	}
	return sel.Pattern{Start: e.Start[d], Stride: e.Stride[d], Block: e.Block[d], N: n}
}

// maxPositions bounds the positions that are counted on an axis without end.
const maxPositions = 1 << 62

// Slices is how many positions of the axis without end lie below an extent.
func (s *Side) Slices(extent uint64) uint64 {
	p := s.endless(min(extent, maxPositions))
	return p.Ceil(extent)
}

// Extent is the smallest extent that holds n positions of the axis without end
// or, with trail, the largest.
func (s *Side) Extent(n uint64, trail bool) uint64 {
	p := s.endless(n)
	switch {
	case n == 0 && trail:
		return p.Start
	case n == 0:
		return 0
	case trail && p.N > 0 && p.Block < p.Stride && n%p.Block == 0:
		return p.Start + n/p.Block*p.Stride
	}
	return p.End()
}

// BlockStart is where a block of the axis without end begins.
func (s *Side) BlockStart(i uint64) uint64 {
	return s.enc.Start[s.axis] + i*s.enc.Stride[s.axis]
}

// BlocksBelow is how many blocks of the axis without end begin below an extent.
func (s *Side) BlocksBelow(extent uint64) uint64 {
	start, stride := s.enc.Start[s.axis], s.enc.Stride[s.axis]
	if extent <= start {
		return 0
	}
	return (extent-start-1)/stride + 1
}

// BlockSize is the size of a block of the axis without end.
func (s *Side) BlockSize() uint64 { return s.enc.Block[s.axis] }

// LimitedEnd raises ends to the first position behind the selection on each axis
// that has an end.
func (s *Side) LimitedEnd(ends []uint64) error {
	if s.enc.Kind != format.SelectHyperslab {
		return nil
	}
	r, err := s.Region(nil, 1)
	if err != nil || r.NumElements() == 0 {
		return err
	}
	for d := range ends {
		if _, hi := r.Bounds(d); d != s.axis {
			ends[d] = max(ends[d], hi+1)
		}
	}
	return nil
}

// Region is the selection in a dataspace of the given dimensions, with n
// positions on the axis without end.
func (s *Side) Region(dims []uint64, n uint64) (*sel.Region, error) {
	e := s.enc
	switch {
	case e.Kind == format.SelectAll:
		axes := make([]sel.Pattern, len(dims))
		for d, extent := range dims {
			axes[d] = sel.Pattern{Stride: 1, Block: 1, N: extent}
		}
		return region(sel.NewRegion(axes))
	case e.Kind == format.SelectNone:
		return region(sel.NewRegion(make([]sel.Pattern, len(dims))))
	case !e.Regular():
		return region(sel.NewBoxes(e.Rank, e.Blocks))
	}
	axes := make([]sel.Pattern, e.Rank)
	for d := range axes {
		if d == s.axis {
			axes[d] = s.endless(n)
			continue
		}
		if e.Count[d] > 0 && e.Block[d] > maxPositions/e.Count[d] {
			return nil, corruptMapping("%d blocks of %d", e.Count[d], e.Block[d])
		}
		axes[d] = sel.Pattern{Start: e.Start[d], Stride: e.Stride[d], Block: e.Block[d], N: e.Count[d] * e.Block[d]}
		if e.Count[d] == 1 {
			axes[d].Stride = max(e.Block[d], 1)
		}
	}
	return region(sel.NewRegion(axes))
}

// Block is one block of the axis without end.
func (s *Side) Block(i uint64) (*sel.Region, error) {
	one := *s.enc
	one.Start, one.Count = append([]uint64(nil), one.Start...), append([]uint64(nil), one.Count...)
	if one.Start[s.axis] > maxPositions || i > (maxPositions-one.Start[s.axis])/max(one.Stride[s.axis], 1) {
		return nil, corruptMapping("block %d at stride %d", i, one.Stride[s.axis])
	}
	one.Start[s.axis], one.Count[s.axis] = s.BlockStart(i), 1
	b := Side{enc: &one, axis: -1}
	return b.Region(nil, 0)
}

// Rank is the rank of the selection; -1 if it is that of the dataspace.
func (s *Side) Rank() int {
	if s.enc.Kind == format.SelectHyperslab {
		return s.enc.Rank
	}
	return -1
}

// Fixed reports whether the selection is the same in every dataspace.
func (s *Side) Fixed() bool { return s.enc.Kind == format.SelectHyperslab }

// region says that a selection is wrong in the file.
func region(r *sel.Region, err error) (*sel.Region, error) {
	if err != nil && h5err.KindOf(err) == h5err.Selection {
		return nil, corruptMapping("%v", err)
	}
	return r, err
}

// Filled plans a selection of which nothing is stored.
func Filled(elemSize uint32, s *sel.Selection) (*Plan, error) {
	p := &Part{ElemSize: int64(elemSize), Elements: s.NumElements(), Placed: s.IsPlaced()}
	plan := &Plan{Parts: []*Part{p}, Elements: s.NumElements()}
	if s.NumElements() == 0 {
		return plan, nil
	}
	return plan, p.unstored(s)
}

// unstored makes p the fill value.
func (p *Part) unstored(s *sel.Selection) error {
	if !p.Placed {
		p.Kind = Fill // such a dataset may be larger than any file
		return nil
	}
	box := make([]uint64, len(s.Shape()))
	for d, n := range s.Shape() {
		box[d] = max(n, 1)
	}
	var err error
	p.Kind, p.Missing = Chunks, 1
	p.Grid, err = sel.NewGrid(s, box)
	return err
}
