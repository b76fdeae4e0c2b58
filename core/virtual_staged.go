package core

import (
	"context"
	"encoding/binary"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/sel"
)

// Elements whose conversion has a second step (see reader) are read source by
// source into memory of their own, and taken from there to where they belong.

// staged reports whether a conversion has a second step.
func (v *virtualRead) staged(r *reader) bool { return r.program != nil || r.spread != nil }

// readStaged is read for elements with a second step.
func (v *virtualRead) readStaged(ctx context.Context, src *Dataset, r *reader, p *sel.Selection) error {
	size := r.size()
	bytes, fits := cursor.Mul(uint64(p.NumElements()), uint64(size))
	n, small := cursor.ToInt(bytes)
	if !fits || !small {
		return newError(h5err.Limit, "too many elements for this platform")
	}
	values := make([]byte, n)
	v.copyPlaces(p, func(at, place int) { copy(values[at*size:][:size], v.dst[place*size:]) })
	heap, err := src.readBy(ctx, p.Unplaced(), r, values, nil)
	if err != nil {
		return err
	}
	if r.program != nil { // else there is no heap, and others may be at it
		if err := v.heap.adopt(r.memory, values, heap); err != nil {
			return err
		}
	}
	v.copyPlaces(p, func(at, place int) { copy(v.dst[place*size:][:size], values[at*size:]) })
	if v.opt.Done != nil {
		v.opt.Done.Add(p.NumElements())
	}
	return nil
}

// copyPlaces calls each with the number of every element of a selection and its
// place in the destination.
func (v *virtualRead) copyPlaces(p *sel.Selection, each func(at, place int)) {
	at := 0
	p.Places(func(out int64) {
		each(at, int(out))
		at++
	})
}

// fillStaged is fill for elements with a second step. All places share the
// variable-length data of one fill value.
func (v *virtualRead) fillStaged(ctx context.Context, s *sel.Selection) error {
	size := v.r.size()
	raw := v.d.info.Fill.Value
	if len(raw) != int(v.d.info.Type.Size) {
		raw = make([]byte, v.d.info.Type.Size)
	}
	value := make([]byte, size)
	var err error
	first := true
	v.copyPlaces(s, func(_, place int) {
		to := v.dst[place*size:][:size]
		switch {
		case err != nil:
		case v.r.program == nil:
			_, err = v.r.convert(ctx, v.d.file, to, raw, 1, 0) // leaves what is no part of the file's
		case first || v.r.program.Partial():
			copy(value, to)
			err = v.heap.fill(ctx, v.r, v.d.file, value, raw)
			first = false
			copy(to, value)
		default:
			copy(to, value)
		}
	})
	return err
}

// sharedHeap gathers the variable-length data of many sources.
type sharedHeap struct {
	bytes []byte
	limit int64
}

// fill makes one fill value.
func (h *sharedHeap) fill(ctx context.Context, r *reader, f *File, value, raw []byte) error {
	heap, err := r.convert(ctx, f, value, raw, 1, h.limit)
	if err != nil {
		return err
	}
	return h.adopt(r.memory, value, heap)
}

// adopt appends a heap and makes the slots of values point there.
func (h *sharedHeap) adopt(memory *format.Datatype, values, heap []byte) error {
	if int64(len(h.bytes))+int64(len(heap)) > h.limit {
		return newError(h5err.Limit, "more than %d bytes of variable-length data", h.limit)
	}
	m := slotMover{heap: heap, by: uint64(len(h.bytes)), moved: map[movedData]bool{}}
	m.elements(memory, values, len(values)/int(memory.Size))
	h.bytes = append(h.bytes, heap...)
	return nil
}

// slotMover adds to the offsets of all slots, those within the heap too.
type slotMover struct {
	heap  []byte
	by    uint64
	moved map[movedData]bool // in the heap: values may share data
}

type movedData struct {
	base *format.Datatype
	at   uint64
}

func (m *slotMover) elements(d *format.Datatype, p []byte, n int) {
	if !d.HasVariableLength() {
		return
	}
	for i := range n {
		m.element(d, p[i*int(d.Size):][:d.Size])
	}
}

func (m *slotMover) element(d *format.Datatype, p []byte) {
	switch d.Class {
	case format.Compound:
		for i := range d.Members {
			t := d.Members[i].Type
			m.elements(t, p[d.Members[i].Offset:], 1)
		}
	case format.Array:
		m.elements(d.Base, p, int(d.Size/d.Base.Size))
	case format.VariableLength:
		m.slot(d, p)
	}
}

func (m *slotMover) slot(d *format.Datatype, p []byte) {
	at, n := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
	if at == NullOffset {
		return
	}
	binary.LittleEndian.PutUint64(p, at+m.by)
	if d.VariableString || n == 0 || !d.Base.HasVariableLength() {
		return
	}
	if key := (movedData{d.Base, at}); !m.moved[key] {
		m.moved[key] = true
		m.elements(d.Base, m.heap[at:], int(n))
	}
}
