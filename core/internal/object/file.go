package object

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage"
)

// Limits bound what a file can make a reader do. Zero fields mean the default.
type Limits struct {
	MaxLinkHops    int   // soft and external links followed on one path, 64
	MaxMessages    int   // of one object header, 1 million
	MaxHeaderBytes int64 // of all chunks of one object header, 64 MiB
}

func (l Limits) withDefaults() Limits {
	if l.MaxLinkHops <= 0 {
		l.MaxLinkHops = 64
	}
	if l.MaxMessages <= 0 {
		l.MaxMessages = 1 << 20
	}
	if l.MaxHeaderBytes <= 0 {
		l.MaxHeaderBytes = 64 << 20
	}
	return l
}

// Opener opens a file that an external link in the file at fromLocation names.
type Opener func(ctx context.Context, fromLocation, name string) (*File, error)

// File is an open file whose objects can be read. All methods may be called
// from any number of goroutines, but for the setters, which belong before the
// first use.
type File struct {
	*meta.File
	lim        Limits
	opener     Opener
	location   string
	prefetches bool // the store takes hints

	driver    format.DriverInfo
	shared    []format.SharedMessageIndex
	fileSpace *format.FileSpaceInfo
	types     typeTable
}

// Open reads what the superblock of m refers to. With an error that the file is
// one of several comes what is known by then, which is the driver information.
func Open(ctx context.Context, m *meta.File, lim Limits) (*File, error) {
	f := &File{File: m, lim: lim.withDefaults(), driver: m.Driver()}
	_, f.prefetches = m.Store().(storage.Prefetcher)
	ext, err := f.extension(ctx)
	if end := m.CheckEnd(); end != nil {
		err = end
	}
	if err != nil {
		return f, err
	}
	if ext != nil {
		if err := f.readExtension(ctx, ext); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Driver returns the driver information of the file, of no driver if it has none.
func (f *File) Driver() format.DriverInfo { return f.driver }

// extension returns the superblock extension (spec II.C), an object header with
// messages about the file, and takes the driver information from it; nil if there
// is none.
func (f *File) extension(ctx context.Context) (*Header, error) {
	addr := f.Superblock().Extension
	if addr == format.Undefined {
		return nil, nil
	}
	h, err := f.Header(ctx, addr)
	if err == nil {
		err = f.readDriver(ctx, h)
	}
	return h, err
}

// readExtension reads the messages that say how the file is to be read.
func (f *File) readExtension(ctx context.Context, h *Header) error {
	if err := f.readSizes(ctx, h); err != nil {
		return err
	}
	m, err := f.message(ctx, h, format.MsgCacheImage)
	if err != nil {
		return err
	}
	if m != nil {
		if err := f.readCacheImage(ctx, m); err != nil {
			return err
		}
	}
	if m, err = f.message(ctx, h, format.MsgSharedTable); m == nil || err != nil {
		return err
	}
	table, err := format.DecodeSharedMessageTable(m.Cursor(), f.Sizes())
	if err != nil {
		return err
	}
	f.shared, err = f.SharedMessageIndexes(ctx, table.Addr, int(table.Indexes))
	return err
}

func (f *File) readDriver(ctx context.Context, h *Header) error {
	m, err := f.message(ctx, h, format.MsgDriverInfo)
	if m == nil || err != nil {
		return err
	}
	d, err := format.DecodeDriverInfo(m.Cursor(), f.Sizes())
	f.driver = format.DriverInfo{Driver: d.Driver, Data: bytes.Clone(d.Data)}
	return err
}

// readSizes reads the K values of version 1 B-trees and the file space info.
func (f *File) readSizes(ctx context.Context, h *Header) error {
	m, err := f.message(ctx, h, format.MsgBTreeK)
	if err != nil {
		return err
	}
	if m != nil {
		k, err := format.DecodeBTreeK(m.Cursor(), f.Sizes())
		if err != nil {
			return err
		}
		f.SetBTreeK(k.Chunk, k.GroupInternal, k.GroupLeaf)
	}
	// The flag tells of a message that a program changed the file without
	// knowing it: libhdf5 does not look at it then.
	if m, err = f.message(ctx, h, format.MsgFileSpaceInfo); m == nil || err != nil || m.Flags&format.FlagWasUnknown != 0 {
		return err
	}
	space, err := format.DecodeFileSpaceInfo(m.Cursor(), f.Sizes())
	f.fileSpace = &space
	return err
}

// readCacheImage puts the metadata cache image of the file, if there is one, over
// what lies in the places of the metadata in it.
func (f *File) readCacheImage(ctx context.Context, m *format.Message) error {
	image, err := format.DecodeCacheImage(m.Cursor(), f.Sizes())
	if err != nil || image.Addr == format.Undefined || image.Size == 0 {
		return err
	}
	return f.ReadCacheImage(ctx, image.Addr, image.Size)
}

// SetOpener allows external links. Without it they are refused.
func (f *File) SetOpener(o Opener) { f.opener = o }

// SetLocation sets the path or URL that the Opener gets of this file.
func (f *File) SetLocation(location string) { f.location = location }

// Location returns what SetLocation has set.
func (f *File) Location() string { return f.location }

// Limits returns the limits in force.
func (f *File) Limits() Limits { return f.lim }

// Root returns the address of the root group.
func (f *File) Root() uint64 { return f.Superblock().Root }

// FileSpace returns how the file gives out its space, or nil if it does not say.
func (f *File) FileSpace() *format.FileSpaceInfo { return f.fileSpace }

// open opens the file that an external link names.
func (f *File) open(ctx context.Context, name string) (*File, error) {
	if f.opener == nil {
		return nil, h5err.New(h5err.Permission, fmt.Sprintf(
			"an external link leads to file %q; such links are followed only if the option that allows external files is set", name))
	}
	return f.opener(ctx, f.location, name)
}

// typeTable keeps datatypes by their encoding: many datasets and attributes of
// a file have the same few.
type typeTable struct {
	mu    sync.RWMutex
	types map[string]*format.Datatype
}

// Bounds of the table, against files with a different type everywhere.
const (
	maxInternedTypes = 1024
	maxInternedSize  = 1024
)

func (t *typeTable) get(encoded []byte) *format.Datatype {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.types[string(encoded)]
}

func (t *typeTable) put(encoded []byte, d *format.Datatype) {
	if len(encoded) > maxInternedSize {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.types == nil {
		t.types = make(map[string]*format.Datatype)
	}
	if len(t.types) < maxInternedTypes {
		t.types[string(encoded)] = d
	}
}
