package meta

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/storage"
)

// Limits bound what a file can make a reader do. Zero fields mean the default.
type Limits struct {
	MaxBlock   int64 // bytes of one structure, 256 MiB
	MaxDepth   int   // levels of a tree, 64
	MaxNodes   int   // nodes visited in one walk, 10 million
	CacheBytes int64 // decoded structures kept, 32 MiB
}

func (l Limits) withDefaults() Limits {
	def := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.MaxBlock, 256<<20)
	def(&l.CacheBytes, 32<<20)
	if l.MaxDepth <= 0 {
		l.MaxDepth = 64
	}
	if l.MaxNodes <= 0 {
		l.MaxNodes = 10_000_000
	}
	return l
}

// Unfilter undoes a filter pipeline: it returns the size bytes that were stored
// as stored, but for the filters whose bit in mask is set.
type Unfilter func(pipeline []format.FilterDescription, mask uint32, stored []byte, size int) ([]byte, error)

// File gives the metadata of an open file. All methods may be called from any
// number of goroutines, but for the setters, which belong before the first use.
type File struct {
	store storage.Reader
	view  storage.Viewer     // nil if the store lends no bytes
	pre   storage.Prefetcher // nil if it takes no hints

	sb       format.Superblock
	driver   format.DriverInfo // of an old superblock
	parts    []Part            // nil if addresses are offsets from base
	overlay  overlay
	base     int64
	end      uint64
	endErr   error
	stored   uint64 // end of file, from the start of the store
	lim      Limits
	cache    cache
	unfilter Unfilter
}

// Part is a stretch of the address space of a file that is kept in several
// ones, and where it lies in the store that joins them.
type Part struct {
	Addr, Len uint64
	Off       int64
}

// Open finds the superblock in store. A file whose addresses have holes has
// parts, in the order of their addresses; for others there are none. Whether
// the store holds all of the file is for CheckEnd to tell.
func Open(ctx context.Context, store storage.Reader, lim Limits, parts ...Part) (*File, error) {
	f := &File{store: store, lim: lim.withDefaults(), parts: parts}
	f.view, _ = store.(storage.Viewer)
	f.pre, _ = store.(storage.Prefetcher)
	f.cache.limit = f.lim.CacheBytes
	base, err := f.locate(ctx)
	if err != nil {
		return nil, err
	}
	f.base, f.end = base, uint64(store.Size()-base)
	if len(parts) > 0 {
		last := parts[len(parts)-1]
		f.end = last.Addr + last.Len - uint64(base)
	}
	c, err := f.CursorUpTo(ctx, 0, format.SuperblockMax, "superblock")
	if err != nil {
		return nil, err
	}
	if f.sb, err = format.DecodeSuperblock(c); err != nil {
		return nil, err
	}
	f.readDriver(ctx)
	f.endErr = f.setEnd()
	return f, nil
}

// locate returns the offset of the signature: at 0, or after a user block, whose
// size is a power of two from 512.
func (f *File) locate(ctx context.Context) (int64, error) {
	var sig [len(format.SuperblockSignature)]byte
	size := f.store.Size()
	for off := int64(0); off <= size-int64(len(sig)); off = max(512, off*2) {
		if err := f.store.ReadAt(ctx, sig[:], off); err != nil {
			return 0, StorageError(err, "superblock", off)
		}
		if string(sig[:]) == format.SuperblockSignature {
			return off, nil
		}
		if off > math.MaxInt64/2 {
			break
		}
	}
	return 0, h5err.New(h5err.NotHDF5, fmt.Sprintf("no HDF5 signature in %d bytes", size))
}

// readDriver reads the driver information block of old superblocks (spec II.B).
// One that cannot be decoded is of no use to a single file, and passed over.
func (f *File) readDriver(ctx context.Context) {
	const most = 4096
	if f.sb.Driver == format.Undefined {
		return
	}
	c, err := f.CursorUpTo(ctx, f.sb.Driver, most, "driver information block")
	if err != nil {
		return
	}
	if d, err := format.DecodeDriverInfoBlock(c); err == nil {
		f.driver = format.DriverInfo{Driver: d.Driver, Data: bytes.Clone(d.Data)}
	}
}

// Driver returns the driver information of an old superblock; that of a new one
// is in its extension.
func (f *File) Driver() format.DriverInfo { return f.driver }

// CheckEnd refuses a store that ends before the end of file in the superblock,
// as libhdf5 does: the file was truncated.
func (f *File) CheckEnd() error { return f.endErr }

// StoredEnd returns where the file ends as its superblock says, counted from the
// start of the store.
func (f *File) StoredEnd() uint64 { return f.stored }

// setEnd sets the end of the file's address space: the stored end of file, moved
// with the superblock. Files with parts store the end of one of them. One that
// its writer did not close ends where the store does, as if HDF5's h5clear had
// repaired it.
func (f *File) setEnd() error {
	if len(f.parts) > 0 {
		return nil
	}
	// Wraps as libhdf5's does where the superblock moved; what is nonsense then
	// is found too large or too small.
	stored := f.sb.EndOfFile - (f.sb.Base - uint64(f.base))
	f.stored = stored
	size := uint64(f.store.Size())
	switch {
	case f.sb.EndOfFile == format.Undefined:
		return h5err.At(h5err.Corrupt, "superblock", f.base, "end of file address is undefined")
	case f.sb.OpenForWriting() && stored >= uint64(f.base):
		// The end was stored when the file was opened, or will be true when what
		// the writer holds is written.
		f.end = size - uint64(f.base)
		return nil
	case stored > size:
		return h5err.At(h5err.Corrupt, "superblock", f.base,
			fmt.Sprintf("the file is truncated, or one of several that belong together: it has %d bytes, its superblock says %d", size, stored))
	case stored < uint64(f.base):
		return h5err.At(h5err.Corrupt, "superblock", f.base,
			fmt.Sprintf("the stored end of file %d lies before the superblock", stored))
	}
	f.end = stored - uint64(f.base)
	return nil
}

// Superblock returns the superblock; it must not be changed.
func (f *File) Superblock() *format.Superblock { return &f.sb }

// Sizes returns the widths of offsets and lengths.
func (f *File) Sizes() format.Sizes { return f.sb.Sizes }

// Base returns where the superblock was found: of a file without parts, the
// store offset of address 0.
func (f *File) Base() int64 { return f.base }

// End returns the first address outside the file.
func (f *File) End() uint64 { return f.end }

// Store returns the store.
func (f *File) Store() storage.Reader { return f.store }

// Limits returns the limits in force.
func (f *File) Limits() Limits { return f.lim }

// SetBTreeK sets the K values of version 1 B-trees and symbol table nodes that
// the superblock extension of a version 2 or 3 superblock gives.
func (f *File) SetBTreeK(chunk, groupInternal, groupLeaf uint16) {
	f.sb.ChunkK, f.sb.GroupInternalK, f.sb.GroupLeafK = chunk, groupInternal, groupLeaf
}

// SetUnfilter sets what undoes the filters of filtered fractal heaps. Without it
// their objects are Unsupported.
func (f *File) SetUnfilter(u Unfilter) { f.unfilter = u }

// Offset returns the store offset of addr, h5err.NoOffset where there is none.
func (f *File) Offset(addr uint64) int64 {
	off, _ := f.place(addr)
	return off
}

// place returns where addr lies in the store and how many bytes there are from
// there on.
func (f *File) place(addr uint64) (off int64, room uint64) {
	if len(f.parts) == 0 {
		if addr > f.end {
			return h5err.NoOffset, 0
		}
		return f.base + int64(addr), f.end - addr
	}
	for i := len(f.parts) - 1; i >= 0; i-- {
		p := &f.parts[i]
		if at := addr + uint64(f.base); at >= p.Addr && at >= addr {
			if at-p.Addr > p.Len {
				break
			}
			return p.Off + int64(at-p.Addr), p.Len - (at - p.Addr)
		}
	}
	return h5err.NoOffset, 0
}
