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
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// NullOffset is the offset of an element that was never written, which libhdf5
// reads as a NULL pointer, where the heap is MarkingNull. Elsewhere such an
// element is empty like others.
const NullOffset = 1<<64 - 1

// MarkingNull is a heap whose null elements are told from empty ones.
type MarkingNull struct{ Heap }

// Heap gives the objects of global heaps.
type Heap interface {
	GlobalHeapObject(ctx context.Context, id format.GlobalHeapID) ([]byte, error)
	GlobalHeapPrefetch(ctx context.Context, collections []uint64) error
}

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
// may be the same memory if the program is InPlace. A heap of more than limit
// bytes is refused.
func (p *Program) Run(ctx context.Context, h Heap, dst, src []byte, n int, limit int64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	r := runner{ctx: ctx, heap: h, limit: limit}
	_, r.marksNull = h.(MarkingNull)
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

	marksNull bool

	scratch []byte // see run
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
			r.run(s, g.target(r.out)[at:at+s.conv.DstSize], src[s.src:s.src+s.conv.SrcSize])
		}
	}
	return nil
}

// run converts one part without slots. dst may be src.
func (r *runner) run(s *step, dst, src []byte) {
	if !s.conv.InPlace {
		r.scratch = append(r.scratch[:0], src...)
		src = r.scratch
	}
	s.conv.Run(dst, src, 1)
}

// fill fetches the data of one slot into the heap and writes the slot.
func (r *runner) fill(g *region, e int, s *step, src []byte) error {
	count, id := g.p.id(src)
	offset := uint64(len(r.out))
	n := uint64(0)
	if r.marksNull && isNull(id) {
		offset = NullOffset
	}
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
