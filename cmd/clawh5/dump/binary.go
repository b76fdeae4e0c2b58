package dump

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"clawh5/core"
)

// binaryWriter writes elements as bytes: compounds without their gaps, strings
// up to their end, variable-length data in their place.
type binaryWriter struct {
	w    io.Writer
	heap []byte
}

func (b binaryWriter) elements(t core.Datatype, data []byte) {
	size := int(t.Size())
	switch t.Class() {
	case core.ClassString, core.ClassCompound, core.ClassArray, core.ClassVlen, core.ClassReference:
	default:
		b.w.Write(data)
		return
	}
	for ; size > 0 && len(data) >= size; data = data[size:] {
		b.element(t, data[:size])
	}
}

func (b binaryWriter) element(t core.Datatype, p []byte) {
	switch t.Class() {
	case core.ClassString:
		pad := t.StringPad()
		if t.IsVariableString() {
			p, pad = b.slot(p, 1), core.NullTerminated
		}
		if pad == core.NullTerminated {
			p, _, _ = bytes.Cut(p, []byte{0})
		}
		b.w.Write(p)
	case core.ClassCompound:
		for i := range t.NumMembers() {
			_, at, m := t.Member(i)
			if end := at + m.Size(); end <= uint64(len(p)) {
				b.elements(m, p[at:end])
			}
		}
	case core.ClassArray:
		b.elements(t.Super(), p)
	case core.ClassVlen:
		b.elements(t.Super(), b.slot(p, t.Super().Size()))
	}
}

// slot returns the data of a variable-length element of size-byte parts.
func (b binaryWriter) slot(p []byte, size uint64) []byte {
	if len(p) < 16 || size == 0 {
		return nil
	}
	at, n := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
	if at > uint64(len(b.heap)) || n > (uint64(len(b.heap))-at)/size {
		return nil
	}
	return b.heap[at : at+n*size]
}

// ordered returns t with all numbers in one byte order.
func ordered(t core.Datatype, o core.ByteOrder) (core.Datatype, error) {
	switch t.Class() {
	case core.ClassInteger, core.ClassFloat, core.ClassBitfield, core.ClassComplex:
		return t.WithOrder(o)
	case core.ClassEnum:
		return orderedEnum(t, o)
	case core.ClassArray:
		base, err := ordered(t.Super(), o)
		if err != nil {
			return t, err
		}
		return core.NewArray(base, t.Dims()...)
	case core.ClassVlen:
		base, err := ordered(t.Super(), o)
		if err != nil {
			return t, err
		}
		return core.NewVlen(base)
	case core.ClassCompound:
		c, err := core.NewCompound(t.Size())
		for i := 0; i < t.NumMembers() && err == nil; i++ {
			name, at, member := t.Member(i)
			if member, err = ordered(member, o); err == nil {
				c, err = c.Insert(name, at, member)
			}
		}
		return c, err
	}
	return t, nil
}

func orderedEnum(t core.Datatype, o core.ByteOrder) (core.Datatype, error) {
	if t.Order() == o {
		return t, nil
	}
	base, err := ordered(t.Super(), o)
	if err != nil {
		return t, err
	}
	e, err := core.NewEnum(base)
	for i := 0; i < t.NumMembers() && err == nil; i++ {
		name, value := t.EnumMember(i)
		value = slices.Clone(value)
		slices.Reverse(value)
		e, err = e.EnumInsert(name, value)
	}
	return e, err
}
