package chunk

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
)

// fixedArray is a fixed array of chunks (spec VII.C).
type fixedArray struct {
	f    *meta.File
	addr uint64
	h    format.FixedArrayHeader
}

const (
	fixedArrayKind      = "fixed array header"
	fixedArrayBlockKind = "fixed array data block"
	fixedArrayPageKind  = "fixed array data block page"
)

func newFixedArray(d dataset) (Index, error) {
	n, err := d.grid.number(0)
	if err != nil {
		return nil, err
	}
	if n.total == 0 {
		return empty{}, nil
	}
	x := &array{dataset: d, numbering: n}
	x.open = func(ctx context.Context) (elements, error) {
		a, ok := meta.Peek[*fixedArray](d.f, d.addr, fixedArrayKind)
		if !ok {
			var err error
			if a, err = loadFixedArray(ctx, d.f, d.addr); err != nil {
				return nil, err
			}
		}
		if a.h.Filtered != d.filtered || a.h.Entries < n.total {
			return nil, h5err.At(h5err.Corrupt, fixedArrayKind, d.f.Offset(d.addr), fmt.Sprintf(
				"%d elements, filtered: %t, for %d chunks, filtered: %t", a.h.Entries, a.h.Filtered, n.total, d.filtered))
		}
		return a, nil
	}
	return x, nil
}

func loadFixedArray(ctx context.Context, f *meta.File, addr uint64) (*fixedArray, error) {
	return meta.Cached(ctx, f, addr, fixedArrayKind,
		func(*fixedArray) int64 { return 128 },
		func(ctx context.Context) (*fixedArray, error) {
			c, err := f.Cursor(ctx, addr, format.FixedArrayHeaderSize(f.Sizes()), fixedArrayKind)
			if err != nil {
				return nil, err
			}
			h, err := format.DecodeFixedArrayHeader(c, f.Sizes())
			return &fixedArray{f, addr, h}, err
		})
}

func (a *fixedArray) end() uint64 {
	if a.h.DataBlock == format.Undefined {
		return 0
	}
	return a.h.Entries
}

func (a *fixedArray) prepare(ctx context.Context, _ func(uint64) (uint64, bool)) error {
	_, err := a.block(ctx)
	return err
}

func (a *fixedArray) block(ctx context.Context) (*format.FixedArrayBlock, error) {
	if b, ok := meta.Peek[*format.FixedArrayBlock](a.f, a.h.DataBlock, fixedArrayBlockKind); ok {
		return b, nil
	}
	return meta.Cached(ctx, a.f, a.h.DataBlock, fixedArrayBlockKind, (*format.FixedArrayBlock).Bytes,
		func(ctx context.Context) (*format.FixedArrayBlock, error) {
			c, err := a.f.Cursor64(ctx, a.h.DataBlock, a.h.DataBlockSize(a.f.Sizes()), fixedArrayBlockKind)
			if err != nil {
				return nil, err
			}
			b, err := a.h.DecodeDataBlock(c, a.f.Sizes(), a.addr)
			return &b, err
		})
}

func (a *fixedArray) piece(ctx context.Context, i uint64) (piece, error) {
	if !a.h.Paged() {
		return piece{count: a.h.Entries, addr: a.h.DataBlock, size: a.h.DataBlockSize(a.f.Sizes())}, nil
	}
	b, err := a.block(ctx)
	if err != nil {
		return piece{}, err
	}
	page := i >> a.h.PageBits
	off, size, count := a.h.Page(a.f.Sizes(), page)
	p := piece{first: page << a.h.PageBits, count: count, addr: format.Undefined, size: size}
	if b.HasPage(page) {
		var ok bool
		if p.addr, ok = cursor.Add(a.h.DataBlock, off); !ok {
			return p, corrupt("a page at %d after address %d", off, a.h.DataBlock)
		}
	}
	return p, nil
}

func (a *fixedArray) load(ctx context.Context, p piece) (*format.ChunkElements, error) {
	if !a.h.Paged() {
		b, err := a.block(ctx)
		if err != nil {
			return nil, err
		}
		return p.check(&b.Elements, a.h.Filtered)
	}
	return loadElements(ctx, a.f, p, a.h.Filtered, func(ctx context.Context) (format.ChunkElements, error) {
		c, err := a.f.Cursor64(ctx, p.addr, p.size, fixedArrayPageKind)
		if err != nil {
			return format.ChunkElements{}, err
		}
		return a.h.DecodePage(c, a.f.Sizes(), p.count)
	})
}
