package dump

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// Comments on data that the grammar of h5dump's XML has no form for.
const (
	noteCompound = "<!-- Note: format of compound data not specified -->"
	noteSequence = "<!-- Note: format of VL data not specified -->"
	noteRegion   = "<!-- Note: Region references not supported -->"
	noteTime     = "<!-- Time data not yet implemented. -->"
)

// attributeData writes the value of an attribute, which stands on the level of
// what else is told of it.
func (x *xmlWriter) attributeData(o *core.Object, a *core.AttributeInfo) {
	if !x.opts.attributeData || a.Null {
		x.in("Data", func() { x.empty("/", "NoData") })
		return
	}
	r := x.attributeReading(o, a)
	switch a.Type.Class() {
	case core.ClassTime:
		x.level++
		x.open("Data")
		x.line(noteTime)
		x.empty("/", "NoData")
		x.line("<hdf5:Data>")
		x.end("Data")
		x.level--
	case core.ClassReference:
		x.references(r)
	case core.ClassCompound:
		x.line(noteCompound)
		x.data(r)
	case core.ClassVlen:
		x.line(noteSequence)
		x.data(r)
	case core.ClassComplex:
		x.noData(a.Type)
	default:
		x.data(r)
	}
}

// datasetData writes the values of a dataset. h5dump writes some of that on
// other levels than the rest of the dataset.
func (x *xmlWriter) datasetData(o *core.Object, d *core.Dataset) {
	size, err := d.StorageSize(x.ctx)
	if err != nil {
		x.explain(err)
		x.status = exitFailure
	}
	if !x.opts.data || size == 0 {
		x.in("Data", func() { x.empty("/", "NoData") })
		return
	}
	r := x.reading(o, d, nil)
	switch t := d.Datatype(); t.Class() {
	case core.ClassTime:
		x.open("Data")
		x.line(noteTime)
		x.empty(" /", "NoData")
		x.open("Data")
	case core.ClassReference:
		x.at(x.level-1, func() { x.references(r) })
	case core.ClassCompound:
		x.at(x.level-1, func() { x.line(noteCompound) })
		x.data(r)
	case core.ClassVlen:
		x.at(x.level-2, func() { x.line(noteSequence) })
		x.data(r)
	case core.ClassComplex:
		x.at(x.level-1, func() { x.noData(t) })
	default:
		x.data(r)
	}
}

func (x *xmlWriter) noData(t core.Datatype) {
	x.open("Data")
	x.line("<!-- Unknown datatype: %d -->", t.Class())
	x.empty("/", "NoData")
	x.end("Data")
}

// data writes values, one element a line.
func (x *xmlWriter) data(r *reading) {
	x.in("Data", func() {
		x.open("DataFromFile")
		var err error
		if r.typ.Class() == core.ClassString {
			err = x.strings(r)
		} else {
			err = x.numbers(r)
		}
		if err != nil {
			x.explain(err)
			x.level++
			x.line("Unable to print data.")
			x.level--
			x.status = exitFailure
		}
		x.end("DataFromFile")
	})
}

// numbers writes elements as HDF5's tools print them, without what stands
// around and between their parts.
func (x *xmlWriter) numbers(r *reading) error {
	f := x.format
	f.ArrayOpen, f.ArraySeparator, f.ArrayClose, f.ArrayRows = "", "", "", false
	f.CompoundOpen, f.CompoundSeparator, f.CompoundClose, f.CompoundEnd = "", " ", "", ""
	f.SequenceOpen, f.SequenceSeparator, f.SequenceClose = " ", " ", ""
	f.Separator, f.Escape, f.IndexFirst = "", false, false
	f.Reference = x.referenceText(r.object.File())
	l := render.Layout{Indent: x.level, Break: true}
	err := x.elements(&l, &f, r)
	if l.Column > 0 && x.out != nil {
		fmt.Fprintln(x.out)
	}
	return err
}

// strings writes the elements of a string type.
func (x *xmlWriter) strings(r *reading) error {
	return x.each(r, func(element, heap []byte) {
		text := element
		if r.memory.IsVariableString() {
			off, n := binary.LittleEndian.Uint64(element), binary.LittleEndian.Uint64(element[8:])
			if off == core.NullOffset || off > uint64(len(heap)) || n > uint64(len(heap))-off {
				x.line("NULL")
				return
			}
			text = heap[off : off+n]
		}
		text, _, _ = bytes.Cut(text, []byte{0})
		x.line(`"%s"`, escapeText(string(text)))
	})
}

// each calls do with the elements of what is read.
func (x *xmlWriter) each(r *reading, do func(element, heap []byte)) error {
	n, ok := r.space.Elements()
	if !ok {
		return errTooLarge
	}
	data, heap, err := r.read(core.All(), n)
	if err != nil {
		return err
	}
	for size := r.memory.Size(); size > 0 && uint64(len(data)) >= size; data = data[size:] {
		do(data[:size], heap)
	}
	return nil
}

// references writes the paths of the objects that references lead to.
func (x *xmlWriter) references(r *reading) {
	x.open("Data")
	if r.typ.ReferenceKind() != core.ObjectReference {
		x.line(noteRegion)
		x.empty(" /", "NoData")
		x.end("Data")
		return
	}
	x.open("DataFromFile")
	x.level++
	err := x.each(r, func(element, _ []byte) {
		path := "NULL"
		if ref, err := r.object.File().Reference(x.ctx, r.typ, element); err == nil && !ref.Null {
			if p := x.tables.pathOf(ref.Address); p != "" {
				path = escapeText(p)
			}
		}
		x.line(`"%s"`, path)
	})
	x.level--
	if err != nil {
		x.explain(err)
		x.status = exitFailure
	}
	x.end("DataFromFile")
	x.end("Data")
}
