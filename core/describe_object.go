package core

import (
	"clawh5/core/internal/format"
	"clawh5/core/internal/object"
)

// facts renders one OBJECT.
func (w *descriptionWriter) facts(f *facts) {
	o := f.object
	w.open('{')
	w.stringMember("kind", o.Kind().String())
	w.uintMember("address", o.addr)
	w.stringMember("name", f.name)
	if f.err != nil {
		w.stringMember("error", f.err.Error())
		w.close('}')
		return
	}
	if !o.file.opened {
		w.stringMember("file", o.file.Location())
	}
	w.header(o.header)
	switch o.Kind() {
	case GroupKind:
		w.group(f)
	case DatasetKind:
		w.dataset(f)
	case DatatypeKind:
		d, _ := o.datatype(w.ctx)
		w.intMember("type", int64(w.typeIndex(d)))
	}
	w.attributes(f)
	w.close('}')
}

func (w *descriptionWriter) header(h *object.Header) {
	w.uintMember("refcount", uint64(h.RefCount))
	if t, ok := h.ModTime(); ok {
		w.intMember("mtime", t)
	}
	if c := h.Comment(); c != "" {
		w.stringMember("comment", c)
	}
}

func (w *descriptionWriter) group(f *facts) {
	tracked, indexed := f.object.file.objects.CreationOrderTracked(f.object.header)
	w.uintMember("nlinks", f.nlinks)
	w.boolMember("links_tracked", tracked)
	w.boolMember("links_indexed", indexed)
	if w.flags&DescribeLinks == 0 {
		return
	}
	w.array("links")
	for i := range f.links {
		w.link(&f.links[i])
	}
	w.close(']')
}

func linkName(t format.LinkType) string {
	switch t {
	case format.HardLink:
		return "hard"
	case format.SoftLink:
		return "soft"
	case format.ExternalLink:
		return "external"
	}
	return "user"
}

func (w *jsonWriter) link(l *object.Link) {
	w.open('{')
	w.stringMember("name", l.Name)
	w.stringMember("kind", linkName(l.Type))
	switch l.Type {
	case format.HardLink:
		w.uintMember("address", l.Addr)
	case format.ExternalLink:
		w.stringMember("file", l.File)
		fallthrough
	case format.SoftLink:
		w.stringMember("target", l.Target)
	}
	w.stringMember("cset", name(charsetNames[:], l.Charset))
	w.close('}')
}

var spaceNames = [...]string{"scalar", "simple", "null"}

func (w *jsonWriter) dataspace(s *format.Dataspace) {
	w.stringMember("space", name(spaceNames[:], s.Kind))
	w.uintsMember("shape", s.Dims)
}

func (w *jsonWriter) maxshape(s *format.Dataspace) {
	dims := s.MaxDims
	if dims == nil {
		dims = s.Dims
	}
	w.array("maxshape")
	for _, n := range dims {
		if n == format.Unlimited {
			w.raw("null")
		} else {
			w.uint(n)
		}
	}
	w.close(']')
}

func (w *descriptionWriter) attributes(f *facts) {
	w.uintMember("nattributes", f.nattrs)
	w.boolMember("attributes_tracked", f.object.attributesTracked())
	if f.attrErr != nil {
		w.stringMember("attributes_error", f.attrErr.Error())
	}
	if w.flags&(DescribeAttributes|DescribeValues) == 0 {
		return
	}
	w.array("attributes")
	for i := range f.attributes {
		var v *value
		if f.values != nil {
			v = &f.values[i]
		}
		w.attribute(&f.attributes[i], v)
	}
	w.close(']')
}

func (w *descriptionWriter) attribute(a *object.Attribute, v *value) {
	w.open('{')
	w.stringMember("name", a.Name)
	w.stringMember("cset", name(charsetNames[:], a.Charset))
	if a.Err != nil {
		w.stringMember("error", a.Err.Error())
		w.close('}')
		return
	}
	w.intMember("type", int64(w.typeIndex(a.Type)))
	w.dataspace(&a.Space)
	if v != nil {
		w.object("value")
		w.data("data", v)
		w.close('}')
	}
	w.close('}')
}

// data writes the members of a DATA, or of another object that has the elements
// under another key.
func (w *jsonWriter) data(key string, v *value) {
	if v.err != nil {
		w.stringMember("error", v.err.Error())
		return
	}
	w.base64Member(key, v.data)
	if v.heap != nil {
		w.base64Member("heap", v.heap)
	}
}
