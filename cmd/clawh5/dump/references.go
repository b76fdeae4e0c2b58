package dump

import (
	"errors"
	"fmt"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

var kindNames = map[core.Kind]string{core.GroupKind: "GROUP", core.DatasetKind: "DATASET", core.DatatypeKind: "DATATYPE"}

// referenceText returns how references that are members of something are
// printed, those in a file.
func (d *dumper) referenceText(f *core.File) func(dst []byte, t core.Datatype, element, heap []byte) []byte {
	return func(dst []byte, t core.Datatype, element, _ []byte) []byte {
		ref, err := f.Reference(d.ctx, t, element)
		switch {
		case err != nil:
			d.explain(err)
			return append(dst, "<unknown>"...)
		case ref.Null:
			return append(dst, "NULL"...)
		}
		switch ref.Kind {
		case core.ObjectReference, core.RegionReference:
			return d.oldReference(dst, f, &ref)
		}
		return append(dst, d.newReference(f, &ref)...)
	}
}

// oldReference names what a reference of the first generation leads to.
func (d *dumper) oldReference(dst []byte, f *core.File, ref *core.Reference) []byte {
	o, err := f.ObjectAt(d.ctx, ref.Address)
	if err != nil {
		d.explain(err)
		return append(dst, "<unknown>"...)
	}
	path := d.tables(f).pathOf(ref.Address)
	if ref.Kind == core.RegionReference {
		return fmt.Appendf(dst, "DATASET \"%s\"", path)
	}
	kind, number := nameOr(kindNames, o.Kind(), "UNKNOWN"), " "
	if d.counted {
		number = "-1:" // of the file
	}
	return fmt.Appendf(dst, "%s%s%d \"%s\"", kind, number, ref.Address, path)
}

// newReference names what a reference leads to, file and all.
func (d *dumper) newReference(f *core.File, ref *core.Reference) string {
	file, path, attribute := ref.File, "", ""
	kind := "UNKNOWN"
	if file == "" {
		file = d.fileName(f)
	}
	if o, err := f.Dereference(d.ctx, ref); err == nil {
		kind = nameOr(kindNames, o.Kind(), kind)
		path = d.tables(o.File()).pathOf(o.Address())
	} else {
		d.explain(err)
	}
	switch ref.Kind {
	case core.RegionReference, core.RegionReference2:
		kind = "DATASET"
	case core.AttributeReference:
		kind, attribute = "ATTRIBUTE", "/"+ref.Attribute
	}
	return fmt.Sprintf("%s \"%s%s%s\"", kind, file, path, attribute)
}

// fileName returns the name by which a file was opened.
func (d *dumper) fileName(f *core.File) string {
	if f == d.main {
		return d.name
	}
	return f.Location()
}

// errNullReference is what libhdf5 says of a reference that leads nowhere.
var errNullReference = errors.New("a null reference: NULL token size")

// references prints references, one a line, and what they lead to: the data of
// datasets, the extent of regions and, with -R, their data.
func (d *dumper) references(l render.Layout, r *reading) {
	n, ok := r.space.Elements()
	if !ok {
		d.explain(errTooLarge)
		return
	}
	f := r.object.File()
	data, _, err := r.read(core.All(), n)
	if err != nil {
		d.explain(err)
		return
	}
	size := r.memory.Size()
	for i := uint64(0); size > 0 && i < n && (i+1)*size <= uint64(len(data)); i++ {
		ref, err := f.Reference(d.ctx, r.typ, data[i*size:(i+1)*size])
		l.Break = true
		if err != nil {
			d.explain(err)
			l.Put(d.out, &d.format, "<unknown>", i, n)
			continue
		}
		if ref.Null {
			d.explain(errNullReference)
			l.Put(d.out, &d.format, "NULL", i, n)
			continue
		}
		l.Put(d.out, &d.format, d.newReference(f, &ref), i, n)
		d.referenced(&l, f, &ref, i)
	}
}

// referenced prints what a reference leads to.
func (d *dumper) referenced(l *render.Layout, f *core.File, ref *core.Reference, i uint64) {
	o, err := f.Dereference(d.ctx, ref)
	if err != nil {
		d.explain(err)
		if ref.Kind == core.AttributeReference {
			d.nothing(l)
		}
		return
	}
	switch ref.Kind {
	case core.AttributeReference:
		d.referencedAttribute(l, o, ref.Attribute)
	case core.RegionReference, core.RegionReference2:
		if data, err := o.Dataset(d.ctx); err != nil {
			d.explain(err)
		} else {
			d.region(l, o, data, &ref.Selection, i)
		}
	default:
		if o.Kind() != core.DatasetKind {
			return
		}
		data, err := o.Dataset(d.ctx)
		if err != nil {
			d.explain(err)
			return
		}
		l.Indent++
		d.values(l, d.reading(o, data, nil))
		l.Indent--
	}
}

func (d *dumper) nothing(l *render.Layout) {
	d.put(l, " {")
	l.Indent++
	d.line(l, "NULL")
	l.Indent--
	d.line(l, "}")
}

func (d *dumper) referencedAttribute(l *render.Layout, o *core.Object, name string) {
	a, err := o.AttributeInfo(d.ctx, name)
	if err != nil {
		d.explain(err)
		d.nothing(l)
		return
	}
	d.put(l, " {")
	l.Indent++
	space := attributeSpace(&a)
	d.nestedType(l, a.Type)
	d.line(l, "DATASPACE  %s", dataspace(&space))
	if d.opts.regions {
		d.values(l, d.attributeReading(o, &a))
	}
	l.Indent--
	d.line(l, "}")
}

// nestedType prints a type one level further in than elsewhere.
func (d *dumper) nestedType(l *render.Layout, t core.Datatype) {
	l.Break = true
	l.Indent++
	end := d.datatype(l, "DATATYPE  ", t, true)
	l.Indent--
	d.put(l, end)
}
