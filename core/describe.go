package core

import (
	"context"
	"sync/atomic"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/object"
)

// DescribeFlags say what a description holds. The numbers are part of the C ABI.
type DescribeFlags uint32

const (
	DescribeLinks         DescribeFlags = 1
	DescribeAttributes    DescribeFlags = 2
	DescribeValues        DescribeFlags = 4
	DescribeChildren      DescribeFlags = 8
	DescribeTree          DescribeFlags = 16
	DescribeCreationOrder DescribeFlags = 32
)

// AppendDescription describes the object at path below o, and with
// DescribeChildren or DescribeTree the objects below it, as the JSON that
// clawh5.h specifies. It returns the object too.
func (o *Object) AppendDescription(ctx context.Context, dst []byte, path string, flags DescribeFlags) ([]byte, *Object, error) {
	at, err := o.Open(ctx, path)
	if err != nil {
		return dst, nil, err
	}
	w := descriptionWriter{jsonWriter: jsonWriter{buf: dst}, ctx: ctx, flags: flags, room: newRoom(at.file.heapLimit()), types: map[string]int{}}
	w.open('{')
	w.array("objects")
	first := facts{object: at}
	w.subject = at
	first.load(ctx, flags|descend(flags), w.room)
	if first.err != nil {
		return dst, nil, first.err
	}
	w.facts(&first)
	if flags&(DescribeChildren|DescribeTree) != 0 {
		if err := w.below(&first); err != nil {
			return dst, nil, err
		}
	}
	w.close(']')
	w.typeTable()
	w.close('}')
	return w.buf, at, nil
}

// descend turns the flags that go down a group into the flag that lists it.
func descend(flags DescribeFlags) DescribeFlags {
	if flags&(DescribeChildren|DescribeTree) != 0 {
		return DescribeLinks
	}
	return 0
}

// descriptionWriter renders facts and gathers the datatypes they use.
type descriptionWriter struct {
	jsonWriter
	ctx     context.Context
	flags   DescribeFlags
	subject *Object // that the description is of
	room    *room
	types   map[string]int // rendered datatype -> index
	order   []string
	render  jsonWriter
	recent  [16]struct { // the last datatypes: most objects of a file share a few
		d     *format.Datatype
		index int
	}
	turn int
}

// typeIndex interns d.
func (w *descriptionWriter) typeIndex(d *format.Datatype) int {
	for i := range w.recent {
		if w.recent[i].d == d {
			return w.recent[i].index
		}
	}
	w.render = jsonWriter{buf: w.render.buf[:0]}
	w.render.datatype(d)
	i, ok := w.types[string(w.render.buf)]
	if !ok {
		i = len(w.order)
		text := string(w.render.buf)
		w.types[text] = i
		w.order = append(w.order, text)
	}
	w.recent[w.turn%len(w.recent)].d = d
	w.recent[w.turn%len(w.recent)].index = i
	w.turn++
	return i
}

func (w *descriptionWriter) typeTable() {
	w.array("types")
	for _, t := range w.order {
		w.raw(t)
	}
	w.close(']')
}

// facts is what is loaded of one object before it is rendered.
type facts struct {
	object     *Object
	name       string // path below the object of the call
	nlinks     uint64
	links      []object.Link
	nattrs     uint64
	attributes []object.Attribute
	attrErr    error
	values     []value // of attributes, with DescribeValues
	err        error
}

// value is an attribute's or fill value's elements in memory form.
type value struct {
	data, heap []byte
	err        error
}

// room bounds the values of one description: a small file can have thousands of
// attributes that all point at the same data.
type room struct{ left atomic.Int64 }

func newRoom(n int64) *room {
	r := new(room)
	r.left.Store(n)
	return r
}

// take accounts for v, or puts an error in its place.
func (r *room) take(v value) value {
	if r.left.Add(-int64(len(v.data)+len(v.heap))) < 0 {
		return value{err: newError(h5err.Limit, "the values of the description are too large together")}
	}
	return v
}

// load fetches and decodes everything that flags ask for. What fails is kept in
// err or, for attributes alone, attrErr: one bad object must not hide a tree.
func (f *facts) load(ctx context.Context, flags DescribeFlags, room *room) {
	o := f.object
	var h *object.Header
	if h, f.err = o.loadHeader(ctx); f.err != nil {
		return
	}
	switch o.Kind() {
	case DatasetKind:
		_, f.err = o.Dataset(ctx)
	case DatatypeKind:
		_, f.err = o.datatype(ctx)
	case GroupKind:
		f.loadLinks(ctx, h, flags)
	}
	if f.err == nil {
		f.loadAttributes(ctx, h, flags, room)
	}
	f.err = h5err.In(f.err, "describe", o.path)
}

func (f *facts) loadLinks(ctx context.Context, h *object.Header, flags DescribeFlags) {
	file := f.object.file.objects
	if flags&DescribeLinks == 0 {
		f.nlinks, f.err = file.LinkCount(ctx, h)
		return
	}
	tracked, _ := file.CreationOrderTracked(h)
	f.links, f.err = file.Links(ctx, h, tracked && flags&DescribeCreationOrder != 0)
	f.nlinks = uint64(len(f.links))
}

func (f *facts) loadAttributes(ctx context.Context, h *object.Header, flags DescribeFlags, room *room) {
	o := f.object
	if flags&(DescribeAttributes|DescribeValues) == 0 {
		f.nattrs, f.attrErr = o.file.objects.AttributeCount(ctx, h)
		return
	}
	byCreation := flags&DescribeCreationOrder != 0 && o.attributesTracked()
	f.attributes, f.attrErr = o.file.objects.Attributes(ctx, h, byCreation)
	f.nattrs = uint64(len(f.attributes))
	if flags&DescribeValues == 0 {
		return
	}
	f.values = make([]value, len(f.attributes))
	for i := range f.attributes {
		if f.attributes[i].Err == nil {
			f.values[i] = room.take(o.file.attributeValue(ctx, &f.attributes[i], room.left.Load()))
		}
	}
}
