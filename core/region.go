package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// AppendRegion describes where a dataset region reference leads, as the JSON
// that clawh5.h specifies. ref is the element as the file has it: the global heap
// ID of the object that holds the dataset's address and the selection (spec VIII).
func (f *File) AppendRegion(ctx context.Context, dst, ref []byte) ([]byte, error) {
	r, err := f.region(ctx, ref)
	if err != nil {
		return dst, h5err.In(err, "follow a region reference", "")
	}
	w := jsonWriter{buf: dst}
	w.open('{')
	w.uintMember("address", r.Addr)
	w.object("selection")
	w.selection(&r.Selection)
	w.close('}')
	w.close('}')
	return w.buf, nil
}

func (f *File) region(ctx context.Context, ref []byte) (format.RegionReference, error) {
	z := f.objects.Sizes()
	if len(ref) != format.GlobalHeapIDSize(z) {
		return format.RegionReference{}, badArgument("a region reference of %d bytes, %d are needed", len(ref), format.GlobalHeapIDSize(z))
	}
	c := cursor.New(ref, 0)
	id := format.GlobalHeapID{Collection: c.Addr(z.Offset), Index: c.U32()}
	if id.Collection == 0 || id.Collection == format.Undefined {
		return format.RegionReference{}, newError(h5err.NotFound, "the reference is null")
	}
	data, err := f.objects.GlobalHeapObject(ctx, id)
	if err != nil {
		return format.RegionReference{}, err
	}
	return format.DecodeRegionReference(cursor.New(data, f.objects.Offset(id.Collection)), z)
}

func (w *jsonWriter) selection(s *format.EncodedSelection) {
	switch {
	case s.Kind == format.SelectNone:
		w.stringMember("kind", "none")
	case s.Kind == format.SelectAll:
		w.stringMember("kind", "all")
	case s.Kind == format.SelectPoints:
		w.stringMember("kind", "points")
		w.uintsMember("points", s.Points)
	case s.Regular():
		w.stringMember("kind", "hyperslab")
		w.uintsMember("start", s.Start)
		w.uintsMember("stride", s.Stride)
		w.uintsMember("count", s.Count)
		w.uintsMember("block", s.Block)
	default:
		w.stringMember("kind", "blocks")
		w.uintsMember("blocks", s.Blocks)
	}
}
