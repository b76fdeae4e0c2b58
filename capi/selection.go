package main

// #include "export.h"
import "C"

import (
	"math"
	"unsafe"

	"clawh5/core"
)

// selectionOf copies a caller's selection; NULL selects all. Whether it fits
// the dataset is core's to say.
func selectionOf(p *C.clawh5_cselection) (core.Selection, error) {
	if p == nil {
		return core.All(), nil
	}
	s, err := sized((*C.clawh5_selection)(unsafe.Pointer(p)))
	if err != nil {
		return core.Selection{}, err
	}
	if s.rank < 0 || s.rank > C.CLAWH5_MAX_RANK {
		return core.Selection{}, argument("rank %d of the selection is not within 0 to %d", s.rank, C.CLAWH5_MAX_RANK)
	}
	switch s.kind {
	case C.CLAWH5_SELECT_ALL:
		return core.All(), nil
	case C.CLAWH5_SELECT_NONE:
		return core.None(), nil
	case C.CLAWH5_SELECT_HYPERSLAB:
		return hyperslab(&s)
	case C.CLAWH5_SELECT_POINTS:
		return points(&s)
	case C.CLAWH5_SELECT_ORTHOGONAL:
		return orthogonal(&s)
	}
	return core.Selection{}, argument("selection kind %d is not known", s.kind)
}

func hyperslab(s *C.clawh5_selection) (core.Selection, error) {
	slab, err := slabOf(s, func(int) bool { return true })
	if err != nil {
		return core.Selection{}, err
	}
	return core.Hyperslab(slab[0], slab[1], slab[2], slab[3]), nil
}

// slabOf copies start, stride, count and block. Stride and block are 1 where
// the caller has none; start and count must be there if a dimension needs them.
func slabOf(s *C.clawh5_selection, needed func(d int) bool) (slab [4][]uint64, err error) {
	for i, p := range []*C.clawh5_cuint64{s.start, s.stride, s.count, s.block} {
		slab[i] = make([]uint64, s.rank)
		if p != nil {
			copy(slab[i], numbers(p, uint64(s.rank)))
			continue
		}
		for d := range slab[i] {
			if needed(d) && (i == 0 || i == 2) {
				return slab, argument("start or count of the selection is NULL")
			}
			slab[i][d] = 1
		}
	}
	return slab, nil
}

func points(s *C.clawh5_selection) (core.Selection, error) {
	n := uint64(s.npoints)
	if rank := uint64(s.rank); rank > 0 {
		if n > math.MaxInt/8/rank {
			return core.Selection{}, argument("%d points are more than fit in memory", n)
		}
		n *= rank
	} else if n > 0 {
		return core.Selection{}, argument("points of rank 0")
	}
	if n > 0 && s.points == nil {
		return core.Selection{}, argument("points of the selection is NULL")
	}
	return core.Points(int(s.rank), append([]uint64(nil), numbers(s.points, n)...)), nil
}

func orthogonal(s *C.clawh5_selection) (core.Selection, error) {
	index, err := indexLists(s)
	if err != nil {
		return core.Selection{}, err
	}
	slab, err := slabOf(s, func(d int) bool { return index[d] == nil })
	if err != nil {
		return core.Selection{}, err
	}
	return core.Orthogonal(slab[0], slab[1], slab[2], slab[3], index), nil
}

// indexLists copies the lists of an orthogonal selection; nil where a dimension has none.
func indexLists(s *C.clawh5_selection) ([][]uint64, error) {
	lists := make([][]uint64, s.rank)
	if s.nindex == nil {
		return lists, nil
	}
	for d, n := range numbers(s.nindex, uint64(s.rank)) {
		if n == 0 {
			continue
		}
		if s.index == nil {
			return nil, argument("index of the selection is NULL")
		}
		p := unsafe.Slice(s.index, int(s.rank))[d]
		if p == nil || n > math.MaxInt/8 {
			return nil, argument("index[%d] of the selection is NULL or too long", d)
		}
		lists[d] = append([]uint64(nil), numbers(p, n)...)
	}
	return lists, nil
}

// numbers is a caller's array, of a length that was checked.
func numbers(p *C.clawh5_cuint64, n uint64) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(p)), int(n))
}
