package convert

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"clawh5/core/internal/format"
)

// kind is a numeric type of the machine.
type kind int

const (
	int8s kind = iota
	int16s
	int32s
	int64s
	uint8s
	uint16s
	uint32s
	uint64s
	float32s
	float64s
	kinds // of those above

	float16s kind = kinds // no type of Go: converted by way of floats
)

var kindSize = [...]int{1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 2}

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

// kindOf returns the kind of a number with no bits to spare, and whether d is
// one.
func kindOf(d *format.Datatype) (kind, bool) {
	if d.Order == format.VAX {
		return 0, false
	}
	switch d.Class {
	case format.FixedPoint:
		return integerKind(d)
	case format.FloatingPoint:
		return floatKind(d)
	}
	return 0, false
}

func integerKind(d *format.Datatype) (kind, bool) {
	if d.BitOffset != 0 || uint32(d.Precision) != 8*d.Size {
		return 0, false
	}
	for k := int8s; k <= uint64s; k++ {
		if kindSize[k] == int(d.Size) && (k < uint8s) == d.Signed {
			return k, true
		}
	}
	return 0, false
}

// ieee are the layouts of IEEE 754's binary16, binary32 and binary64.
var ieee = map[kind]format.FloatProperties{
	float16s: {SignLocation: 15, ExponentLocation: 10, ExponentSize: 5, MantissaSize: 10, ExponentBias: 15},
	float32s: {SignLocation: 31, ExponentLocation: 23, ExponentSize: 8, MantissaSize: 23, ExponentBias: 127},
	float64s: {SignLocation: 63, ExponentLocation: 52, ExponentSize: 11, MantissaSize: 52, ExponentBias: 1023},
}

func floatKind(d *format.Datatype) (kind, bool) {
	layout := *d.Float
	if d.BitOffset != 0 || uint32(d.Precision) != 8*d.Size || layout.Normalization != format.MSBImplied {
		return 0, false
	}
	layout.Normalization, layout.InternalPad = 0, 0
	for k, want := range ieee {
		if kindSize[k] == int(d.Size) && layout == want {
			return k, true
		}
	}
	return 0, false
}

// machineOrder is the byte order of the machine.
var machineOrder = func() format.Order {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return format.LittleEndian
	}
	return format.BigEndian
}()

// extended is the layout of x86's extended precision, a machine's type that Go
// has not.
var extended = format.FloatProperties{SignLocation: 79, ExponentLocation: 64, ExponentSize: 15, MantissaSize: 64, ExponentBias: 1<<14 - 1}

// machineFloat reports whether d is a floating-point type of a machine.
func machineFloat(d *format.Datatype) bool {
	if _, ok := kindOf(d); ok {
		return true
	}
	layout := *d.Float
	layout.InternalPad = 0
	return d.Order != format.VAX && d.BitOffset == 0 && layout == extended
}

// toNumber converts numbers, and what is one under another name.
func toNumber(src, dst *format.Datatype) (Conversion, error) {
	switch src.Class {
	case format.Enumeration:
		return compile(src.Base, dst)
	case format.Bitfield:
		return fromBitfield(src, dst)
	case format.Complex:
		return realPart(src, dst)
	case format.FixedPoint, format.FloatingPoint:
		if c, ok := byMachine(src, dst); ok {
			return c, nil
		}
		if c, ok := general(src, dst); ok {
			return c, nil
		}
	}
	return Conversion{}, NoConversion(src, dst)
}

// byMachine converts by way of numbers of the machine, where that gives what
// the general way gives.
func byMachine(src, dst *format.Datatype) (Conversion, bool) {
	to, ok := kindOf(dst)
	if !ok {
		return Conversion{}, false
	}
	from, whole := kindOf(src)
	c := inOrder(src)
	if !whole {
		if b, ok := fromBfloat16(src, to); ok {
			return chain(b, inOrder(dst)), true
		}
		if src.Class != format.FixedPoint || to == float16s {
			return Conversion{}, false
		}
		if from, c, ok = unpack(src); !ok {
			return Conversion{}, false
		}
	}
	return chain(chain(c, between(from, to)), inOrder(dst)), true
}

// inOrder converts numbers between the order of d and that of the machine.
func inOrder(d *format.Datatype) Conversion {
	if d.Size == 1 || d.Order == machineOrder {
		return identity(int(d.Size))
	}
	return swap(int(d.Size))
}

// between converts numbers of one kind to another.
func between(from, to kind) Conversion {
	switch {
	case from == to:
		return identity(kindSize[from])
	case from == float16s:
		return chain(kernel(from, float32s, halvesToFloats), between(float32s, to))
	case to == float16s:
		return chain(between(from, float64s), kernel(float64s, to, doublesToHalves))
	}
	run := kernels[from][to]
	if bits.UintSize == 32 && to == float32s {
		switch from {
		case int64s:
			run = roundOnce[int64]
		case uint64s:
			run = roundOnce[uint64]
		}
	}
	return kernel(from, to, run)
}

func kernel(from, to kind, run Func) Conversion {
	s, d := kindSize[from], kindSize[to]
	return Conversion{SrcSize: s, DstSize: d, InPlace: s == d, Run: run}
}

// fromBitfield takes the bits of a bitfield as an integer of the same size.
func fromBitfield(src, dst *format.Datatype) (Conversion, error) {
	bits := *src
	bits.Class, bits.Signed = dst.Class, dst.Signed
	if dst.Class == format.FixedPoint {
		if c, err := compile(&bits, dst); err == nil && c.SrcSize == c.DstSize {
			return c, nil
		}
	}
	return Conversion{}, NoConversion(src, dst)
}
