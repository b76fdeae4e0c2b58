// Package variable turns elements that hold global heap IDs into elements that a
// caller can use: each variable-length element becomes a slot, and the data of
// all of them lies in one heap.
//
//	file element (spec VIII, "variable-length")   memory element (16 bytes)
//	length u32 | collection address | index u32   heap offset u64 | count u64
//
// The heap holds the data of the outermost slots one behind the other in the
// order of the elements; the data of nested slots follows, level by level. That
// order makes one batch of heap fetches a level enough.
package variable

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/convert"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// SlotSize is the size of a variable-length element in memory.
const SlotSize = 16

// Heap gives the objects of global heaps.
type Heap interface {
	GlobalHeapObject(ctx context.Context, id format.GlobalHeapID) ([]byte, error)
	GlobalHeapPrefetch(ctx context.Context, collections []uint64) error
}

// MemoryType chooses the datatype that fixed-size parts have in memory.
type MemoryType func(*format.Datatype) *format.Datatype

// Program converts elements of one datatype. It is immutable.
type Program struct {
	srcSize, dstSize int
	offsetSize       int
	steps            []step
}

// step converts one part of an element: a slot, or count fixed-size elements.
type step struct {
	src, dst int
	count    int
	conv     convert.Conversion
	slot     *slot
}

type slot struct {
	text bool
	base *Program
}

// Compile prepares the conversion of elements of d in a file with addresses of
// offsetSize bytes.
func Compile(d *format.Datatype, memory MemoryType, offsetSize int) (*Program, error) {
	p := &Program{srcSize: int(d.Size), offsetSize: offsetSize}
	size, err := p.add(d, memory, 0, 0)
	p.dstSize = size
	return p, err
}

// add appends the steps for d at the given places and returns its memory size.
func (p *Program) add(d *format.Datatype, memory MemoryType, src, dst int) (int, error) {
	switch {
	case !d.HasVariableLength():
		conv, err := convert.Compile(d, memory(d))
		p.steps = append(p.steps, step{src: src, dst: dst, count: 1, conv: conv})
		return conv.DstSize, err
	case d.Class == format.VariableLength:
		return SlotSize, p.addSlot(d, memory, src, dst)
	case d.Class == format.Array:
		return p.addArray(d, memory, src, dst)
	}
	return p.addCompound(d, memory, src, dst)
}

func (p *Program) addSlot(d *format.Datatype, memory MemoryType, src, dst int) error {
	if want := 4 + p.offsetSize + 4; int(d.Size) != want {
		return h5err.New(h5err.Corrupt, fmt.Sprintf("a variable-length datatype of %d bytes, %d are needed", d.Size, want))
	}
	s := &slot{text: d.VariableString}
	if !s.text {
		base, err := Compile(d.Base, memory, p.offsetSize)
		if err != nil {
			return err
		}
		s.base = base
	}
	p.steps = append(p.steps, step{src: src, dst: dst, slot: s})
	return nil
}

// maxSteps bounds the program of an array of slots: such arrays are unrolled.
const maxSteps = 1 << 16

func (p *Program) addArray(d *format.Datatype, memory MemoryType, src, dst int) (int, error) {
	n := int(d.Size / max(d.Base.Size, 1))
	size := 0
	for i := range n {
		if len(p.steps) > maxSteps {
			return 0, h5err.New(h5err.Limit, fmt.Sprintf("an array of more than %d variable-length elements in one element", maxSteps))
		}
		s, err := p.add(d.Base, memory, src+i*int(d.Base.Size), dst+size)
		if err != nil {
			return 0, err
		}
		size += s
	}
	return size, nil
}

// addCompound keeps the order of members and the gaps between them; what slots
// grow shifts the members behind them.
func (p *Program) addCompound(d *format.Datatype, memory MemoryType, src, dst int) (int, error) {
	size := int(d.Size)
	shift := make([]int, len(d.Members))
	for i := range d.Members {
		m := &d.Members[i]
		sub := &Program{offsetSize: p.offsetSize}
		got, err := sub.add(m.Type, memory, 0, 0)
		if err != nil {
			return 0, err
		}
		grown := got - int(m.Type.Size)
		size += grown
		for j := range d.Members {
			if d.Members[j].Offset > m.Offset {
				shift[j] += grown
			}
		}
	}
	for i := range d.Members {
		m := &d.Members[i]
		if _, err := p.add(m.Type, memory, src+int(m.Offset), dst+int(m.Offset)+shift[i]); err != nil {
			return 0, err
		}
	}
	return size, nil
}

// Sizes returns the bytes of one element in the file and in memory.
func (p *Program) Sizes() (file, memory int) { return p.srcSize, p.dstSize }

// region is a run of elements to convert: from src into the destination of the
// read, or into the heap at an offset (the heap moves as it grows).
type region struct {
	p      *Program
	src    []byte
	n      int
	dst    []byte
	heapAt int
}

func (r *region) target(heap []byte) []byte {
	if r.dst != nil {
		return r.dst
	}
	return heap[r.heapAt:]
}

// Run converts n elements from src into dst and returns the heap. src and dst
// may be the same memory if an element has the same size in both. A heap of
// more than limit bytes is refused.
func (p *Program) Run(ctx context.Context, h Heap, dst, src []byte, n int, limit int64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	r := runner{ctx: ctx, heap: h, limit: limit}
	level := []region{{p: p, src: src, n: n, dst: dst}}
	for len(level) > 0 {
		if err := r.prefetch(level); err != nil {
			return nil, err
		}
		r.next = nil
		for i := range level {
			if err := r.convert(&level[i]); err != nil {
				return nil, err
			}
		}
		level = r.next
	}
	return r.out, nil
}

type runner struct {
	ctx   context.Context
	heap  Heap
	limit int64
	out   []byte
	next  []region
}

// prefetch asks for all collections that the slots of a level point at.
func (r *runner) prefetch(level []region) error {
	seen := map[uint64]bool{}
	var collections []uint64
	for i := range level {
		g := &level[i]
		for e := range g.n {
			for k := range g.p.steps {
				s := &g.p.steps[k]
				if s.slot == nil {
					continue
				}
				count, id := g.p.id(g.src[e*g.p.srcSize+s.src:])
				if count > 0 && !isNull(id) && !seen[id.Collection] {
					seen[id.Collection] = true
					collections = append(collections, id.Collection)
				}
			}
		}
	}
	if len(collections) == 0 {
		return nil
	}
	return r.heap.GlobalHeapPrefetch(r.ctx, collections)
}

func (p *Program) id(b []byte) (count uint32, id format.GlobalHeapID) {
	c := cursor.New(b[:8+p.offsetSize], 0)
	count = c.U32()
	id.Collection = c.Addr(p.offsetSize)
	id.Index = c.U32()
	return count, id
}

// isNull reports an element that was never written: libhdf5 stores address 0.
func isNull(id format.GlobalHeapID) bool {
	return id.Collection == 0 || id.Collection == format.Undefined
}

// interruptEvery is how many elements are converted between looks at the context.
const interruptEvery = 1024

func (r *runner) convert(g *region) error {
	for e := range g.n {
		if e%interruptEvery == 0 && r.ctx.Err() != nil {
			return &h5err.Error{Kind: h5err.Cancelled, Offset: h5err.NoOffset, Err: r.ctx.Err()}
		}
		src := g.src[e*g.p.srcSize : (e+1)*g.p.srcSize]
		for k := range g.p.steps {
			s := &g.p.steps[k]
			if s.slot != nil {
				if err := r.fill(g, e, s, src[s.src:]); err != nil {
					return err
				}
				continue
			}
			at := e*g.p.dstSize + s.dst
			s.conv.Run(g.target(r.out)[at:at+s.conv.DstSize], src[s.src:s.src+s.conv.SrcSize], s.count)
		}
	}
	return nil
}

// fill fetches the data of one slot into the heap and writes the slot.
func (r *runner) fill(g *region, e int, s *step, src []byte) error {
	count, id := g.p.id(src)
	offset := uint64(len(r.out))
	n := uint64(0)
	if count > 0 && !isNull(id) {
		data, err := r.heap.GlobalHeapObject(r.ctx, id)
		if err != nil {
			return err
		}
		if n, err = r.append(s.slot, data, count, id); err != nil {
			return err
		}
	}
	slot := g.target(r.out)[e*g.p.dstSize+s.dst:]
	binary.LittleEndian.PutUint64(slot, offset)
	binary.LittleEndian.PutUint64(slot[8:], n)
	return nil
}

func (r *runner) append(s *slot, data []byte, count uint32, id format.GlobalHeapID) (uint64, error) {
	fileSize, memSize := 1, 1
	if !s.text {
		fileSize, memSize = s.base.srcSize, s.base.dstSize
	}
	if uint64(len(data)) < uint64(count)*uint64(fileSize) {
		return 0, h5err.New(h5err.Corrupt, fmt.Sprintf("object %d of the global heap collection at %d has %d bytes, a variable-length element needs %d of %d",
			id.Index, id.Collection, len(data), count, fileSize))
	}
	data = data[:int(count)*fileSize]
	if s.text {
		// A variable-length string is a C string to libhdf5: it ends at the first NUL.
		if nul := bytes.IndexByte(data, 0); nul >= 0 {
			data = data[:nul]
		}
	}
	need := int64(count) * int64(memSize)
	if int64(len(r.out))+need > r.limit {
		return 0, h5err.New(h5err.Limit, fmt.Sprintf("variable-length data of more than %d bytes", r.limit))
	}
	if s.text {
		r.out = append(r.out, data...)
		return uint64(len(data)), nil
	}
	at := len(r.out)
	r.out = append(r.out, make([]byte, need)...)
	if fixed := s.base.fixed(); fixed != nil {
		fixed.Run(r.out[at:], data, int(count))
	} else {
		r.next = append(r.next, region{p: s.base, src: data, n: int(count), heapAt: at})
	}
	return uint64(count), nil
}

// fixed returns the conversion of a program that has no slot, nil for others.
func (p *Program) fixed() *convert.Conversion {
	if len(p.steps) == 1 && p.steps[0].slot == nil {
		return &p.steps[0].conv
	}
	return nil
}
