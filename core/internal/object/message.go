package object

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// message returns the first message of a type in h, its body where it really
// lies, or nil if there is none. Callers decode it at once: called directly, the
// decoders of format need no allocated cursor, which counts in listings.
func (f *File) message(ctx context.Context, h *Header, t format.MessageType) (*format.Message, error) {
	m := h.find(t)
	if m == nil {
		return nil, nil
	}
	return f.body(ctx, m)
}

// required is message for one without which h is corrupt.
func (f *File) required(ctx context.Context, h *Header, t format.MessageType) (*format.Message, error) {
	m, err := f.message(ctx, h, t)
	if m == nil && err == nil {
		err = h5err.At(h5err.Corrupt, headerKind, f.Offset(h.Addr), fmt.Sprintf("a %s without a %s", h.Kind(), t))
	}
	return m, err
}

// body returns m with its own body if it is shared, else m itself.
func (f *File) body(ctx context.Context, m *format.Message) (*format.Message, error) {
	if !m.Shared() {
		return m, nil
	}
	r, err := f.resolve(ctx, m)
	if err != nil {
		return nil, err
	}
	return &r.Message, nil
}

// resolved is a message whose body is the message itself.
type resolved struct {
	format.Message
	header uint64 // object header where it lies, if it is shared from there
}

// nowhere is the offset of bytes that do not lie in the file as they are. It
// stays negative whatever is added, and errors leave out negative offsets.
const nowhere = -1 << 62

// resolve finds the body of a shared message (spec IV.A.2, Shared Message).
func (f *File) resolve(ctx context.Context, m *format.Message) (resolved, error) {
	r := resolved{Message: *m, header: format.Undefined}
	// A message that is shared from another header lies there, or may at most
	// be in the heap from there.
	for range 2 {
		if !r.Shared() {
			return r, nil
		}
		s, err := format.DecodeShared(r.Cursor(), f.Sizes())
		if err != nil {
			return r, err
		}
		if s.InHeap {
			return r, f.fromHeap(ctx, &r.Message, s.HeapID[:])
		}
		h, err := f.Header(ctx, s.Addr)
		if err != nil {
			return r, err
		}
		there := h.find(m.Type)
		if there == nil {
			return r, h5err.At(h5err.Corrupt, headerKind, f.Offset(s.Addr),
				fmt.Sprintf("another object shares a %s with it, there is none", m.Type))
		}
		r = resolved{Message: *there, header: s.Addr}
	}
	if !r.Shared() {
		return r, nil
	}
	return r, h5err.At(h5err.Corrupt, m.Type.String(), m.Offset, "it is shared from one object to the next without end")
}

// fromHeap reads the body of m from the heap of shared messages of its type.
func (f *File) fromHeap(ctx context.Context, m *format.Message, id []byte) error {
	t := m.Type
	if t == format.MsgFillValueOld {
		t = format.MsgFillValue
	}
	for i := range f.shared {
		if f.shared[i].MessageTypes&(1<<t) == 0 {
			continue
		}
		heap, err := f.FractalHeap(ctx, f.shared[i].Heap)
		if err != nil {
			return err
		}
		m.Flags &^= format.FlagShared
		m.Body, m.Offset, err = heap.Object(ctx, id)
		if m.Offset < 0 {
			m.Offset = nowhere
		}
		return err
	}
	return h5err.At(h5err.Corrupt, m.Type.String(), m.Offset, "it is shared, but the file has no heap of such messages")
}

// datatype decodes a datatype message. Equal ones are the same Datatype.
func (f *File) datatype(ctx context.Context, m *format.Message) (*format.Datatype, error) {
	r := resolved{Message: *m, header: format.Undefined}
	if m.Shared() {
		var err error
		if r, err = f.resolve(ctx, m); err != nil {
			return nil, err
		}
	}
	if d := f.types.get(r.Body); d != nil && r.header == format.Undefined {
		return d, nil
	}
	d, err := format.DecodeDatatype(r.Cursor(), f.Sizes())
	if err != nil {
		return nil, err
	}
	if d.Committed = r.header; r.header == format.Undefined {
		f.types.put(r.Body, d)
	}
	return d, nil
}
