package meta

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// FractalHeap is a fractal heap: objects by heap ID.
type FractalHeap struct {
	f        *File
	addr     uint64
	h        format.FractalHeapHeader
	pipeline format.FilterPipeline
}

const (
	fractalHeapKind   = "fractal heap header"
	directBlockKind   = "fractal heap direct block"
	indirectBlockKind = "fractal heap indirect block"
	hugeObjectKind    = "fractal heap huge object"
	heapIDKind        = "fractal heap ID"
)

// FractalHeap returns the fractal heap whose header is at addr.
func (f *File) FractalHeap(ctx context.Context, addr uint64) (*FractalHeap, error) {
	return Cached(ctx, f, addr, fractalHeapKind,
		func(h *FractalHeap) int64 { return 256 + int64(len(h.h.Pipeline)) },
		func(ctx context.Context) (*FractalHeap, error) { return f.loadFractalHeap(ctx, addr) })
}

func (f *File) loadFractalHeap(ctx context.Context, addr uint64) (*FractalHeap, error) {
	z := f.sb.Sizes
	c, err := f.Cursor(ctx, addr, format.FractalHeapHeaderSize(z, 0), fractalHeapKind)
	if err != nil {
		return nil, err
	}
	filters, err := format.FractalHeapFilterLength(c)
	if err != nil {
		return nil, err
	}
	buf, err := f.owned(ctx, addr, uint64(format.FractalHeapHeaderSize(z, filters)), fractalHeapKind)
	if err != nil {
		return nil, err
	}
	h := &FractalHeap{f: f, addr: addr}
	if h.h, err = format.DecodeFractalHeapHeader(cursor.New(buf, f.Offset(addr)), z); err != nil {
		return nil, err
	}
	if h.h.Filtered() {
		h.pipeline, err = format.DecodeFilterPipeline(cursor.New(h.h.Pipeline, f.Offset(addr)), z)
	}
	return h, err
}

// Header returns the header; it must not be changed.
func (h *FractalHeap) Header() *format.FractalHeapHeader { return &h.h }

// Object returns the bytes of the object of a heap ID, which must not be
// changed, and their store offset, or -1 where they do not lie in the store as
// they are. The bytes of a tiny object are a part of the ID.
func (h *FractalHeap) Object(ctx context.Context, id []byte) (data []byte, off int64, err error) {
	d, err := h.decode(id)
	if err != nil {
		return nil, -1, err
	}
	switch d.Kind {
	case format.ManagedObject:
		return h.managed(ctx, d)
	case format.HugeObject:
		return h.huge(ctx, d)
	}
	return d.Tiny, -1, nil
}

func (h *FractalHeap) decode(id []byte) (format.HeapID, error) {
	return h.h.DecodeHeapID(cursor.New(id, h.f.Offset(h.addr)), h.f.sb.Sizes)
}

func (h *FractalHeap) corrupt(structure, detail string, args ...any) error {
	return h5err.At(h5err.Corrupt, structure, h.f.Offset(h.addr), fmt.Sprintf(detail, args...))
}

// directBlock is a direct block with its filters undone.
type directBlock struct {
	data  []byte
	base  uint64 // its offset in the heap's address space
	store int64  // its offset in the store, -1 if it was filtered
}

func (h *FractalHeap) managed(ctx context.Context, id format.HeapID) ([]byte, int64, error) {
	p := h.place(id.Offset)
	for !p.direct {
		entries, err := h.indirect(ctx, p)
		if err != nil {
			return nil, -1, err
		}
		if p, err = h.step(p, entries); err != nil {
			return nil, -1, err
		}
	}
	b, err := h.direct(ctx, p)
	if err != nil {
		return nil, -1, err
	}
	size := uint64(len(b.data))
	if p.within < uint64(h.h.DirectOverhead(h.f.sb.Sizes)) || p.within > size || id.Length > size-p.within {
		return nil, -1, h.corrupt(heapIDKind, "%d bytes at %d of a block of %d", id.Length, p.within, size)
	}
	off := b.store
	if off >= 0 {
		off += int64(p.within)
	}
	return b.data[p.within : p.within+id.Length : p.within+id.Length], off, nil
}

// heapPlace is a block on the way to a managed object.
type heapPlace struct {
	format.FractalHeapEntry
	direct bool
	rows   int    // of an indirect block
	size   uint64 // of a direct block
	base   uint64 // offset of the block in the heap's address space
	within uint64 // offset of the object in the block's part of it
}

// place returns the root block as the first place on the way to an offset.
func (h *FractalHeap) place(off uint64) heapPlace {
	return heapPlace{
		FractalHeapEntry: format.FractalHeapEntry{Addr: h.h.Root, Size: h.h.RootSize, Mask: h.h.RootMask},
		direct:           h.h.RootRows == 0,
		rows:             int(h.h.RootRows),
		size:             h.h.StartBlock,
		within:           off,
	}
}

// step returns the place that follows p, an indirect block with entries. It has
// fewer rows, so that steps end.
func (h *FractalHeap) step(p heapPlace, entries []format.FractalHeapEntry) (heapPlace, error) {
	entry, row, within := h.h.Locate(p.within)
	if row >= p.rows || entry >= len(entries) || entries[entry].Addr == format.Undefined {
		return p, h.corrupt(heapIDKind, "no block at offset %d of the heap", p.base+p.within)
	}
	next := heapPlace{
		FractalHeapEntry: entries[entry],
		direct:           h.h.IsDirect(row),
		size:             h.h.BlockSize(row),
		base:             p.base + (p.within - within),
		within:           within,
	}
	if !next.direct {
		next.rows = h.h.IndirectRows(next.size)
		if next.rows < 1 || next.rows >= p.rows {
			return p, h.corrupt(fractalHeapKind, "an indirect block of %d rows in one of %d", next.rows, p.rows)
		}
	}
	return next, nil
}

type indirectBlock struct {
	entries []format.FractalHeapEntry
	rows    int
	base    uint64
}

func (h *FractalHeap) indirect(ctx context.Context, p heapPlace) ([]format.FractalHeapEntry, error) {
	f := h.f
	b, err := Cached(ctx, f, p.Addr, indirectBlockKind,
		func(b *indirectBlock) int64 { return int64(24 * len(b.entries)) },
		func(ctx context.Context) (*indirectBlock, error) {
			c, err := f.Cursor(ctx, p.Addr, h.h.IndirectBlockSize(f.sb.Sizes, p.rows), indirectBlockKind)
			if err != nil {
				return nil, err
			}
			entries, err := h.h.DecodeIndirectBlock(c, f.sb.Sizes, h.addr, p.base, p.rows)
			return &indirectBlock{entries, p.rows, p.base}, err
		})
	if err == nil && (b.rows != p.rows || b.base != p.base) {
		return nil, h.corrupt(indirectBlockKind, "two places of the heap share the block at %d", p.Addr)
	}
	if err != nil {
		return nil, err
	}
	return b.entries, nil
}

func (h *FractalHeap) direct(ctx context.Context, p heapPlace) (*directBlock, error) {
	b, err := Cached(ctx, h.f, p.Addr, directBlockKind,
		func(b *directBlock) int64 { return int64(len(b.data)) },
		func(ctx context.Context) (*directBlock, error) { return h.loadDirect(ctx, p) })
	if err == nil && (b.base != p.base || uint64(len(b.data)) != p.size) {
		return nil, h.corrupt(directBlockKind, "two places of the heap share the block at %d", p.Addr)
	}
	return b, err
}

func (h *FractalHeap) loadDirect(ctx context.Context, p heapPlace) (*directBlock, error) {
	f, stored := h.f, p.size
	if h.h.Filtered() {
		stored = p.FractalHeapEntry.Size
	}
	buf, err := f.owned(ctx, p.Addr, stored, directBlockKind)
	if err != nil {
		return nil, err
	}
	b := &directBlock{data: buf, base: p.base, store: f.Offset(p.Addr)}
	if h.h.Filtered() {
		if b.data, err = h.unfilter(buf, p.Mask, p.size, directBlockKind, b.store); err != nil {
			return nil, err
		}
	}
	err = h.h.DecodeDirectBlock(b.data, b.store, f.sb.Sizes, h.addr, p.base)
	if h.h.Filtered() {
		b.store = -1
	}
	return b, err
}

// unfilter returns the size bytes whose filtered form is stored.
func (h *FractalHeap) unfilter(stored []byte, mask uint32, size uint64, structure string, off int64) ([]byte, error) {
	n, ok := cursor.ToInt(size)
	switch {
	case h.f.unfilter == nil:
		return nil, h5err.At(h5err.Unsupported, structure, off, "a fractal heap with filters")
	case !ok || int64(n) > h.f.lim.MaxBlock:
		return nil, h5err.At(h5err.Limit, structure, off,
			fmt.Sprintf("%d bytes, the limit for one structure is %d", size, h.f.lim.MaxBlock))
	}
	data, err := h.f.unfilter(h.pipeline, mask, stored, n)
	if err != nil {
		return nil, err
	}
	if len(data) != n {
		return nil, h5err.At(h5err.Corrupt, structure, off,
			fmt.Sprintf("filters give %d bytes where %d were expected", len(data), n))
	}
	return data, nil
}
