package render

import (
	"iter"

	"clawh5/core"
)

// Strip is a part of a dataset that is read at once: a box whose elements
// follow each other in C order.
type Strip struct {
	Start, Count []uint64
	Position     uint64 // of the first element
	Elements     uint64
	Last         bool
}

// Selection returns what is read of the dataset.
func (s *Strip) Selection() core.Selection {
	if len(s.Start) == 0 {
		return core.All() // a scalar
	}
	return core.Hyperslab(s.Start, nil, s.Count, nil)
}

// Strips cuts a dataset into boxes of at most limit bytes, in C order, in whole
// rows as far as these are not too long. A dataset without elements has none.
func Strips(dims []uint64, elementSize, limit uint64) iter.Seq[Strip] {
	return func(yield func(Strip) bool) {
		size, bytes, total := make([]uint64, len(dims)), max(elementSize, 1), uint64(1)
		for i := len(dims) - 1; i >= 0; i-- {
			size[i] = min(dims[i], max(limit/max(bytes, 1), 1))
			bytes *= size[i]
			total *= dims[i]
		}
		start := make([]uint64, len(dims))
		for done := uint64(0); done < total; {
			s := Strip{Start: append([]uint64(nil), start...), Count: make([]uint64, len(dims)), Position: done, Elements: 1}
			for i := range dims {
				s.Count[i] = min(dims[i]-start[i], size[i])
				s.Elements *= s.Count[i]
			}
			done += s.Elements
			s.Last = done >= total
			if !yield(s) {
				return
			}
			for i := len(dims) - 1; i >= 0; i-- {
				if start[i] += s.Count[i]; start[i] < dims[i] {
					break
				}
				start[i] = 0
			}
		}
	}
}
