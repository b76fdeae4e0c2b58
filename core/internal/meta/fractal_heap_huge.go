package meta

import (
	"context"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// hugeRecord returns where a huge object lies.
func (h *FractalHeap) hugeRecord(ctx context.Context, id format.HeapID) (format.HugeRecord, error) {
	if id.Direct {
		return id.Huge, nil
	}
	t, err := h.f.BTreeV2(ctx, h.h.HugeBTree)
	if err != nil {
		return id.Huge, err
	}
	want := format.HugeIndirectRecords
	if h.h.Filtered() {
		want = format.HugeIndirectFilteredRecords
	}
	if t.h.Type != want {
		return id.Huge, h.corrupt(fractalHeapKind, "a B-tree of type %d for huge objects, expected %d", t.h.Type, want)
	}
	var failed error
	record := func(rec []byte) format.HugeRecord {
		r, err := format.DecodeHugeRecord(cursor.New(rec, h.f.Offset(t.addr)), h.f.sb.Sizes, want)
		if err != nil && failed == nil {
			failed = err
		}
		return r
	}
	rec, ok, err := t.Lookup(ctx, func(rec []byte) int {
		switch key := record(rec).Key; {
		case key < id.Huge.Key:
			return -1
		case key > id.Huge.Key:
			return 1
		}
		return 0
	})
	switch {
	case err != nil:
		return id.Huge, err
	case failed != nil:
		return id.Huge, failed
	case !ok:
		return id.Huge, h.corrupt(heapIDKind, "no huge object %d in the heap", id.Huge.Key)
	}
	return record(rec), failed
}

func (h *FractalHeap) huge(ctx context.Context, id format.HeapID) ([]byte, int64, error) {
	r, err := h.hugeRecord(ctx, id)
	if err != nil {
		return nil, -1, err
	}
	c, err := h.f.Cursor64(ctx, r.Addr, r.Size, hugeObjectKind)
	if err != nil {
		return nil, -1, err
	}
	off := c.Offset()
	if !h.h.Filtered() {
		return c.Rest(), off, nil
	}
	data, err := h.unfilter(c.Rest(), r.Mask, r.Full, hugeObjectKind, off)
	return data, -1, err
}
