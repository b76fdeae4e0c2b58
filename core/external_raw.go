package core

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage"
)

const externalTitle = "external data files message"

// ExternalFile is a part of a file that holds raw data of a dataset. The parts
// of all its files follow each other.
type ExternalFile struct {
	Name   string
	Offset uint64 // of the first byte in the file
	Size   uint64 // bytes reserved; Unlimited: up to the end
}

// rawFiles joins parts of files to the raw data of a dataset. Behind the end of
// a file there are zeros, as libhdf5 has it; a file that is missing is an error.
// Files are opened when bytes of them are asked for.
type rawFiles struct {
	file  *File
	parts []rawPart // of at least one byte, in order
	size  int64
}

type rawPart struct {
	name       string
	off        int64 // in the file of that name
	start, end int64 // in the data
}

// openRaw returns the raw data of d in external files and the layout message
// that it has as one piece.
func (d *Dataset) openRaw() (*rawFiles, *format.Layout, error) {
	r := &rawFiles{file: d.file}
	for _, e := range d.info.External.Files {
		if r.size == math.MaxInt64 || e.Size == 0 {
			continue // nothing of it is reached
		}
		p := rawPart{name: e.Name, off: int64(e.Offset), start: r.size, end: math.MaxInt64}
		if e.Size < uint64(math.MaxInt64-r.size) {
			p.end = r.size + int64(e.Size)
		}
		if e.Offset > math.MaxInt64 || p.end != math.MaxInt64 && p.off > math.MaxInt64-(p.end-p.start) {
			return nil, nil, h5err.At(h5err.Corrupt, externalTitle, h5err.NoOffset, fmt.Sprintf("offset %d in file %q", e.Offset, e.Name))
		}
		r.parts = append(r.parts, p)
		r.size = p.end
	}
	n, ok := elements(&d.info.Space)
	need, fits := cursor.Mul(n, uint64(d.info.Type.Size))
	if !ok || !fits || need > uint64(r.size) {
		return nil, nil, h5err.At(h5err.Corrupt, externalTitle, h5err.NoOffset,
			fmt.Sprintf("files of %d bytes together for %d elements of %d bytes", r.size, n, d.info.Type.Size))
	}
	l := d.info.Layout
	l.Address, l.Size = 0, need
	return r, &l, nil
}

// ReadAt implements storage.Reader. What lies in several files is read from all
// at once.
func (r *rawFiles) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := storage.CheckRange("external raw files", r.size, off, int64(len(p))); err != nil || len(p) == 0 {
		return err
	}
	first := sort.Search(len(r.parts), func(i int) bool { return r.parts[i].end > off })
	last := sort.Search(len(r.parts), func(i int) bool { return r.parts[i].end >= off+int64(len(p)) })
	return storage.Parallel(ctx, last-first+1, r.file.options.MaxInFlight, func(ctx context.Context, i int) error {
		part := &r.parts[first+i]
		from, to := max(off, part.start), min(off+int64(len(p)), part.end)
		return r.readPart(ctx, part, p[from-off:to-off], from-part.start)
	})
}

// readPart reads from one file, at an offset in its part.
func (r *rawFiles) readPart(ctx context.Context, part *rawPart, p []byte, off int64) error {
	pool := r.file.kin.raw
	e, err := pool.acquire(ctx, r.file.key(part.name), func() (*rawStore, error) {
		store, err := r.file.openNamed(ctx, part.name)
		return &rawStore{store, r.file.kin}, err
	})
	if err != nil {
		return rawError(err, part.name)
	}
	defer pool.release(e)
	there := int64(0)
	if off <= math.MaxInt64-part.off {
		off += part.off
		there = min(int64(len(p)), max(0, e.value.Size()-off))
	}
	clear(p[there:])
	if there == 0 {
		return nil
	}
	return rawError(e.value.Direct().ReadAt(ctx, p[:there], off), part.name)
}

// rawError names the file. That it is missing does not mean that anything that
// was asked for is: the data cannot be had.
func rawError(err error, name string) error {
	if err == nil {
		return nil
	}
	err = meta.StorageError(err, "external raw file", h5err.NoOffset)
	if e := new(h5err.Error); errors.As(err, &e) && e.Kind == h5err.NotFound {
		return &h5err.Error{Kind: h5err.Unavailable, Structure: "external raw file", Offset: h5err.NoOffset,
			Err: fmt.Errorf("file %q: %w", name, e.Err)}
	}
	return err
}

// Size implements storage.Reader.
func (r *rawFiles) Size() int64 { return r.size }

// Identity implements storage.Reader. The files are pinned one by one.
func (r *rawFiles) Identity() string { return "" }

// Close implements storage.Reader. The files belong to the pool.
func (r *rawFiles) Close() error { return nil }
