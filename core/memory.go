package core

import (
	"cmp"
	"slices"

	"clawh5/core/internal/convert"
	"clawh5/core/internal/format"
	"clawh5/core/internal/variable"
)

// MemoryType is the datatype of elements in a caller's buffer. The numbers are
// part of the C ABI.
type MemoryType int32

const (
	MemoryFile   MemoryType = 0 // as in the file, byte order included
	MemoryNative MemoryType = 1 // as in the file, little-endian
	MemoryInt8   MemoryType = 2
	MemoryUint8  MemoryType = 3
	MemoryInt16  MemoryType = 4
	MemoryUint16 MemoryType = 5
	MemoryInt32  MemoryType = 6
	MemoryUint32 MemoryType = 7
	MemoryInt64  MemoryType = 8
	MemoryUint64 MemoryType = 9

	MemoryFloat16 MemoryType = 10
	MemoryFloat32 MemoryType = 11
	MemoryFloat64 MemoryType = 12
)

// memorySize returns the bytes of one element of d in memory. It differs from
// the file's where the heap ID of a variable-length element takes other than
// 16 bytes, that is, where the size of offsets is not 8.
func memorySize(d *format.Datatype) uint64 {
	switch d.Class {
	case format.VariableLength:
		return variable.SlotSize
	case format.Array:
		n := uint64(1)
		for _, dim := range d.Dims {
			n *= uint64(dim)
		}
		return n * memorySize(d.Base)
	case format.Compound:
		size := uint64(d.Size)
		for i := range d.Members {
			size += growth(d.Members[i].Type)
		}
		return size
	}
	return uint64(d.Size)
}

func growth(d *format.Datatype) uint64 { return memorySize(d) - uint64(d.Size) }

// memoryOffsets returns the offsets of the members of the compound d in memory:
// members keep their order and their gaps.
func memoryOffsets(d *format.Datatype) []uint64 {
	byOffset := make([]int, len(d.Members))
	for i := range byOffset {
		byOffset[i] = i
	}
	slices.SortFunc(byOffset, func(i, j int) int { return cmp.Compare(d.Members[i].Offset, d.Members[j].Offset) })
	offsets, grown := make([]uint64, len(d.Members)), uint64(0)
	for _, i := range byOffset {
		offsets[i] = uint64(d.Members[i].Offset) + grown
		grown += growth(d.Members[i].Type)
	}
	return offsets
}

// nativeType returns d with all numbers in little-endian order, d itself if
// they are so already.
func nativeType(d *format.Datatype) *format.Datatype {
	c := *d
	changed := false
	if d.Order == format.BigEndian {
		c.Order, changed = format.LittleEndian, true
	}
	if d.Base != nil {
		if b := nativeType(d.Base); b != d.Base {
			c.Base, changed = b, true
			if d.Class == format.Enumeration && b.Order != d.Base.Order {
				c.Values = swapped(d.Values, int(b.Size))
			}
		}
	}
	for i := range d.Members {
		m := nativeType(d.Members[i].Type)
		if m == d.Members[i].Type {
			continue
		}
		if !changed || &c.Members[0] == &d.Members[0] {
			c.Members = append([]format.Member(nil), d.Members...)
		}
		c.Members[i].Type, changed = m, true
	}
	if !changed {
		return d
	}
	return &c
}

func swapped(p []byte, width int) []byte {
	out := make([]byte, len(p))
	for i := range p {
		out[i] = p[i-i%width+width-1-i%width]
	}
	return out
}

var numberTypes = func() map[MemoryType]*format.Datatype {
	integer := func(size uint32, signed bool) *format.Datatype {
		return &format.Datatype{Class: format.FixedPoint, Version: 1, Size: size, Precision: uint16(8 * size),
			Signed: signed, Committed: format.Undefined}
	}
	float := func(size uint32, exponent, mantissa uint8) *format.Datatype {
		return &format.Datatype{Class: format.FloatingPoint, Version: 1, Size: size, Precision: uint16(8 * size),
			Committed: format.Undefined,
			Float: &format.FloatProperties{SignLocation: uint8(8*size - 1), ExponentLocation: mantissa,
				ExponentSize: exponent, MantissaSize: mantissa, ExponentBias: 1<<(exponent-1) - 1,
				Normalization: format.MSBImplied}}
	}
	return map[MemoryType]*format.Datatype{
		MemoryInt8: integer(1, true), MemoryUint8: integer(1, false),
		MemoryInt16: integer(2, true), MemoryUint16: integer(2, false),
		MemoryInt32: integer(4, true), MemoryUint32: integer(4, false),
		MemoryInt64: integer(8, true), MemoryUint64: integer(8, false),
		MemoryFloat16: float(2, 5, 10), MemoryFloat32: float(4, 8, 23), MemoryFloat64: float(8, 11, 52),
	}
}()

// conversion returns how elements of the file type d become elements of mem.
func conversion(d *format.Datatype, mem MemoryType) (convert.Conversion, error) {
	switch mem {
	case MemoryFile:
		return convert.Compile(d, d)
	case MemoryNative:
		return convert.Compile(d, nativeType(d))
	}
	if t := numberTypes[mem]; t != nil {
		return convert.Compile(d, t)
	}
	return convert.Conversion{}, badArgument("memory type %d is unknown", mem)
}
