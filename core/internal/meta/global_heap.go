package meta

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/storage"
)

const globalHeapKind = "global heap collection"

// GlobalHeapObject returns the bytes of an object, which must not be changed.
func (f *File) GlobalHeapObject(ctx context.Context, id format.GlobalHeapID) ([]byte, error) {
	h, ok := Peek[*format.GlobalHeap](f, id.Collection, globalHeapKind)
	if !ok {
		var err error
		if h, err = f.globalHeap(ctx, id.Collection); err != nil {
			return nil, err
		}
	}
	o, ok := h.Object(id.Index)
	if !ok {
		return nil, h5err.At(h5err.Corrupt, globalHeapKind, f.Offset(id.Collection),
			fmt.Sprintf("no object %d", id.Index))
	}
	return o.Data, nil
}

func (f *File) globalHeap(ctx context.Context, addr uint64) (*format.GlobalHeap, error) {
	return Cached(ctx, f, addr, globalHeapKind,
		func(h *format.GlobalHeap) int64 { return int64(h.Size) + 48*int64(len(h.Objects)) },
		func(ctx context.Context) (*format.GlobalHeap, error) {
			size, err := f.globalHeapSize(ctx, addr)
			if err != nil {
				return nil, err
			}
			buf, err := f.owned(ctx, addr, size, globalHeapKind)
			if err != nil {
				return nil, err
			}
			return format.DecodeGlobalHeap(cursor.New(buf, f.Offset(addr)), f.sb.Sizes)
		})
}

func (f *File) globalHeapSize(ctx context.Context, addr uint64) (uint64, error) {
	c, err := f.Cursor(ctx, addr, format.GlobalHeapHeaderSize(f.sb.Sizes), globalHeapKind)
	if err != nil {
		return 0, err
	}
	return format.DecodeGlobalHeapSize(c, f.sb.Sizes)
}

// GlobalHeapPrefetch fetches many collections: the first part of all in one
// batch, then what is longer in a second one. What is wrong with a collection is
// left for GlobalHeapObject to find.
func (f *File) GlobalHeapPrefetch(ctx context.Context, collections []uint64) error {
	if f.pre == nil {
		return nil
	}
	var first, rest []storage.Range
	seen := make(map[uint64]bool, len(collections))
	for _, addr := range collections {
		if _, ok := Peek[*format.GlobalHeap](f, addr, globalHeapKind); ok || seen[addr] || addr >= f.end {
			continue
		}
		seen[addr] = true
		first = append(first, storage.Range{Off: int64(addr), Len: format.GlobalHeapMinimum})
	}
	if err := f.Prefetch(ctx, first); err != nil {
		return err
	}
	for _, r := range first {
		size, err := f.globalHeapSize(ctx, uint64(r.Off))
		if err != nil || size <= format.GlobalHeapMinimum || size > f.end {
			continue
		}
		rest = append(rest, storage.Range{
			Off: r.Off + format.GlobalHeapMinimum,
			Len: int64(size) - format.GlobalHeapMinimum,
		})
	}
	return f.Prefetch(ctx, rest)
}
