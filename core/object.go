package core

import (
	"context"
	"strings"
	"sync"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/object"
)

// Kind is what an object is. The numbers are part of the C ABI.
type Kind int32

const (
	UnknownKind  Kind = 0
	GroupKind    Kind = 1
	DatasetKind  Kind = 2
	DatatypeKind Kind = 3
)

func (k Kind) String() string {
	switch k {
	case GroupKind:
		return "group"
	case DatasetKind:
		return "dataset"
	case DatatypeKind:
		return "datatype"
	}
	return "unknown"
}

// Object is a group, a dataset or a committed datatype of a file. It may be used
// from any number of goroutines.
type Object struct {
	file *File
	addr uint64
	path string // as it was reached; for messages

	mu     sync.Mutex
	header *object.Header
	data   *Dataset
	named  *format.Datatype
}

// File returns the file that holds the object: for one that was reached by an
// external link, another than the link's.
func (o *Object) File() *File { return o.file }

// Address returns the address of the object's header, which identifies it.
func (o *Object) Address() uint64 { return o.addr }

// Path returns the path by which the object was opened.
func (o *Object) Path() string { return o.path }

// Kind returns what the object is; UnknownKind before its header was loaded,
// which Open and ObjectAt do.
func (o *Object) Kind() Kind {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.header == nil {
		return UnknownKind
	}
	switch o.header.Kind() {
	case object.KindGroup:
		return GroupKind
	case object.KindDataset:
		return DatasetKind
	case object.KindDatatype:
		return DatatypeKind
	}
	return UnknownKind
}

// Open opens the object at path below o (an absolute path starts at the root),
// following soft links and, where allowed, external links.
func (o *Object) Open(ctx context.Context, path string) (*Object, error) {
	at := o
	if path != "" && path != "." {
		full := joinPath(o.path, path)
		t, err := o.file.objects.Resolve(ctx, o.addr, path)
		if err != nil {
			return nil, h5err.In(err, "open", full)
		}
		at = &Object{file: o.file.sibling(t.File), addr: t.Addr, path: full}
	}
	if _, err := at.loadHeader(ctx); err != nil {
		return nil, h5err.In(err, "open", at.path)
	}
	return at, nil
}

func joinPath(base, rel string) string {
	switch {
	case strings.HasPrefix(rel, "/"):
		return rel
	case strings.HasSuffix(base, "/"):
		return base + rel
	}
	return base + "/" + rel
}

// loadHeader returns the object's header, fetching it the first time.
func (o *Object) loadHeader(ctx context.Context) (*object.Header, error) {
	o.mu.Lock()
	h := o.header
	o.mu.Unlock()
	if h != nil {
		return h, nil
	}
	h, err := o.file.objects.Header(ctx, o.addr)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.header = h
	return h, nil
}

// Dataset returns the object as a dataset; a Type error if it is none.
func (o *Object) Dataset(ctx context.Context) (*Dataset, error) {
	o.mu.Lock()
	d := o.data
	o.mu.Unlock()
	if d != nil {
		return d, nil
	}
	h, err := o.loadHeader(ctx)
	if err != nil {
		return nil, h5err.In(err, "open", o.path)
	}
	if h.Kind() != object.KindDataset {
		return nil, &h5err.Error{Kind: h5err.Type, Op: "open", Path: o.path, Offset: h5err.NoOffset, Err: errNotDataset}
	}
	info, err := o.file.objects.Dataset(ctx, h)
	if err != nil {
		return nil, h5err.In(err, "open", o.path)
	}
	d = newDataset(o, info)
	if info.Layout.Class == format.VirtualLayout {
		if err := d.loadVirtual(ctx); err != nil {
			return nil, h5err.In(err, "open", o.path)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.data == nil {
		o.data = d
	}
	return o.data, nil
}

func (o *Object) datatype(ctx context.Context) (*format.Datatype, error) {
	h, err := o.loadHeader(ctx)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.named == nil {
		o.named, err = o.file.objects.NamedDatatype(ctx, h)
	}
	return o.named, err
}

func (o *Object) attributesTracked() bool {
	return o.header.OrderTracked
}

// LinkCount returns the number of links of a group.
func (o *Object) LinkCount(ctx context.Context) (uint64, error) {
	h, err := o.group(ctx)
	if err != nil {
		return 0, err
	}
	n, err := o.file.objects.LinkCount(ctx, h)
	return n, h5err.In(err, "list", o.path)
}

// LinkNames returns the names of a group's links in the order of their bytes.
func (o *Object) LinkNames(ctx context.Context) ([]string, error) {
	h, err := o.group(ctx)
	if err != nil {
		return nil, err
	}
	links, err := o.file.objects.Links(ctx, h, false)
	if err != nil {
		return nil, h5err.In(err, "list", o.path)
	}
	names := make([]string, len(links))
	for i := range links {
		names[i] = links[i].Name
	}
	return names, nil
}

func (o *Object) group(ctx context.Context) (*object.Header, error) {
	h, err := o.loadHeader(ctx)
	if err == nil && h.Kind() != object.KindGroup {
		err = newError(h5err.Type, "the object is not a group but a %s", o.Kind())
	}
	return h, h5err.In(err, "list", o.path)
}

// AppendLink describes the link at path below o, without following it, as JSON.
func (o *Object) AppendLink(ctx context.Context, dst []byte, path string) ([]byte, error) {
	dir, name := splitPath(path)
	g, err := o.Open(ctx, dir)
	if err != nil {
		return dst, err
	}
	h, err := g.group(ctx)
	if err != nil {
		return dst, err
	}
	l, err := g.file.objects.Link(ctx, h, name)
	if err != nil {
		return dst, h5err.In(err, "link", joinPath(o.path, path))
	}
	w := jsonWriter{buf: dst}
	w.link(&l)
	return w.buf, nil
}

// splitPath cuts the last component off a path.
func splitPath(path string) (dir, name string) {
	path = strings.TrimRight(path, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	return path[:i+1], path[i+1:]
}
