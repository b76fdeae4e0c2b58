package core

import "clawh5/core/internal/format"

// RegionKind is the kind of a RegionSelection.
type RegionKind uint8

const (
	RegionAll       RegionKind = iota
	RegionNone                 // no element
	RegionHyperslab            // Start, Stride, Count and Block
	RegionBlocks               // a union of boxes
	RegionPoints               // single elements, in their order
)

func (k RegionKind) String() string {
	return name([]string{"all", "none", "hyperslab", "blocks", "points"}, k)
}

// Unlimited stands for a count, block or dimension without limit, as
// H5S_UNLIMITED does.
const Unlimited = format.Unlimited

// RegionSelection is a selection that a file holds: of a region reference, or
// of either side of a mapping of a virtual dataset. It does not know the shape
// that it selects from. The caller must not change its lists.
type RegionSelection struct {
	Kind RegionKind
	Rank int // 0 for RegionAll and RegionNone

	// RegionHyperslab: Rank numbers each. One count or block may be Unlimited.
	Start, Stride, Count, Block []uint64

	// RegionBlocks: the first and the last element of each box, Rank
	// coordinates a corner.
	Blocks []uint64

	Points []uint64 // RegionPoints: Rank coordinates a point
}

// NumBlocks returns the number of boxes of RegionBlocks.
func (s *RegionSelection) NumBlocks() int {
	if s.Rank == 0 {
		return 0
	}
	return len(s.Blocks) / (2 * s.Rank)
}

// NumPoints returns the number of points of RegionPoints.
func (s *RegionSelection) NumPoints() int {
	if s.Rank == 0 {
		return 0
	}
	return len(s.Points) / s.Rank
}

// regionSelection is what the encoded selection s says.
func regionSelection(s *format.EncodedSelection) RegionSelection {
	r := RegionSelection{Rank: s.Rank}
	switch {
	case s.Kind == format.SelectAll:
		r.Kind = RegionAll
	case s.Kind == format.SelectNone:
		r.Kind = RegionNone
	case s.Kind == format.SelectPoints:
		r.Kind, r.Points = RegionPoints, s.Points
	case s.Regular():
		r.Kind = RegionHyperslab
		r.Start, r.Stride, r.Count, r.Block = s.Start, s.Stride, s.Count, s.Block
	default:
		r.Kind, r.Blocks = RegionBlocks, s.Blocks
	}
	return r
}
