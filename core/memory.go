package core

import (
	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
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

// SlotSize is the size of a variable-length element in memory: two 64-bit numbers,
// the offset of its data in the heap of the read and the count of its parts.
const SlotSize = datatype.SlotSize

// inMemory is d as its elements lie in memory, where each of variable length
// takes SlotSize bytes.
func inMemory(d *format.Datatype) (*format.Datatype, error) {
	if !d.HasVariableLength() {
		return d, nil
	}
	return datatype.Memory(d)
}

// memorySize returns the bytes of one element of d in memory; 4 GiB for more,
// which cannot be read.
func memorySize(d *format.Datatype) uint64 {
	m, err := inMemory(d)
	if err != nil {
		return 1 << 32
	}
	return uint64(m.Size)
}

// memoryOffsets returns the offsets of the members of the compound d in memory.
func memoryOffsets(d *format.Datatype) []uint64 {
	if m, err := inMemory(d); err == nil {
		d = m
	}
	offsets := make([]uint64, len(d.Members))
	for i := range offsets {
		offsets[i] = uint64(d.Members[i].Offset)
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
	types := map[MemoryType]*format.Datatype{}
	for t, name := range map[MemoryType]string{
		MemoryInt8: "STD_I8", MemoryUint8: "STD_U8", MemoryInt16: "STD_I16", MemoryUint16: "STD_U16",
		MemoryInt32: "STD_I32", MemoryUint32: "STD_U32", MemoryInt64: "STD_I64", MemoryUint64: "STD_U64",
		MemoryFloat16: "IEEE_F16", MemoryFloat32: "IEEE_F32", MemoryFloat64: "IEEE_F64",
	} {
		types[t], _ = datatype.Predefined("H5T_" + name + "LE")
	}
	return types
}()

// of returns the datatype of elements in memory whose datatype in the file is d.
func (t MemoryType) of(d *format.Datatype) (*format.Datatype, error) {
	if number := numberTypes[t]; number != nil {
		return number, nil
	}
	m, err := inMemory(d)
	switch t {
	case MemoryFile:
	case MemoryNative:
		if err == nil {
			m = nativeType(m)
		}
	default:
		return nil, badArgument("memory type %d is unknown", t)
	}
	return m, err
}

// memory is t with the sizes that variable-length elements have in memory.
func (t Datatype) memory() (*format.Datatype, error) {
	if !t.IsValid() {
		return nil, badArgument("no memory datatype is given")
	}
	return inMemory(t.d)
}

// ItemSize returns the bytes that one item of a string or sequence takes in the
// heap of a read; 0 where t is neither, or where the items hold variable-length
// data themselves.
func (t Datatype) ItemSize() uint64 {
	switch {
	case t.d.VariableString:
		return 1
	case t.d.Class != format.VariableLength || t.d.Base.HasVariableLength():
		return 0
	}
	return uint64(t.d.Base.Size)
}
