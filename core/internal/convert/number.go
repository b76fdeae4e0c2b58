package convert

import (
	"encoding/binary"
	"math/bits"

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
