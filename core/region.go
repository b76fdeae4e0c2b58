package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// AppendRegion describes where a dataset region reference of the old kind leads,
// as the JSON that clawh5.h specifies. ref is the element as the file has it.
func (f *File) AppendRegion(ctx context.Context, dst, ref []byte) ([]byte, error) {
	if want := format.GlobalHeapIDSize(f.objects.Sizes()); len(ref) != want {
		return dst, badArgument("a region reference of %d bytes, %d are needed", len(ref), want)
	}
	r, err := f.reference(ctx, ref)
	if err == nil && r.Null {
		err = newError(h5err.NotFound, "the reference is null")
	}
	if err != nil {
		return dst, h5err.In(err, "follow a region reference", "")
	}
	w := jsonWriter{buf: dst}
	w.open('{')
	w.uintMember("address", r.Address)
	w.object("selection")
	w.selection(&r.Selection)
	w.close('}')
	w.close('}')
	return w.buf, nil
}

// selection writes the members of a selection.
func (w *jsonWriter) selection(s *RegionSelection) {
	w.stringMember("kind", s.Kind.String())
	switch s.Kind {
	case RegionPoints:
		w.uintsMember("points", s.Points)
	case RegionHyperslab:
		w.uintsMember("start", s.Start)
		w.uintsMember("stride", s.Stride)
		w.uintsMember("count", s.Count)
		w.uintsMember("block", s.Block)
	case RegionBlocks:
		w.uintsMember("blocks", s.Blocks)
	}
}
