package core

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/format"
	"clawh5/core/internal/object"
	"clawh5/storage/open"
)

// Version is the version of clawh5.
const Version = "0.1.0"

// File is an open HDF5 file. It may be used from any number of goroutines.
type File struct {
	store   *open.Store
	objects *object.File
	options Options
	kin     *relatives
	opened  bool   // by the caller: kin goes with this file
	number  uint64 // among kin
	counts  counters
	raw     *rawPlace // of a multi file
	missing []string  // members of a multi file that are not there
	root    *Object

	refs atomic.Int64 // Close when it falls to zero
	mu   sync.Mutex
	// linked holds the files that external links of this one have led to.
	linked   map[*object.File]*File
	linkName string // by which an external link named this file
}

// OpenLocation opens a path, or a file, http or https URL.
func OpenLocation(ctx context.Context, location string, so open.Options, o Options) (*File, error) {
	so.AllowOutside = o.External == ExternalAnywhere
	if so.MaxRequests == 0 {
		so.MaxRequests = o.MaxInFlight
	}
	store, err := firstOf(ctx, location, so)
	if err != nil {
		return nil, h5err.In(err, "open", "")
	}
	return Open(ctx, store, o)
}

// OpenMemory opens the image of a file, which must not be changed while the file
// is open.
func OpenMemory(ctx context.Context, image []byte, o Options) (*File, error) {
	return Open(ctx, open.Memory(image), o)
}

// Open opens the file in store, which it closes with itself, also when it fails.
func Open(ctx context.Context, store *open.Store, o Options) (*File, error) {
	o = o.withDefaults()
	f, err := openAmong(ctx, store, o, newRelatives(&o, store.Remote()))
	if err != nil {
		return nil, err
	}
	f.opened = true
	return f, nil
}

// openAmong opens a file that shares kin with others.
func openAmong(ctx context.Context, store *open.Store, o Options, kin *relatives) (*File, error) {
	f := &File{store: store, options: o, kin: kin, number: kin.numbers.Add(1), linked: map[*object.File]*File{}}
	if err := f.load(ctx); err != nil {
		f.store.Close()
		return nil, h5err.In(err, "open", "")
	}
	f.refs.Store(1)
	return f, nil
}

// openRelated opens the file that this one calls name.
func (f *File) openRelated(ctx context.Context, name string) (*File, error) {
	store, err := f.openNamed(ctx, name)
	if err != nil {
		return nil, err
	}
	o := f.options
	o.ExpectIdentity = ""
	return openAmong(ctx, store, o, f.kin)
}

// key tells what the file calls name from what other files call so.
func (f *File) key(name string) string { return fmt.Sprintf("%d %s", f.number, name) }

func (f *File) load(ctx context.Context) error {
	if err := f.checkIdentity(false); err != nil {
		return err
	}
	if err := f.openObjects(ctx); err != nil {
		return err
	}
	if err := f.checkIdentity(true); err != nil {
		return err
	}
	if fs := f.objects.FileSpace(); fs != nil && fs.Strategy == format.PagedAggregation {
		f.store.SetPageSize(int64(fs.PageSize))
	}
	f.objects.SetOpener(f.openLinked)
	f.root = &Object{file: f, addr: f.objects.Root(), path: "/"}
	_, err := f.root.loadHeader(ctx)
	return err
}

// checkIdentity compares the file with the one that was expected, as soon as
// its identity is known: that of several joined files, once they are joined.
func (f *File) checkIdentity(joined bool) error {
	want := f.options.ExpectIdentity
	if want == "" || want == f.store.Identity() || !joined && open.IsJoinedIdentity(want) {
		return nil
	}
	return newError(h5err.Changed, "%s is not the file it was: %s, not %s", f.store.Location(), f.store.Identity(), want)
}

// unfilter undoes the pipeline of a fractal heap's blocks.
func unfilter(pipeline []format.FilterDescription, mask uint32, stored []byte, size int) ([]byte, error) {
	p, err := filter.Compile(filterSpecs(pipeline), size, 1)
	if err != nil {
		return nil, err
	}
	out := make([]byte, size)
	return out, p.Decode(out, stored, mask, new(filter.Scratch))
}

func filterSpecs(pipeline []format.FilterDescription) []filter.Spec {
	specs := make([]filter.Spec, len(pipeline))
	for i, f := range pipeline {
		specs[i] = filter.Spec{ID: filter.ID(f.ID), Name: f.Name, Optional: f.Optional, Params: f.Params}
	}
	return specs
}

// Retain keeps the file open for one more Close.
func (f *File) Retain() { f.refs.Add(1) }

// Close gives up one hold on the file; the last one closes its store. Reads
// that are under way must have ended by then.
func (f *File) Close() error {
	if f.refs.Add(-1) != 0 {
		return nil
	}
	err := f.store.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.linked {
		err = errors.Join(err, l.Close())
	}
	f.linked = nil
	if f.opened {
		err = errors.Join(err, f.kin.Close())
	}
	return err
}

// Root returns the root group.
func (f *File) Root() *Object { return f.root }

// ObjectAt returns the object whose header lies at an address, as descriptions
// and object references give it.
func (f *File) ObjectAt(ctx context.Context, addr uint64) (*Object, error) {
	o := &Object{file: f, addr: addr, path: fmt.Sprintf("#%d", addr)}
	if _, err := o.loadHeader(ctx); err != nil {
		return nil, h5err.In(err, "open", o.path)
	}
	return o, nil
}

// Remote reports whether reading may wait for a network.
func (f *File) Remote() bool { return f.store.Remote() }

// Location names the file: an absolute path, or a URL without credentials.
func (f *File) Location() string { return f.store.Location() }

// Identity names the version of the file that was opened.
func (f *File) Identity() string { return f.store.Identity() }

// AppendInfo describes the file as the JSON that clawh5.h specifies.
func (f *File) AppendInfo(dst []byte) []byte {
	sb := f.objects.Superblock()
	w := jsonWriter{buf: dst}
	w.open('{')
	w.stringMember("location", f.Location())
	w.stringMember("identity", f.Identity())
	w.intMember("size", f.store.Size())
	w.boolMember("remote", f.Remote())
	if members := f.store.Members(); members != nil {
		w.array("members")
		for _, m := range members {
			w.string(m)
		}
		w.close(']')
	}
	if p := f.store.LocalPath(); p != "" {
		w.stringMember("path", p)
	}
	if warnings := f.Warnings(); warnings != nil {
		w.array("warnings")
		for _, text := range warnings {
			w.string(text)
		}
		w.close(']')
	}
	w.uintMember("root", f.objects.Root())
	w.object("superblock")
	w.uintMember("version", uint64(sb.Version))
	w.intMember("base", f.objects.Base())
	w.intMember("size_of_offsets", int64(f.objects.Sizes().Offset))
	w.intMember("size_of_lengths", int64(f.objects.Sizes().Length))
	w.uintMember("eof", sb.EndOfFile)
	w.close('}')
	w.close('}')
	return w.buf
}

// heapLimit bounds the variable-length data of one read: a file can point at
// the same data again and again.
func (f *File) heapLimit() int64 { return 64<<20 + 16*f.store.Size() }

// openLinked opens the file that an external link names.
func (f *File) openLinked(ctx context.Context, _, name string) (*object.File, error) {
	f.mu.Lock()
	for of, l := range f.linked {
		if l.linkName == name {
			f.mu.Unlock()
			return of, nil
		}
	}
	f.mu.Unlock()
	l, err := f.openRelated(ctx, name)
	if err != nil {
		return nil, err
	}
	l.linkName = name
	f.mu.Lock()
	defer f.mu.Unlock()
	f.linked[l.objects] = l
	return l.objects, nil
}

// sibling returns the File of the object file that a path led to.
func (f *File) sibling(of *object.File) *File {
	if of == f.objects {
		return f
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if l := f.linked[of]; l != nil {
		return l
	}
	for _, l := range f.linked {
		if l := l.sibling(of); l != nil {
			return l
		}
	}
	return nil
}
