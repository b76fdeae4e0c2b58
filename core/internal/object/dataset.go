package object

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// Dataset is what the header of a dataset tells about it.
type Dataset struct {
	Type     *format.Datatype
	Space    format.Dataspace
	Layout   format.Layout // Size of contiguous data is filled in
	Filters  []format.FilterDescription
	Fill     format.FillValue
	External *format.ExternalFiles // raw data in other files, with their names
	ModTime  int64                 // 0 if the file does not tell
}

// Dataset reads the facts of a dataset. Storage that cannot be read yet is
// described all the same.
func (f *File) Dataset(ctx context.Context, h *Header) (*Dataset, error) {
	if k := h.Kind(); k != KindDataset {
		return nil, h5err.At(h5err.Type, headerKind, f.Offset(h.Addr), fmt.Sprintf("a %s is no dataset", k))
	}
	var d Dataset
	var err error
	if d.Type, err = f.datatype(ctx, h.find(format.MsgDatatype)); err != nil {
		return nil, err
	}
	m, err := f.required(ctx, h, format.MsgDataspace)
	if err != nil {
		return nil, err
	}
	if d.Space, err = format.DecodeDataspace(m.Cursor(), f.Sizes()); err != nil {
		return nil, err
	}
	if m, err = f.required(ctx, h, format.MsgLayout); err != nil {
		return nil, err
	}
	if d.Layout, err = format.DecodeLayout(m.Cursor(), f.Sizes()); err != nil {
		return nil, err
	}
	if m, err = f.message(ctx, h, format.MsgFilterPipeline); err != nil {
		return nil, err
	}
	if m != nil {
		if d.Filters, err = format.DecodeFilterPipeline(m.Cursor(), f.Sizes()); err != nil {
			return nil, err
		}
	}
	if d.Fill, err = f.fillValue(ctx, h, d.Layout.Class); err != nil {
		return nil, err
	}
	if d.External, err = f.externalFiles(ctx, h); err != nil {
		return nil, err
	}
	d.ModTime, _ = h.ModTime()
	return &d, d.check(f, h)
}

// fillValue reads the fill value message, new or old. Datasets from before both
// count as having none, as libhdf5 has it: what was not written reads as zeros.
// Only for them does the layout say when space is allocated.
func (f *File) fillValue(ctx context.Context, h *Header, layout format.LayoutClass) (format.FillValue, error) {
	m, err := f.message(ctx, h, format.MsgFillValue)
	if err != nil {
		return format.FillValue{}, err
	}
	if m != nil {
		return format.DecodeFillValue(m.Cursor(), f.Sizes())
	}
	fill := format.FillValue{State: format.FillUndefined, WriteTime: 2}
	if m, err = f.message(ctx, h, format.MsgFillValueOld); err != nil {
		return fill, err
	}
	if m != nil {
		return format.DecodeFillValueOld(m.Cursor(), f.Sizes())
	}
	switch layout {
	case format.CompactLayout:
		fill.AllocTime = 1
	case format.ContiguousLayout:
		fill.AllocTime = 2
	default:
		fill.AllocTime = 3
	}
	return fill, nil
}

// externalFiles reads the external data files message and the names that it
// refers to.
func (f *File) externalFiles(ctx context.Context, h *Header) (*format.ExternalFiles, error) {
	m, err := f.message(ctx, h, format.MsgExternalFiles)
	if m == nil || err != nil {
		return nil, err
	}
	e, err := format.DecodeExternalFiles(m.Cursor(), f.Sizes())
	if err != nil {
		return nil, err
	}
	names, err := f.LocalHeap(ctx, e.Heap)
	if err != nil {
		return nil, err
	}
	for i := range e.Files {
		if e.Files[i].Name, err = names.String(e.Files[i].NameOffset); err != nil {
			return nil, err
		}
	}
	return &e, nil
}

// check compares the messages with each other.
func (d *Dataset) check(f *File, h *Header) error {
	corrupt := func(detail string, args ...any) error {
		return h5err.At(h5err.Corrupt, headerKind, f.Offset(h.Addr), fmt.Sprintf(detail, args...))
	}
	n, ok := d.Space.Elements()
	size, fits := cursor.Mul(n, uint64(d.Type.Size))
	if !ok || !fits {
		return corrupt("a dataset of %v elements of %d bytes", d.Space.Dims, d.Type.Size)
	}
	if fill := len(d.Fill.Value); fill > 0 && uint64(fill) != uint64(d.Type.Size) {
		return corrupt("a fill value of %d bytes for elements of %d", fill, d.Type.Size)
	}
	l := &d.Layout
	switch l.Class {
	case format.CompactLayout:
		if l.Size < size {
			return corrupt("%d bytes of compact data for %d", l.Size, size)
		}
	case format.ContiguousLayout:
		// Versions 1 and 2 have no size that could be trusted.
		if l.Version < 3 {
			l.Size = size
		}
		if l.Size < size && d.External == nil && l.Address != format.Undefined {
			return corrupt("%d bytes of contiguous data for %d", l.Size, size)
		}
	case format.ChunkedLayout:
		if len(l.ChunkDims) != len(d.Space.Dims) || l.ElemSize != d.Type.Size {
			return corrupt("chunks of %v elements of %d bytes in a dataset of %v elements of %d",
				l.ChunkDims, l.ElemSize, d.Space.Dims, d.Type.Size)
		}
	}
	return nil
}

// NamedDatatype returns the type that a committed datatype is.
func (f *File) NamedDatatype(ctx context.Context, h *Header) (*format.Datatype, error) {
	if k := h.Kind(); k != KindDatatype {
		return nil, h5err.At(h5err.Type, headerKind, f.Offset(h.Addr), fmt.Sprintf("a %s is no datatype", k))
	}
	m, err := f.required(ctx, h, format.MsgDatatype)
	if err != nil {
		return nil, err
	}
	d, err := format.DecodeDatatype(m.Cursor(), f.Sizes())
	if err != nil {
		return nil, err
	}
	d.Committed = h.Addr
	return d, nil
}
