package sel

import (
	"math/bits"
	"sort"
)

// Axis is the selected positions of one axis: Count blocks of Block positions
// that start Stride apart, or the strictly increasing Index if that is not nil.
type Axis struct {
	Start, Stride, Count, Block uint64
	Index                       []uint64
}

// Range is the axis of the positions start to stop-1 in steps.
func Range(start, stop, step uint64) Axis {
	if stop <= start || step == 0 {
		return Axis{Start: start, Stride: 1, Block: 1}
	}
	return Axis{Start: start, Stride: step, Count: (stop-start-1)/step + 1, Block: 1}
}

// check verifies a against the extent and returns its normal form: blocks that
// touch are one block, a regular Index is a slab, Stride is never 0.
func (a Axis) check(axis int, extent uint64) (Axis, error) {
	if a.Index != nil {
		return a.checkIndex(axis, extent)
	}
	if a.Stride == 0 {
		return a, axisError(axis, "stride 0")
	}
	if a.Count == 0 || a.Block == 0 {
		if a.Start > extent {
			return a, outOfRange(axis, a.Start, extent)
		}
		return Axis{Start: a.Start, Stride: 1, Block: 1}, nil
	}
	if a.Count > 1 && a.Stride < a.Block {
		return a, axisError(axis, "blocks of %d overlap at stride %d", a.Block, a.Stride)
	}
	hi, span := bits.Mul64(a.Count-1, a.Stride)
	end, c1 := bits.Add64(span, a.Start, 0)
	end, c2 := bits.Add64(end, a.Block, 0)
	if hi != 0 || c1 != 0 || c2 != 0 {
		return a, axisError(axis, "%d blocks at stride %d reach past extent %d", a.Count, a.Stride, extent)
	}
	if end > extent {
		return a, outOfRange(axis, end-1, extent)
	}
	return a.normal(), nil
}

// normal turns blocks without a gap into one.
func (a Axis) normal() Axis {
	if a.Count == 1 || a.Stride == a.Block {
		n := a.Count * a.Block
		return Axis{Start: a.Start, Stride: n, Count: 1, Block: n}
	}
	return a
}

func (a Axis) checkIndex(axis int, extent uint64) (Axis, error) {
	n := len(a.Index)
	if n == 0 {
		return Axis{Stride: 1, Block: 1}, nil
	}
	step := uint64(1)
	if n > 1 {
		step = a.Index[1] - a.Index[0]
	}
	regular := true
	for i := 1; i < n; i++ {
		if a.Index[i] <= a.Index[i-1] {
			return a, axisError(axis, "index %d follows %d: indices must increase", a.Index[i], a.Index[i-1])
		}
		regular = regular && a.Index[i]-a.Index[i-1] == step
	}
	if last := a.Index[n-1]; last >= extent {
		return a, outOfRange(axis, last, extent)
	}
	if regular {
		return Axis{Start: a.Index[0], Stride: step, Count: uint64(n), Block: 1}.normal(), nil
	}
	return Axis{Stride: 1, Block: 1, Index: append([]uint64(nil), a.Index...)}, nil
}

// size is the number of selected positions.
func (a *Axis) size() uint64 {
	if a.Index != nil {
		return uint64(len(a.Index))
	}
	return a.Count * a.Block
}

// at is the position of ordinal k.
func (a *Axis) at(k uint64) uint64 {
	switch {
	case a.Index != nil:
		return a.Index[k]
	case a.Count == 1:
		return a.Start + k
	case a.Block == 1:
		return a.Start + k*a.Stride
	}
	return a.Start + k/a.Block*a.Stride + k%a.Block
}

// ceil is the ordinal of the first selected position at or after pos; size if
// there is none.
func (a *Axis) ceil(pos uint64) uint64 {
	if a.Index != nil {
		return uint64(sort.Search(len(a.Index), func(i int) bool { return a.Index[i] >= pos }))
	}
	if pos <= a.Start {
		return 0
	}
	d := pos - a.Start
	if a.Count == 1 {
		return min(d, a.Block)
	}
	k, r := d/a.Stride, d%a.Stride
	if k >= a.Count {
		return a.Count * a.Block
	}
	return k*a.Block + min(r, a.Block)
}

// boxes is how many boxes of the given width hold a selected position.
func (a *Axis) boxes(width uint64) uint64 {
	n := a.size()
	if n == 0 {
		return 0
	}
	if a.Index == nil {
		if a.Stride <= width || a.Count == 1 {
			return a.at(n-1)/width - a.at(0)/width + 1
		}
		if a.Block == 1 {
			return n
		}
	}
	var count uint64
	for box, ok := a.firstBox(width); ok; box, ok = a.nextBox(box, width) {
		count++
	}
	return count
}

func (a *Axis) firstBox(width uint64) (uint64, bool) {
	if a.size() == 0 {
		return 0, false
	}
	return a.at(0) / width, true
}

// nextBox is the first box after box that holds a selected position.
func (a *Axis) nextBox(box, width uint64) (uint64, bool) {
	hi, next := bits.Mul64(box+1, width)
	if hi != 0 {
		return 0, false
	}
	k := a.ceil(next)
	if k >= a.size() {
		return 0, false
	}
	return a.at(k) / width, true
}
