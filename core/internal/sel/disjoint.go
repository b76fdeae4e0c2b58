package sel

import (
	"cmp"
	"slices"
)

// maxCompared bounds the pairs of regions that are compared.
const maxCompared = 1 << 22

// Disjoint reports whether no element lies in two of the regions, which have one
// rank. It may say no of disjoint ones if very many lie in each other's bounds.
func Disjoint(regions []*Region) bool {
	list := make([]*Region, 0, len(regions))
	for _, r := range regions {
		if r.n > 0 {
			list = append(list, r)
		}
	}
	if len(list) < 2 {
		return true
	}
	if list[0].rank == 0 {
		return false
	}
	for d := range list[0].rank {
		if interleaved(list, d) {
			return true
		}
	}
	return sweep(list)
}

// interleaved reports whether the regions take turns on an axis: blocks at one
// stride, each at a place of its own.
func interleaved(list []*Region, d int) bool {
	type interval struct{ from, to uint64 }
	var turns []interval
	var stride uint64
	for _, r := range list {
		if r.axes == nil {
			return false
		}
		p := &r.axes[d]
		if p.N <= p.Block || stride != 0 && p.Stride != stride {
			return false
		}
		stride = p.Stride
		from := p.Start % stride
		if from+p.Block > stride {
			return false
		}
		turns = append(turns, interval{from, from + p.Block})
	}
	slices.SortFunc(turns, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(turns); i++ {
		if turns[i].from < turns[i-1].to {
			return false
		}
	}
	return true
}

// sweep compares the regions whose bounds meet on the axis with the most
// different beginnings.
func sweep(list []*Region) bool {
	axis, most := 0, 0
	for d := range list[0].rank {
		begin := map[uint64]bool{}
		for _, r := range list {
			lo, _ := r.Bounds(d)
			begin[lo] = true
		}
		if len(begin) > most {
			axis, most = d, len(begin)
		}
	}
	slices.SortFunc(list, func(a, b *Region) int {
		from, _ := a.Bounds(axis)
		to, _ := b.Bounds(axis)
		return cmp.Compare(from, to)
	})
	compared := 0
	var active []*Region
	for _, r := range list {
		lo, _ := r.Bounds(axis)
		active = slices.DeleteFunc(active, func(a *Region) bool {
			_, hi := a.Bounds(axis)
			return hi < lo
		})
		for _, a := range active {
			if compared++; compared > maxCompared || a.Overlaps(r) {
				return false
			}
		}
		active = append(active, r)
	}
	return true
}
