package object

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
)

// Attribute is an attribute of an object.
type Attribute struct {
	Name    string
	Charset format.CharacterSet
	Type    *format.Datatype
	Space   format.Dataspace
	Data    []byte // the value as it lies in the file
	Offset  int64  // of Data in the file, or -1 if it does not lie there as it is

	Order    int64 // of creation
	HasOrder bool

	// Err tells why there is only a name: type or space are corrupt or not
	// supported. The other attributes of the object are not touched by that.
	Err error
}

// Attributes returns the attributes of an object, in the byte order of their
// names, or in creation order if the object tracks it and byCreation asks for
// it.
func (f *File) Attributes(ctx context.Context, h *Header, byCreation bool) ([]Attribute, error) {
	info, err := f.attributeInfo(ctx, h)
	if err != nil {
		return nil, err
	}
	list := make([]Attribute, 0, h.count(format.MsgAttribute))
	for i := range h.Messages {
		m := &h.Messages[i]
		if m.Type != format.MsgAttribute {
			continue
		}
		a, err := f.compactAttribute(ctx, h, m)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	if info.Dense() {
		if list, err = f.denseAttributes(ctx, h, &info, list); err != nil {
			return nil, err
		}
	}
	order := func(a, b Attribute) int { return strings.Compare(a.Name, b.Name) }
	if byCreation && h.OrderTracked {
		order = func(a, b Attribute) int { return cmp.Compare(a.Order, b.Order) }
	}
	if !slices.IsSortedFunc(list, order) {
		slices.SortFunc(list, order)
	}
	return list, nil
}

// attributeInfo returns where dense attributes lie; nowhere without the message.
func (f *File) attributeInfo(ctx context.Context, h *Header) (format.AttributeInfo, error) {
	m, err := f.message(ctx, h, format.MsgAttributeInfo)
	if m == nil || err != nil {
		return format.AttributeInfo{DenseStorage: format.DenseStorage{Heap: format.Undefined}}, err
	}
	return format.DecodeAttributeInfo(m.Cursor(), f.Sizes())
}

func (f *File) attributeMessage(ctx context.Context, m *format.Message) (format.Attribute, error) {
	m, err := f.body(ctx, m)
	if err != nil {
		return format.Attribute{}, err
	}
	return format.DecodeAttribute(m.Cursor(), f.Sizes())
}

func (f *File) compactAttribute(ctx context.Context, h *Header, m *format.Message) (Attribute, error) {
	raw, err := f.attributeMessage(ctx, m)
	if err != nil {
		return Attribute{}, err
	}
	a, err := f.attribute(ctx, &raw)
	a.Order, a.HasOrder = int64(m.CreationOrder), h.OrderTracked
	return a, err
}

// attribute resolves type and space of an attribute message.
func (f *File) attribute(ctx context.Context, raw *format.Attribute) (Attribute, error) {
	a := Attribute{Name: raw.Name, Charset: raw.Charset, Offset: max(raw.DataOffset, -1)}
	err := f.describe(ctx, &a, raw)
	if errors.Is(err, h5err.Corrupt) || errors.Is(err, h5err.Unsupported) {
		return Attribute{Name: raw.Name, Charset: raw.Charset, Offset: -1, Err: err}, nil
	}
	return a, err
}

func (f *File) describe(ctx context.Context, a *Attribute, raw *format.Attribute) (err error) {
	if a.Type, err = f.datatype(ctx, &raw.Type); err != nil {
		return err
	}
	space, err := f.body(ctx, &raw.Space)
	if err != nil {
		return err
	}
	if a.Space, err = format.DecodeDataspace(space.Cursor(), f.Sizes()); err != nil {
		return err
	}
	n, fits := a.Space.Elements()
	size, ok := cursor.Mul(n, uint64(a.Type.Size))
	if !fits || !ok || size > uint64(len(raw.Data)) {
		return h5err.At(h5err.Corrupt, "attribute message", a.Offset, fmt.Sprintf(
			"%d elements of %d bytes in %d bytes", n, a.Type.Size, len(raw.Data)))
	}
	a.Data = raw.Data[:size:size]
	return nil
}

func (f *File) denseAttributes(ctx context.Context, h *Header, info *format.AttributeInfo, list []Attribute) ([]Attribute, error) {
	var records []format.AttributeRecord
	heap, _, err := f.denseIDs(ctx, &info.DenseStorage, format.AttributeNameRecords, func(rec []byte) ([]byte, error) {
		r, err := format.DecodeAttributeRecord(cursor.New(rec, nowhere), format.AttributeNameRecords)
		id := r.ID
		r.ID = slices.Clone(id)
		records = append(records, r)
		if format.MessageFlags(r.Flags)&format.FlagShared != 0 {
			id = nil // lies in another heap
		}
		return id, err
	})
	if err != nil {
		return nil, err
	}
	list = slices.Grow(list, len(records))
	for i := range records {
		a, err := f.denseAttribute(ctx, h, heap, &records[i])
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

func (f *File) denseAttribute(ctx context.Context, h *Header, heap *meta.FractalHeap, r *format.AttributeRecord) (Attribute, error) {
	raw, err := f.denseAttributeMessage(ctx, heap, r)
	if err != nil {
		return Attribute{}, err
	}
	a, err := f.attribute(ctx, &raw)
	a.Order, a.HasOrder = int64(r.Order), h.OrderTracked
	return a, err
}

func (f *File) denseAttributeMessage(ctx context.Context, heap *meta.FractalHeap, r *format.AttributeRecord) (format.Attribute, error) {
	if format.MessageFlags(r.Flags)&format.FlagShared != 0 {
		m := format.Message{Type: format.MsgAttribute, Offset: nowhere}
		if err := f.fromHeap(ctx, &m, r.ID); err != nil {
			return format.Attribute{}, err
		}
		return format.DecodeAttribute(m.Cursor(), f.Sizes())
	}
	c, err := heapObject(ctx, heap, r.ID)
	if err != nil {
		return format.Attribute{}, err
	}
	return format.DecodeAttribute(c, f.Sizes())
}

// Attribute returns the attribute of a name, or NotFound. Dense attributes are
// searched by the hash of the name, not listed.
func (f *File) Attribute(ctx context.Context, h *Header, name string) (Attribute, error) {
	info, err := f.attributeInfo(ctx, h)
	if err != nil {
		return Attribute{}, err
	}
	a, ok, err := f.findCompact(ctx, h, name)
	if err == nil && !ok && info.Dense() {
		a, ok, err = f.findDense(ctx, h, &info, name)
	}
	switch {
	case err != nil:
		return Attribute{}, err
	case !ok:
		return Attribute{}, h5err.New(h5err.NotFound, fmt.Sprintf("no attribute %q", name))
	}
	return a, a.Err
}

func (f *File) findCompact(ctx context.Context, h *Header, name string) (Attribute, bool, error) {
	for i := range h.Messages {
		m := &h.Messages[i]
		if m.Type != format.MsgAttribute {
			continue
		}
		raw, err := f.attributeMessage(ctx, m)
		if err != nil {
			return Attribute{}, false, err
		}
		if raw.Name == name {
			a, err := f.attribute(ctx, &raw)
			a.Order, a.HasOrder = int64(m.CreationOrder), h.OrderTracked
			return a, true, err
		}
	}
	return Attribute{}, false, nil
}

func (f *File) findDense(ctx context.Context, h *Header, info *format.AttributeInfo, name string) (a Attribute, ok bool, err error) {
	heap, err := f.FractalHeap(ctx, info.Heap)
	if err != nil {
		return a, false, err
	}
	tree, err := f.nameTree(ctx, &info.DenseStorage, format.AttributeNameRecords)
	if err != nil {
		return a, false, err
	}
	hash := cursor.Lookup3([]byte(name), 0)
	record := func(rec []byte) (format.AttributeRecord, error) {
		return format.DecodeAttributeRecord(cursor.New(rec, nowhere), format.AttributeNameRecords)
	}
	compare := func(rec []byte) int {
		r, err := record(rec)
		if err != nil {
			return -1 // the tree has no such records; the search ends
		}
		return cmp.Compare(r.Hash, hash)
	}
	err = tree.Find(ctx, compare, func(rec []byte) error {
		r, err := record(rec)
		if err != nil {
			return err
		}
		raw, err := f.denseAttributeMessage(ctx, heap, &r)
		if err != nil || raw.Name != name { // names of the same hash are rare, but exist
			return err
		}
		if a, err = f.attribute(ctx, &raw); err != nil {
			return err
		}
		a.Order, a.HasOrder, ok = int64(r.Order), h.OrderTracked, true
		return meta.ErrStop
	})
	return a, ok, err
}

// AttributeCount returns the number of attributes of an object.
func (f *File) AttributeCount(ctx context.Context, h *Header) (uint64, error) {
	n := h.count(format.MsgAttribute)
	info, err := f.attributeInfo(ctx, h)
	if err != nil || !info.Dense() {
		return n, err
	}
	tree, err := f.nameTree(ctx, &info.DenseStorage, format.AttributeNameRecords)
	if err != nil {
		return 0, err
	}
	return n + tree.Header().TotalRecords, nil
}
