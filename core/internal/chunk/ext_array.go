package chunk

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage"
)

// extArray is an extensible array of chunks (spec VII.D). The dimension that is
// unlimited counts as the first one in the numbering.
type extArray struct {
	f    *meta.File
	addr uint64
	h    format.ExtArrayHeader
}

const (
	extArrayKind      = "extensible array header"
	extArrayIndexKind = "extensible array index block"
	extArraySuperKind = "extensible array super block"
	extArrayBlockKind = "extensible array data block"
)

func newExtArray(d dataset) (Index, error) {
	unlimited := -1
	for i, n := range d.grid.counts {
		switch {
		case n != endless:
		case unlimited >= 0:
			return nil, corrupt("an extensible array with more than one unlimited dimension")
		default:
			unlimited = i
		}
	}
	if unlimited < 0 {
		return nil, corrupt("an extensible array without an unlimited dimension")
	}
	n, err := d.grid.number(unlimited)
	if err != nil {
		return nil, err
	}
	if n.down[0] == 0 { // a dimension that can never have an element
		return empty{}, nil
	}
	x := &array{dataset: d, numbering: n}
	x.open = func(ctx context.Context) (elements, error) {
		a, ok := meta.Peek[*extArray](d.f, d.addr, extArrayKind)
		if !ok {
			var err error
			if a, err = loadExtArray(ctx, d.f, d.addr); err != nil {
				return nil, err
			}
		}
		if a.h.Filtered != d.filtered {
			return nil, h5err.At(h5err.Corrupt, extArrayKind, d.f.Offset(d.addr), fmt.Sprintf(
				"elements filtered: %t, chunks filtered: %t", a.h.Filtered, d.filtered))
		}
		return a, nil
	}
	return x, nil
}

func loadExtArray(ctx context.Context, f *meta.File, addr uint64) (*extArray, error) {
	return meta.Cached(ctx, f, addr, extArrayKind,
		func(*extArray) int64 { return 128 },
		func(ctx context.Context) (*extArray, error) {
			c, err := f.Cursor(ctx, addr, format.ExtArrayHeaderSize(f.Sizes()), extArrayKind)
			if err != nil {
				return nil, err
			}
			h, err := format.DecodeExtArrayHeader(c, f.Sizes())
			return &extArray{f, addr, h}, err
		})
}

func (a *extArray) end() uint64 {
	if a.h.IndexBlock == format.Undefined {
		return 0
	}
	return a.h.MaxIndexSet
}

func (a *extArray) index(ctx context.Context) (*format.ExtArrayIndexBlock, error) {
	if b, ok := meta.Peek[*format.ExtArrayIndexBlock](a.f, a.h.IndexBlock, extArrayIndexKind); ok {
		return b, nil
	}
	return meta.Cached(ctx, a.f, a.h.IndexBlock, extArrayIndexKind,
		func(b *format.ExtArrayIndexBlock) int64 {
			return b.Elements.Bytes() + int64(8*len(b.DataBlocks)+8*len(b.SuperBlocks))
		},
		func(ctx context.Context) (*format.ExtArrayIndexBlock, error) {
			c, err := a.f.Cursor(ctx, a.h.IndexBlock, a.h.IndexBlockSize(a.f.Sizes()), extArrayIndexKind)
			if err != nil {
				return nil, err
			}
			b, err := a.h.DecodeIndexBlock(c, a.f.Sizes(), a.addr)
			return &b, err
		})
}

func (a *extArray) super(ctx context.Context, addr uint64, super int) (*format.ExtArraySuperBlock, error) {
	if b, ok := meta.Peek[*format.ExtArraySuperBlock](a.f, addr, extArraySuperKind); ok {
		return b, nil
	}
	return meta.Cached(ctx, a.f, addr, extArraySuperKind, (*format.ExtArraySuperBlock).Bytes,
		func(ctx context.Context) (*format.ExtArraySuperBlock, error) {
			c, err := a.f.Cursor64(ctx, addr, a.h.SuperBlockSize(a.f.Sizes(), super), extArraySuperKind)
			if err != nil {
				return nil, err
			}
			b, err := a.h.DecodeSuperBlock(c, a.f.Sizes(), a.addr, super)
			return &b, err
		})
}

// prepare fetches the index block, then all super blocks of interest at once.
func (a *extArray) prepare(ctx context.Context, numbers func(uint64) (uint64, bool)) error {
	b, err := a.index(ctx)
	if err != nil {
		return err
	}
	var ranges []storage.Range
	for i, ok := numbers(0); ok; {
		p, fits := a.h.Locate(i)
		if !fits {
			break // piece tells what is wrong
		}
		next := p.SuperFirst + p.SuperCount
		if p.InIndex {
			next = p.First + p.Count
		} else if p.Super >= 0 && p.Super < len(b.SuperBlocks) {
			if addr := b.SuperBlocks[p.Super]; addr < a.f.End() {
				size := min(a.h.SuperBlockSize(a.f.Sizes(), p.Super), a.f.End())
				ranges = append(ranges, storage.Range{Off: int64(addr), Len: int64(size)})
			}
		}
		i, ok = numbers(next)
	}
	return a.f.Prefetch(ctx, ranges)
}

func (a *extArray) piece(ctx context.Context, i uint64) (piece, error) {
	at, ok := a.h.Locate(i)
	if !ok {
		return piece{}, corrupt("chunk %d in an array of 2^%d", i, a.h.MaxBits)
	}
	b, err := a.index(ctx)
	if err != nil {
		return piece{}, err
	}
	p := piece{first: at.First, count: at.Count, addr: format.Undefined, place: at}
	if at.InIndex {
		p.addr, p.size = a.h.IndexBlock, uint64(a.h.IndexBlockSize(a.f.Sizes()))
		return p, nil
	}
	blocks := b.DataBlocks
	var s *format.ExtArraySuperBlock
	if at.Super >= 0 {
		addr := b.SuperBlocks[at.Super]
		if addr == format.Undefined {
			p.first, p.count = at.SuperFirst, at.SuperCount
			return p, nil
		}
		if s, err = a.super(ctx, addr, at.Super); err != nil {
			return p, err
		}
		blocks = s.DataBlocks
	}
	if at.Block >= uint64(len(blocks)) {
		return p, corrupt("data block %d of %d", at.Block, len(blocks))
	}
	switch block := blocks[at.Block]; {
	case block == format.Undefined:
		p.first, p.count = at.BlockFirst, at.BlockCount
	case at.Paged && !s.HasPage(at.Block, at.Page):
	default:
		var off uint64
		off, p.size = a.h.DataBlockRange(a.f.Sizes(), at)
		if p.addr, ok = cursor.Add(block, off); !ok {
			return p, corrupt("a page at %d after address %d", off, block)
		}
	}
	return p, nil
}

func (a *extArray) load(ctx context.Context, p piece) (*format.ChunkElements, error) {
	if p.place.InIndex {
		b, err := a.index(ctx)
		if err != nil {
			return nil, err
		}
		return p.check(&b.Elements, a.h.Filtered)
	}
	return loadElements(ctx, a.f, p, a.h.Filtered, func(ctx context.Context) (format.ChunkElements, error) {
		c, err := a.f.Cursor64(ctx, p.addr, p.size, extArrayBlockKind)
		if err != nil {
			return format.ChunkElements{}, err
		}
		return a.h.DecodeElements(c, a.f.Sizes(), a.addr, p.place)
	})
}
