package dump

import (
	"slices"

	"clawh5/core"
)

// regular returns the hyperslab that the boxes of a selection make up, if they
// make up one: files may store it as a list of boxes.
func regular(s *core.RegionSelection) (*core.RegionSelection, bool) {
	if s.Kind != core.RegionBlocks || s.NumBlocks() == 0 {
		return s, s.Kind == core.RegionHyperslab
	}
	r := &core.RegionSelection{Kind: core.RegionHyperslab, Rank: s.Rank}
	n := 1
	for i := range s.Rank {
		start, stride, count, block, ok := axis(s, i)
		if !ok {
			return s, false
		}
		r.Start, r.Stride = append(r.Start, start), append(r.Stride, stride)
		r.Count, r.Block = append(r.Count, count), append(r.Block, block)
		if n *= int(count); n > s.NumBlocks() {
			return s, false
		}
	}
	return r, n == s.NumBlocks()
}

// axis returns the places of boxes in one dimension, if they are equal and
// equally spaced. As many different boxes as there are places must then be all
// of them.
func axis(s *core.RegionSelection, dim int) (start, stride, count, block uint64, ok bool) {
	var firsts []uint64
	for i := range s.NumBlocks() {
		b := s.Blocks[2*i*s.Rank:]
		first, last := b[dim], b[s.Rank+dim]
		if i == 0 {
			block = last - first + 1
		} else if last-first+1 != block {
			return 0, 0, 0, 0, false
		}
		firsts = append(firsts, first)
	}
	slices.Sort(firsts)
	firsts = slices.Compact(firsts)
	stride = 1
	for i := 1; i < len(firsts); i++ {
		if i == 1 {
			stride = firsts[1] - firsts[0]
		} else if firsts[i]-firsts[i-1] != stride {
			return 0, 0, 0, 0, false
		}
	}
	return firsts[0], stride, uint64(len(firsts)), block, true
}
