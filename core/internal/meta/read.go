package meta

import (
	"bytes"
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/storage"
)

// Cursor returns exactly n bytes at addr. They are the store's own where it
// lends them: nobody may change them, and they stay valid.
func (f *File) Cursor(ctx context.Context, addr uint64, n int, structure string) (*cursor.Cursor, error) {
	off, room := f.place(addr)
	switch {
	case addr == format.Undefined:
		return nil, h5err.At(h5err.Corrupt, structure, off, "its address is undefined")
	case n < 0 || off == h5err.NoOffset || uint64(n) > room:
		return nil, h5err.At(h5err.Corrupt, structure, off, fmt.Sprintf(
			"%d bytes at address %d reach past the end of the file at %d", n, addr, f.end))
	case int64(n) > f.lim.MaxBlock:
		return nil, h5err.At(h5err.Limit, structure, off, fmt.Sprintf(
			"%d bytes, the limit for one structure is %d", n, f.lim.MaxBlock))
	}
	if len(f.overlay) > 0 {
		if c, ok, err := f.covered(ctx, addr, off, n, structure); ok {
			return c, err
		}
	}
	buf, err := f.bytes(ctx, off, n)
	if err != nil {
		return nil, StorageError(err, structure, off)
	}
	return cursor.New(buf, off), nil
}

func (f *File) bytes(ctx context.Context, off int64, n int) ([]byte, error) {
	if f.view != nil {
		return f.view.View(ctx, off, n)
	}
	buf := make([]byte, n)
	return buf, f.store.ReadAt(ctx, buf, off)
}

// CursorUpTo is Cursor for structures whose size is not known yet: it returns
// fewer than n bytes where the file ends before.
func (f *File) CursorUpTo(ctx context.Context, addr uint64, n int, structure string) (*cursor.Cursor, error) {
	if _, room := f.place(addr); room > 0 {
		n = int(min(uint64(max(n, 0)), room))
	}
	return f.Cursor(ctx, addr, n, structure)
}

// owned returns n bytes at addr in memory of their own, for structures that are
// kept: a lent byte would keep a whole block of the store alive.
func (f *File) owned(ctx context.Context, addr, n uint64, structure string) ([]byte, error) {
	c, err := f.Cursor64(ctx, addr, n, structure)
	if err != nil {
		return nil, err
	}
	if f.view != nil {
		return bytes.Clone(c.Rest()), nil
	}
	return c.Rest(), nil
}

// Cursor64 is Cursor for a size that was read from the file.
func (f *File) Cursor64(ctx context.Context, addr, n uint64, structure string) (*cursor.Cursor, error) {
	size, ok := cursor.ToInt(n)
	if !ok {
		return nil, h5err.At(h5err.Corrupt, structure, h5err.NoOffset, fmt.Sprintf("%d bytes", n))
	}
	return f.Cursor(ctx, addr, size, structure)
}

// Prefetch names ranges of addresses that will be read soon, in one batch. What
// lies outside the file is left out; a failing store is found by the reads.
func (f *File) Prefetch(ctx context.Context, ranges []storage.Range) error {
	if f.pre == nil || len(ranges) == 0 {
		return nil
	}
	abs := make([]storage.Range, 0, len(ranges))
	for _, r := range ranges {
		if r.Off < 0 || r.Len <= 0 {
			continue
		}
		if off, room := f.place(uint64(r.Off)); room > 0 {
			abs = append(abs, storage.Range{Off: off, Len: int64(min(uint64(r.Len), room))})
		}
	}
	if err := f.pre.Prefetch(ctx, abs); err != nil && ctx.Err() != nil {
		return StorageError(ctx.Err(), "", h5err.NoOffset)
	}
	return nil
}

// PrefetchNodes is Prefetch of equally large structures, and of what is wanted
// in the same batch.
func (f *File) PrefetchNodes(ctx context.Context, addrs []uint64, n int, also ...storage.Range) error {
	if f.pre == nil || len(addrs)+len(also) < 2 {
		return nil
	}
	ranges := make([]storage.Range, 0, len(addrs)+len(also))
	ranges = append(ranges, also...)
	for _, a := range addrs {
		if a < f.end {
			ranges = append(ranges, storage.Range{Off: int64(a), Len: int64(n)})
		}
	}
	return f.Prefetch(ctx, ranges)
}
