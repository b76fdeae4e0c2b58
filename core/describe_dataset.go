package core

import (
	"clawh5/core/internal/filter"
	"clawh5/core/internal/format"
)

var (
	layoutNames = [...]string{"compact", "contiguous", "chunked", "virtual"}
	indexNames  = [...]string{"btree_v1", "single", "implicit", "fixed_array", "extensible_array", "btree_v2"}
	fillNames   = [...]string{"default", "defined", "undefined"}
	allocNames  = [...]string{"default", "early", "late", "incremental"}
	timeNames   = [...]string{"alloc", "never", "ifset"}
)

func (w *descriptionWriter) dataset(f *facts) {
	d, _ := f.object.Dataset(w.ctx)
	info := d.info
	w.intMember("type", int64(w.typeIndex(info.Type)))
	w.dataspace(&info.Space)
	w.maxshape(&info.Space)
	w.layout(d)
	w.array("filters")
	for i := range info.Filters {
		w.filter(&info.Filters[i])
	}
	w.close(']')
	w.fill(d)
}

func (w *descriptionWriter) layout(d *Dataset) {
	l := &d.info.Layout
	w.object("layout")
	w.stringMember("class", name(layoutNames[:], l.Class))
	switch l.Class {
	case format.ChunkedLayout:
		w.uintsMember("chunks", l.ChunkDims)
		w.stringMember("index", name(indexNames[:], l.Index))
	case format.ContiguousLayout:
		w.key("offset")
		if offset, ok := d.Offset(); ok {
			w.uint(offset)
		} else {
			w.raw("null")
		}
		w.boolMember("external", d.info.External != nil)
		w.externalFiles(d.info.External)
	case format.VirtualLayout:
		w.mappings(d)
	}
	w.close('}')
}

// mappings lists those of the object that the description is of: there may be
// many, and those of objects below it are not always wanted.
func (w *descriptionWriter) mappings(d *Dataset) {
	w.uintMember("nmappings", uint64(len(d.virtual.entries)))
	if d.object != w.subject {
		return
	}
	w.array("mappings")
	for _, m := range d.VirtualMappings() {
		w.open('{')
		w.stringMember("file", m.FileName)
		w.stringMember("dataset", m.DatasetName)
		w.side("virtual", &m.Virtual)
		w.side("source", &m.Source)
		w.close('}')
	}
	w.close(']')
}

func (w *jsonWriter) side(name string, s *RegionSelection) {
	w.object(name)
	w.intMember("rank", int64(s.Rank))
	w.selection(s)
	w.close('}')
}

func (w *jsonWriter) externalFiles(e *format.ExternalFiles) {
	if e == nil {
		return
	}
	w.array("external_files")
	for i := range e.Files {
		w.open('[')
		w.string(e.Files[i].Name)
		w.uint(e.Files[i].Offset)
		w.uint(e.Files[i].Size)
		w.close(']')
	}
	w.close(']')
}

func (w *jsonWriter) filter(f *format.FilterDescription) {
	w.open('{')
	w.uintMember("id", uint64(f.ID))
	n := f.Name
	if n == "" {
		n = filter.ID(f.ID).Name()
	}
	w.stringMember("name", n)
	w.boolMember("optional", f.Optional)
	w.array("params")
	for _, p := range f.Params {
		w.uint(uint64(p))
	}
	w.close(']')
	w.close('}')
}

func (w *descriptionWriter) fill(d *Dataset) {
	f := &d.info.Fill
	w.object("fill")
	w.stringMember("state", name(fillNames[:], f.State))
	w.stringMember("alloc", name(allocNames[:], f.AllocTime))
	w.stringMember("time", name(timeNames[:], f.WriteTime))
	if f.State == format.FillDefined {
		v := w.room.take(d.fillValue(w.ctx, w.room.left.Load()))
		w.data("value", &v)
	}
	w.close('}')
}
