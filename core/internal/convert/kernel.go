package convert

import (
	"math"
	"unsafe"
)

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type float interface{ float32 | float64 }

// kernels[s][d] converts numbers of kind s to kind d, both in the byte order of
// the machine.
var kernels = [kinds][kinds]Func{
	fromInteger[int8](), fromInteger[int16](), fromInteger[int32](), fromInteger[int64](),
	fromInteger[uint8](), fromInteger[uint16](), fromInteger[uint32](), fromInteger[uint64](),
	fromFloat[float32](), fromFloat[float64](),
}

func fromInteger[S integer]() [kinds]Func {
	return [kinds]Func{
		clipAll[S, int8], clipAll[S, int16], clipAll[S, int32], clipAll[S, int64],
		clipAll[S, uint8], clipAll[S, uint16], clipAll[S, uint32], clipAll[S, uint64],
		castAll[S, float32], castAll[S, float64],
	}
}

func fromFloat[S float]() [kinds]Func {
	return [kinds]Func{
		truncateAll[S, int8], truncateAll[S, int16], truncateAll[S, int32], truncateAll[S, int64],
		truncateAll[S, uint8], truncateAll[S, uint16], truncateAll[S, uint32], truncateAll[S, uint64],
		roundAll[S], castAll[S, float64],
	}
}

// view takes b as n numbers. It need not be aligned: every machine that Go runs
// on with numbers in the order of their bytes reads them anywhere.
func view[T integer | float](b []byte, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

func clipAll[S, D integer](dst, src []byte, n int) {
	d := view[D](dst, n)
	for i, v := range view[S](src, n) {
		x := D(v)
		if S(x) != v || (x < 0) != (v < 0) {
			x = maxOf[D]()
			if v < 0 {
				x = ^x
			}
		}
		d[i] = x
	}
}

func truncateAll[S float, D integer](dst, src []byte, n int) {
	d := view[D](dst, n)
	// As a float, the largest integer is itself or the power of two above it.
	hi, lo := maxOf[D](), ^maxOf[D]()
	above, below := S(hi), S(lo)
	for i, v := range view[S](src, n) {
		switch {
		case v >= above:
			d[i] = hi
		case v <= below:
			d[i] = lo
		case v != v:
			d[i] = 0
		default:
			d[i] = D(v)
		}
	}
}

func castAll[S integer | float, D float](dst, src []byte, n int) {
	d := view[D](dst, n)
	for i, v := range view[S](src, n) {
		d[i] = D(v)
	}
}

// roundOnce converts to float32 by way of a float64 that is exact or odd, so that
// only the second step rounds. Where registers have 32 bits, Go rounds twice.
func roundOnce[S int64 | uint64](dst, src []byte, n int) {
	const extra = 64 - 53
	d := view[float32](dst, n)
	for i, v := range view[S](src, n) {
		if high := v >> 53; high != 0 && high != ^S(0) && v&(1<<extra-1) != 0 {
			v = v>>extra<<extra | 1<<extra
		}
		d[i] = float32(float64(v))
	}
}

// roundAll makes infinity of all that is beyond the largest finite value, even
// where the nearest value is finite.
func roundAll[S float](dst, src []byte, n int) {
	const most = math.MaxFloat32
	d := view[float32](dst, n)
	for i, v := range view[S](src, n) {
		x := float32(v)
		switch {
		case v > most:
			x = float32(math.Inf(1))
		case v < -most:
			x = float32(math.Inf(-1))
		}
		d[i] = x
	}
}

// maxOf is the largest D; the smallest is its complement.
func maxOf[D integer]() D {
	all := ^D(0)
	if all > 0 {
		return all
	}
	return ^(D(1) << (8*unsafe.Sizeof(all) - 1))
}
