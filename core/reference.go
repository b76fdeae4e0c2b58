package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// Reference is what an element of a reference datatype says, of either
// generation.
type Reference struct {
	Kind ReferenceKind // of the element: a revised datatype holds any of the revised kinds
	Null bool          // it leads nowhere, and nothing below is set

	Address   uint64          // of the object's header, in File
	File      string          // the file's name as stored; empty for the file that holds the element
	Selection RegionSelection // of the elements of the dataset, for region references
	Attribute string          // the name, for attribute references
}

// Reference reads what an element of the reference datatype t says. The element
// is as reads give it, which is as it lies in the file; of region, attribute and
// external references the rest is fetched from the file's global heap.
func (f *File) Reference(ctx context.Context, t Datatype, element []byte) (Reference, error) {
	if t.Class() != ClassReference {
		return Reference{}, newError(h5err.Type, "elements of class %s are not references", t.Class())
	}
	return f.reference(ctx, element)
}

// reference tells the generation by the size, which differs whatever the size
// of offsets is.
func (f *File) reference(ctx context.Context, element []byte) (r Reference, err error) {
	z := f.objects.Sizes()
	c := cursor.New(element, 0)
	switch len(element) {
	case z.Offset:
		r.Kind, r.Address = ObjectReference, c.Addr(z.Offset)
		r.Null = r.Address == 0 || r.Address == format.Undefined
	case format.GlobalHeapIDSize(z):
		r, err = f.regionReference(ctx, c)
	case format.ReferenceElementSize(z):
		r, err = f.revisedReference(ctx, c)
	default:
		err = badArgument("a reference of %d bytes, in this file they have %d, %d or %d", len(element),
			z.Offset, format.GlobalHeapIDSize(z), format.ReferenceElementSize(z))
	}
	if r.Null {
		r = Reference{Kind: r.Kind, Null: true}
	}
	return r, h5err.In(err, "reference", "")
}

func (f *File) regionReference(ctx context.Context, c *cursor.Cursor) (Reference, error) {
	z := f.objects.Sizes()
	r := Reference{Kind: RegionReference}
	id, err := format.DecodeGlobalHeapID(c, z)
	if err != nil {
		return r, err
	}
	if id.Collection == 0 || id.Collection == format.Undefined {
		r.Null = true
		return r, nil
	}
	data, err := f.objects.GlobalHeapObject(ctx, id)
	if err != nil {
		return r, err
	}
	stored, err := format.DecodeRegionReference(cursor.New(data, f.objects.Offset(id.Collection)), z)
	r.Address, r.Selection = stored.Addr, regionSelection(&stored.Selection)
	return r, err
}

func (f *File) revisedReference(ctx context.Context, c *cursor.Cursor) (Reference, error) {
	z := f.objects.Sizes()
	e, err := format.DecodeReferenceElement(c, z)
	if err != nil || e.Null {
		return Reference{Kind: ObjectReference2, Null: e.Null}, err
	}
	r, at, block := Reference{Kind: ReferenceKind(e.Kind)}, int64(h5err.NoOffset), e.ReferenceBlock
	if !e.Inline {
		at = f.objects.Offset(e.Heap.Collection)
		data, err := f.objects.GlobalHeapObject(ctx, e.Heap)
		if err != nil {
			return r, err
		}
		if uint64(e.Size) > uint64(len(data)) {
			return r, h5err.At(h5err.Corrupt, "reference", at, "it is longer than the global heap object that holds it")
		}
		if block, err = format.DecodeReferenceBlock(cursor.New(data[:e.Size], at), &e); err != nil {
			return r, err
		}
	}
	addr, ok := block.Addr(z)
	if !ok {
		return r, h5err.At(h5err.Corrupt, "reference", at, "an object token that is not an address")
	}
	r.Address, r.File, r.Attribute = addr, block.File, block.Attribute
	if r.Kind == RegionReference2 {
		r.Selection = regionSelection(&block.Selection)
	}
	return r, nil
}

// Dereference opens the object that a reference leads to: the object itself, or
// the one that the region or the attribute belongs to. One in another file is
// opened as an external link is: if Options.External allows it.
func (f *File) Dereference(ctx context.Context, r *Reference) (*Object, error) {
	if r.Null {
		return nil, newError(h5err.NotFound, "the reference is null")
	}
	at := f
	if r.File != "" {
		var err error
		if at, err = f.referenced(ctx, r.File); err != nil {
			return nil, h5err.In(err, "dereference", "")
		}
	}
	return at.ObjectAt(ctx, r.Address)
}

// OpenReference is Dereference of an element as Reference takes it.
func (f *File) OpenReference(ctx context.Context, element []byte) (*Object, error) {
	r, err := f.reference(ctx, element)
	if err != nil {
		return nil, err
	}
	return f.Dereference(ctx, &r)
}

// referenced returns the other file that a reference names.
func (f *File) referenced(ctx context.Context, name string) (*File, error) {
	if f.options.External == RefuseExternal {
		return nil, newError(h5err.Permission,
			"the reference leads to file %q; such references are followed only if the option that allows external files is set", name)
	}
	of, err := f.openLinked(ctx, "", name)
	if err != nil {
		return nil, err
	}
	return f.sibling(of), nil
}

// AppendReference describes what a reference says as the JSON that clawh5.h
// specifies. element is as Reference takes it.
func (f *File) AppendReference(ctx context.Context, dst, element []byte) ([]byte, error) {
	r, err := f.reference(ctx, element)
	if err != nil {
		return dst, err
	}
	w := jsonWriter{buf: dst}
	w.reference(&r)
	return w.buf, nil
}

func (w *jsonWriter) reference(r *Reference) {
	w.open('{')
	w.stringMember("kind", name(referenceNames[:], r.Kind))
	if r.Null {
		w.boolMember("null", true)
		w.close('}')
		return
	}
	w.uintMember("address", r.Address)
	if r.File != "" {
		w.stringMember("file", r.File)
	}
	switch r.Kind {
	case RegionReference, RegionReference2:
		w.object("selection")
		w.selection(&r.Selection)
		w.close('}')
	case AttributeReference:
		w.stringMember("attribute", r.Attribute)
	}
	w.close('}')
}
