package meta

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// overlay is metadata that is to be read in place of what the store has, in the
// order of the addresses.
type overlay []format.CacheImageEntry

// ReadCacheImage reads the metadata cache image at addr. From then on what it
// holds is what its own places hold.
func (f *File) ReadCacheImage(ctx context.Context, addr, size uint64) error {
	c, err := f.Cursor64(ctx, addr, size, "metadata cache image")
	if err != nil {
		return err
	}
	image, err := format.DecodeCacheImageBlock(c, f.sb.Sizes)
	if err != nil {
		return err
	}
	o := overlay(image.Entries)
	slices.SortStableFunc(o, func(a, b format.CacheImageEntry) int {
		if a.Addr < b.Addr {
			return -1
		}
		return 1
	})
	for i, e := range o {
		if e.Addr+uint64(len(e.Data)) < e.Addr || i > 0 && e.Addr-o[i-1].Addr < uint64(len(o[i-1].Data)) {
			return h5err.At(h5err.Corrupt, "metadata cache image", f.Offset(addr),
				fmt.Sprintf("two entries have address %d, or one has no end", e.Addr))
		}
	}
	f.overlay = o
	return nil
}

// first returns the index of the first entry that ends behind addr.
func (o overlay) first(addr uint64) int {
	return sort.Search(len(o), func(i int) bool { return o[i].Addr+uint64(len(o[i].Data)) > addr })
}

// whole returns n bytes at addr where one entry has them all.
func (o overlay) whole(addr uint64, n int) ([]byte, bool) {
	i := o.first(addr)
	if i == len(o) || o[i].Addr > addr {
		return nil, false
	}
	at := addr - o[i].Addr
	if uint64(n) > uint64(len(o[i].Data))-at {
		return nil, false
	}
	return o[i].Data[at:][:n:n], true
}

// touches reports whether any of n bytes at addr are those of an entry.
func (o overlay) touches(addr uint64, n int) bool {
	i := o.first(addr)
	return i < len(o) && o[i].Addr < addr+uint64(n)
}

// apply copies what the entries have of the bytes at addr over buf.
func (o overlay) apply(addr uint64, buf []byte) {
	end := addr + uint64(len(buf))
	for i := o.first(addr); i < len(o) && o[i].Addr < end; i++ {
		from, data := o[i].Addr, o[i].Data
		if from < addr {
			data, from = data[addr-from:], addr
		}
		copy(buf[from-addr:], data)
	}
}

// covered returns bytes of the overlay, or mixed with it; false where it has
// none of them.
func (f *File) covered(ctx context.Context, addr uint64, off int64, n int, structure string) (*cursor.Cursor, bool, error) {
	if p, ok := f.overlay.whole(addr, n); ok {
		return cursor.New(p, off), true, nil
	}
	if !f.overlay.touches(addr, n) {
		return nil, false, nil
	}
	buf := make([]byte, n)
	if err := f.store.ReadAt(ctx, buf, off); err != nil {
		return nil, true, StorageError(err, structure, off)
	}
	f.overlay.apply(addr, buf)
	return cursor.New(buf, off), true, nil
}
