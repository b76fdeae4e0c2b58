package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/object"
)

func (o *Object) attribute(ctx context.Context, name string) (object.Attribute, error) {
	h, err := o.loadHeader(ctx)
	if err != nil {
		return object.Attribute{}, h5err.In(err, "attribute", o.path)
	}
	a, err := o.file.objects.Attribute(ctx, h, name)
	if err == nil {
		err = a.Err
	}
	return a, h5err.In(err, "attribute", o.path+"@"+name)
}

// AppendAttribute describes one attribute with its value as JSON.
func (o *Object) AppendAttribute(ctx context.Context, dst []byte, name string) ([]byte, error) {
	a, err := o.attribute(ctx, name)
	if err != nil {
		return dst, err
	}
	v := o.file.attributeValue(ctx, &a, o.file.heapLimit())
	if v.err != nil {
		return dst, h5err.In(v.err, "attribute", o.path+"@"+name)
	}
	w := descriptionWriter{jsonWriter: jsonWriter{buf: dst}, ctx: ctx, types: map[string]int{}}
	w.open('{')
	w.array("objects")
	w.close(']')
	w.key("attribute")
	w.attribute(&a, &v)
	w.typeTable()
	w.close('}')
	return w.buf, nil
}

// ReadAttribute reads the value of an attribute without variable-length data
// into dst, whose length must be exact.
func (o *Object) ReadAttribute(ctx context.Context, name string, mem MemoryType, dst []byte) error {
	a, err := o.attribute(ctx, name)
	if err != nil {
		return err
	}
	return h5err.In(o.file.readAttribute(ctx, &a, mem, dst), "attribute", o.path+"@"+name)
}

func (f *File) readAttribute(ctx context.Context, a *object.Attribute, mem MemoryType, dst []byte) error {
	if a.Type.HasVariableLength() {
		return newError(h5err.Type, "the attribute has variable-length data, which its description gives")
	}
	memory, err := mem.of(a.Type)
	if err != nil {
		return err
	}
	_, err = f.convertAttribute(ctx, a, memory, dst)
	return err
}

// ReadAttributeAs reads the value of an attribute as a memory datatype of the
// caller's choice into dst, whose length must be exact, and returns the heap.
// Conversion is that of Dataset.ReadAs.
func (o *Object) ReadAttributeAs(ctx context.Context, name string, mem Datatype, dst []byte) ([]byte, error) {
	a, err := o.attribute(ctx, name)
	if err != nil {
		return nil, err
	}
	memory, err := mem.memory()
	if err != nil {
		return nil, h5err.In(err, "attribute", o.path+"@"+name)
	}
	heap, err := o.file.convertAttribute(ctx, &a, memory, dst)
	return heap, h5err.In(err, "attribute", o.path+"@"+name)
}

// convertAttribute converts the value to memory in dst and returns the heap.
func (f *File) convertAttribute(ctx context.Context, a *object.Attribute, memory *format.Datatype, dst []byte) ([]byte, error) {
	r, err := newReader(a.Type, memory, f.objects.Sizes().Offset)
	if err != nil {
		return nil, err
	}
	n, err := attributeElements(a)
	if err != nil {
		return nil, err
	}
	if err := checkSpace(uint64(n), r.size(), len(dst)); err != nil {
		return nil, err
	}
	return r.convert(ctx, f, dst, a.Data[:n*int(a.Type.Size)], n, f.heapLimit())
}

// attributeElements returns how many elements the attribute has, which its data
// must hold.
func attributeElements(a *object.Attribute) (int, error) {
	n, fits := elements(&a.Space)
	size, ok := cursor.Mul(n, uint64(a.Type.Size))
	if !fits || !ok || size > uint64(len(a.Data)) {
		return 0, h5err.At(h5err.Corrupt, "Attribute Message", a.Offset, "the value has fewer bytes than its dataspace needs")
	}
	count, ok := cursor.ToInt(n)
	if !ok {
		return 0, h5err.At(h5err.Limit, "Attribute Message", a.Offset, "too many elements for this platform")
	}
	return count, nil
}

// elements returns the number of elements of a dataspace and whether it fits.
func elements(s *format.Dataspace) (uint64, bool) {
	if s.Kind == format.NullSpace {
		return 0, true
	}
	return cursor.Product(s.Dims)
}

// attributeValue converts an attribute's bytes to their memory form, with at
// most limit bytes of variable-length data.
func (f *File) attributeValue(ctx context.Context, a *object.Attribute, limit int64) value {
	n, err := attributeElements(a)
	if err != nil {
		return value{err: err}
	}
	data := a.Data[:n*int(a.Type.Size)]
	if !a.Type.HasVariableLength() {
		return value{data: data}
	}
	return f.resolveVariable(ctx, a.Type, data, n, limit)
}

// resolveVariable converts n elements of raw bytes in the file's form, with at
// most limit bytes of variable-length data.
func (f *File) resolveVariable(ctx context.Context, d *format.Datatype, raw []byte, n int, limit int64) value {
	memory, err := inMemory(d)
	if err != nil {
		return value{err: err}
	}
	r, err := newReader(d, memory, f.objects.Sizes().Offset)
	if err != nil {
		return value{err: err}
	}
	return f.values(ctx, r, raw, n, limit)
}

// Attribute returns the value of one attribute.
func (o *Object) Attribute(ctx context.Context, name string) (*Values, error) {
	return o.attributeValues(ctx, name, func(d *format.Datatype) (*format.Datatype, error) { return MemoryFile.of(d) })
}

// AttributeAs returns the value of one attribute as a memory datatype of the
// caller's choice, converted as Dataset.ReadValuesAs does.
func (o *Object) AttributeAs(ctx context.Context, name string, mem Datatype) (*Values, error) {
	return o.attributeValues(ctx, name, func(*format.Datatype) (*format.Datatype, error) { return mem.memory() })
}

func (o *Object) attributeValues(ctx context.Context, name string, memory func(*format.Datatype) (*format.Datatype, error)) (*Values, error) {
	a, err := o.attribute(ctx, name)
	if err != nil {
		return nil, err
	}
	v, err := o.file.valuesOf(ctx, &a, memory)
	return v, h5err.In(err, "attribute", o.path+"@"+name)
}

func (f *File) valuesOf(ctx context.Context, a *object.Attribute, memory func(*format.Datatype) (*format.Datatype, error)) (*Values, error) {
	m, err := memory(a.Type)
	if err != nil {
		return nil, err
	}
	r, err := newReader(a.Type, m, f.objects.Sizes().Offset)
	if err != nil {
		return nil, err
	}
	n, err := attributeElements(a)
	if err != nil {
		return nil, err
	}
	v := f.values(ctx, r, a.Data[:n*int(a.Type.Size)], n, f.heapLimit())
	return &Values{Shape: a.Space.Dims, d: a.Type, memory: m, data: v.data, heap: v.heap}, v.err
}
