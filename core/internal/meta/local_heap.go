package meta

import (
	"bytes"
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/storage"
)

// LocalHeap is a local heap with its data segment.
type LocalHeap struct {
	segment []byte
	offset  int64 // of the segment in the store
}

const localHeapKind = "local heap"

// LocalHeap returns the local heap at addr.
func (f *File) LocalHeap(ctx context.Context, addr uint64) (*LocalHeap, error) {
	return Cached(ctx, f, addr, localHeapKind,
		func(h *LocalHeap) int64 { return int64(len(h.segment)) },
		func(ctx context.Context) (*LocalHeap, error) { return f.loadLocalHeap(ctx, addr) })
}

func (f *File) loadLocalHeap(ctx context.Context, addr uint64) (*LocalHeap, error) {
	c, err := f.Cursor(ctx, addr, format.LocalHeapSize(f.sb.Sizes), localHeapKind)
	if err != nil {
		return nil, err
	}
	header, err := format.DecodeLocalHeap(c, f.sb.Sizes)
	if err != nil || header.SegmentSize == 0 {
		return &LocalHeap{}, err
	}
	segment, err := f.owned(ctx, header.Segment, header.SegmentSize, "local heap data segment")
	if err != nil {
		return nil, err
	}
	return &LocalHeap{segment: segment, offset: f.Offset(header.Segment)}, nil
}

// String returns the string at an offset in the heap, which ends with a NUL.
func (h *LocalHeap) String(off uint64) (string, error) {
	s, err := h.bytes(off)
	return string(s), err
}

func (h *LocalHeap) bytes(off uint64) ([]byte, error) {
	if off >= uint64(len(h.segment)) {
		return nil, h5err.At(h5err.Corrupt, localHeapKind, h.offset,
			fmt.Sprintf("a string at %d in a heap of %d bytes", off, len(h.segment)))
	}
	s := h.segment[off:]
	n := bytes.IndexByte(s, 0)
	if n < 0 {
		return nil, h5err.At(h5err.Corrupt, localHeapKind, h.offset+int64(off), "a string without its terminating NUL")
	}
	return s[:n], nil
}

// prefetchSegment returns the range of a heap's data segment, to be fetched with
// other things; none if the heap is loaded already, or not to be decoded.
func (f *File) prefetchSegment(ctx context.Context, addr uint64) []storage.Range {
	if _, ok := Peek[*LocalHeap](f, addr, localHeapKind); ok || f.pre == nil {
		return nil
	}
	c, err := f.Cursor(ctx, addr, format.LocalHeapSize(f.sb.Sizes), localHeapKind)
	if err != nil {
		return nil
	}
	h, err := format.DecodeLocalHeap(c, f.sb.Sizes)
	if err != nil || h.Segment >= f.end || h.SegmentSize > f.end-h.Segment {
		return nil
	}
	return []storage.Range{{Off: int64(h.Segment), Len: int64(h.SegmentSize)}}
}

// prefetchGroup fetches the heap's header and the B-tree's root in one batch.
func (f *File) prefetchGroup(ctx context.Context, btree, heap uint64) error {
	if f.pre == nil || btree >= f.end || heap >= f.end {
		return nil
	}
	if _, ok := Peek[*LocalHeap](f, heap, localHeapKind); ok {
		return nil
	}
	return f.Prefetch(ctx, []storage.Range{
		{Off: int64(heap), Len: int64(format.LocalHeapSize(f.sb.Sizes))},
		{Off: int64(btree), Len: int64(f.groupNodeSize())},
	})
}
