package variable

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"clawh5/core/h5err"
	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

var background = context.Background()

// fakeHeap holds objects and keeps what was asked for.
type fakeHeap struct {
	objects    map[format.GlobalHeapID][]byte
	prefetched [][]uint64
	got        int
}

func newHeap() *fakeHeap { return &fakeHeap{objects: map[format.GlobalHeapID][]byte{}} }

func (h *fakeHeap) GlobalHeapObject(_ context.Context, id format.GlobalHeapID) ([]byte, error) {
	h.got++
	data, ok := h.objects[id]
	if !ok {
		return nil, h5err.New(h5err.Corrupt, "no such object")
	}
	return data, nil
}

func (h *fakeHeap) GlobalHeapPrefetch(_ context.Context, collections []uint64) error {
	h.prefetched = append(h.prefetched, slices.Clone(collections))
	return nil
}

// element writes a variable-length element of the file (spec VIII): length,
// address of the collection, index.
func element(offsetSize int, count uint32, collection uint64, index uint32) []byte {
	p := binary.LittleEndian.AppendUint32(nil, count)
	p = append(p, binary.LittleEndian.AppendUint64(nil, collection)[:offsetSize]...)
	return binary.LittleEndian.AppendUint32(p, index)
}

func integer(size uint32, order format.Order) *format.Datatype {
	return &format.Datatype{Class: format.FixedPoint, Version: 1, Size: size, Order: order, Precision: uint16(8 * size), Committed: format.Undefined}
}

func fixedText(size uint32) *format.Datatype {
	return &format.Datatype{Class: format.String, Version: 1, Size: size, Pad: format.NullPadded, Committed: format.Undefined}
}

func sequence(offsetSize int, base *format.Datatype) *format.Datatype {
	return &format.Datatype{Class: format.VariableLength, Version: 1, Size: uint32(8 + offsetSize), Base: base, Committed: format.Undefined}
}

func text(offsetSize int) *format.Datatype {
	d := sequence(offsetSize, integer(1, format.LittleEndian))
	d.VariableString = true
	return d
}

func array(base *format.Datatype, n uint32) *format.Datatype {
	return &format.Datatype{Class: format.Array, Version: 3, Size: n * base.Size, Dims: []uint32{n}, Base: base, Committed: format.Undefined}
}

// compound lays the members one behind the other, each after a gap.
func compound(gap uint32, types ...*format.Datatype) *format.Datatype {
	d := &format.Datatype{Class: format.Compound, Version: 3, Committed: format.Undefined}
	for i, t := range types {
		d.Size += gap
		d.Members = append(d.Members, format.Member{Name: fmt.Sprint("m", i), Offset: d.Size, Type: t})
		d.Size += t.Size
	}
	return d
}

// memoryType makes the datatype of memory, but for the sizes of slots.
type memoryType func(*format.Datatype) *format.Datatype

// inSlots gives variable-length elements the size that they have in memory.
func inSlots(d *format.Datatype) *format.Datatype {
	m, err := datatype.Memory(d)
	if err != nil {
		panic(err)
	}
	return m
}

func asFile(d *format.Datatype) *format.Datatype { return d }

func native(d *format.Datatype) *format.Datatype {
	c := *d
	c.Order = format.LittleEndian
	if d.Base != nil {
		c.Base = native(d.Base)
	}
	c.Members = slices.Clone(d.Members)
	for i := range c.Members {
		c.Members[i].Type = native(c.Members[i].Type)
	}
	return &c
}

// model reads elements one at a time, recursively, into text: "[1 2]" is a
// sequence or an array, "{1 2}" a compound, "'ab'" a string.
type model struct {
	heap       *fakeHeap
	offsetSize int
}

func (m model) file(d *format.Datatype, p []byte) string {
	if d.Class != format.VariableLength {
		return parts(d, p, func(t *format.Datatype) uint64 { return uint64(t.Size) }, m.file)
	}
	count := binary.LittleEndian.Uint32(p)
	var address [8]byte
	copy(address[:], p[4:4+m.offsetSize])
	id := format.GlobalHeapID{
		Collection: binary.LittleEndian.Uint64(address[:]),
		Index:      binary.LittleEndian.Uint32(p[4+m.offsetSize:]),
	}
	data := m.heap.objects[id]
	if d.VariableString {
		s, _, _ := strings.Cut(string(data[:count]), "\x00")
		return "'" + s + "'"
	}
	items := make([]string, count)
	for i := range items {
		items[i] = m.file(d.Base, data[i*int(d.Base.Size):])
	}
	return "[" + strings.Join(items, " ") + "]"
}

// memory reads an element of the memory form; d has the byte orders of memory
// and the sizes of the file.
func memory(d *format.Datatype, p, heap []byte) string {
	inside := func(t *format.Datatype, p []byte) string { return memory(t, p, heap) }
	if d.Class != format.VariableLength {
		return parts(d, p, inMemory, inside)
	}
	data, n := heap[binary.LittleEndian.Uint64(p):], binary.LittleEndian.Uint64(p[8:])
	if d.VariableString {
		return "'" + string(data[:n]) + "'"
	}
	items := make([]string, n)
	for i := range items {
		items[i] = inside(d.Base, data[uint64(i)*inMemory(d.Base):])
	}
	return "[" + strings.Join(items, " ") + "]"
}

// inMemory is the size of an element whose slots have 16 bytes.
func inMemory(d *format.Datatype) uint64 {
	switch d.Class {
	case format.VariableLength:
		return 16
	case format.Array:
		return uint64(d.Dims[0]) * inMemory(d.Base)
	}
	size := uint64(d.Size)
	for _, m := range d.Members {
		size += inMemory(m.Type) - uint64(m.Type.Size)
	}
	return size
}

func parts(d *format.Datatype, p []byte, size func(*format.Datatype) uint64, inside func(*format.Datatype, []byte) string) string {
	var items []string
	switch d.Class {
	case format.Array:
		for i := range uint64(d.Dims[0]) {
			items = append(items, inside(d.Base, p[i*size(d.Base):]))
		}
		return "[" + strings.Join(items, " ") + "]"
	case format.Compound:
		for _, m := range d.Members {
			at := uint64(m.Offset)
			for _, o := range d.Members {
				if o.Offset < m.Offset {
					at += size(o.Type) - uint64(o.Type.Size)
				}
			}
			items = append(items, inside(m.Type, p[at:]))
		}
		return "{" + strings.Join(items, " ") + "}"
	case format.String:
		return fmt.Sprintf("%q", p[:d.Size])
	}
	number := slices.Clone(p[:d.Size])
	if d.Order == format.BigEndian {
		slices.Reverse(number)
	}
	return fmt.Sprint(binary.LittleEndian.Uint64(append(number, make([]byte, 8)...)))
}
