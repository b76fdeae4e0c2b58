package sel

import (
	"cmp"
	"slices"
	"sort"
)

// Finder finds those of many regions that may have an element of a selection.
type Finder struct {
	axis  int
	order []int    // of regions that are not empty, by where they begin on the axis
	begin []uint64 // of each in that order
	reach []uint64 // the farthest end of it and those before
}

// NewFinder makes a Finder for regions of one rank. They are told apart on the
// axis with the most different beginnings.
func NewFinder(regions []*Region) *Finder {
	f := new(Finder)
	for i, r := range regions {
		if r.n > 0 {
			f.order = append(f.order, i)
		}
	}
	if len(f.order) == 0 || regions[f.order[0]].rank == 0 {
		return f
	}
	most := 0
	for d := range regions[f.order[0]].rank {
		seen := map[uint64]bool{}
		for _, i := range f.order {
			lo, _ := regions[i].Bounds(d)
			seen[lo] = true
		}
		if len(seen) > most {
			f.axis, most = d, len(seen)
		}
	}
	begin := func(i int) uint64 {
		lo, _ := regions[i].Bounds(f.axis)
		return lo
	}
	slices.SortFunc(f.order, func(i, j int) int { return cmp.Compare(begin(i), begin(j)) })
	far := uint64(0)
	for _, i := range f.order {
		_, hi := regions[i].Bounds(f.axis)
		far = max(far, hi)
		f.begin, f.reach = append(f.begin, begin(i)), append(f.reach, far)
	}
	return f
}

// Near lists the regions, by rising number, that begin before the selection ends
// and of which one at least ends after it begins.
func (f *Finder) Near(s *Selection) []int {
	lo, hi, ok := s.Bounds()
	if !ok || len(f.order) == 0 {
		return nil
	}
	if f.begin == nil {
		return slices.Clone(f.order)
	}
	first := sort.Search(len(f.reach), func(i int) bool { return f.reach[i] >= lo[f.axis] })
	last := sort.Search(len(f.begin), func(i int) bool { return f.begin[i] > hi[f.axis] })
	if first >= last {
		return nil
	}
	near := slices.Clone(f.order[first:last])
	slices.Sort(near)
	return near
}
