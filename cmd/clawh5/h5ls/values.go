package h5ls

import (
	"errors"

	"clawh5/cmd/clawh5/dump"
	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// stripBytes is how much of a dataset is read at once.
const stripBytes = 32 << 20

// unwrapped is the width of lines that are not wrapped.
const unwrapped = 65535

// Levels that values are indented by.
const (
	datasetLevel   = 1
	attributeLevel = 3
)

// valueFormat returns the format of values of type t; next is the prefix of the
// lines that go on with an element.
func (o *options) valueFormat(t core.Datatype, next string) render.Format {
	f := render.Format{
		Float: "%1.6g", Double: "%1.15g", // all digits that are certain
		ArrayOpen: "[", ArrayClose: "]", CompoundOpen: "{", CompoundClose: "}",
		SequenceOpen: "(", SequenceClose: ")", SequenceSeparator: ",",
		Separator: ",", Space: " ", Indent: "   ", IndexFirst: true, Escape: true,
		Columns: unwrapped, Prefix: "        %s ", NextPrefix: "        %s" + next, Raw: o.hexdump,
	}
	if o.label {
		f.MemberName = "%s="
	}
	if o.simple {
		o.simpleFormat(&f)
	} else {
		f.ArraySeparator, f.ArrayJoined = ","+render.Break, true
		f.CompoundSeparator, f.SequenceSeparator = ", "+render.Break, ","+render.Break
		f.Repeat, f.KeepTogether = 8, true
		if o.noWrap {
			f.PerLine = 1
		} else {
			f.Columns = o.width
		}
	}
	if !o.hexdump && o.text && t.Size() == 1 && t.Class() == core.ClassInteger {
		f.Characters, f.Separator, f.Space = true, "", ""
		f.Prefix += `"`
		f.Suffix = `"`
	}
	return f
}

// simpleFormat makes a format one for machines: an element a line, spaces
// between its parts.
func (o *options) simpleFormat(f *render.Format) {
	f.PerLine, f.Prefix, f.NextPrefix = 1, "        ", "         "
	f.ArrayOpen, f.ArraySeparator, f.ArrayClose = "", " ", ""
	f.CompoundSeparator = " "
	if !o.label {
		f.CompoundOpen, f.CompoundClose = "", ""
	}
	f.Separator, f.HTML = " ", true
}

// values prints the elements of the dataset.
func (d *dataset) values() {
	d.printf("    Data:\n")
	if err := d.elements(); err != nil {
		d.printf("        Unable to print data.")
		d.problem(err)
	}
	d.printf("\n")
}

func (d *dataset) elements() error {
	s, typ := d.Space(), d.Datatype()
	mem, err := memoryType(&d.options, typ)
	if err != nil || s.Kind == core.NullSpace {
		return err
	}
	if _, ok := s.Elements(); !ok {
		return errTooLarge
	}
	f := d.valueFormat(typ, " ")
	l := render.Layout{Indent: datasetLevel, Break: true}
	l.SetShape(s.Dims)
	if typ.Class() == core.ClassReference {
		return d.references(&f, l)
	}
	for strip := range render.Strips(s.Dims, mem.Size(), stripBytes) {
		all := core.All()
		if len(s.Dims) > 0 {
			all = core.Hyperslab(strip.Start, nil, strip.Count, nil)
		}
		v, err := d.ReadValuesAs(d.ctx, all, strip.Count, mem)
		if err != nil {
			return err
		}
		l.Position = strip.Position
		l.Rows(d.out, &f, v.Type(), v.Bytes(), v.Heap(), strip.Last)
		l.Continuation++
	}
	return nil
}

var errTooLarge = errors.New("more elements than can be counted")

// attributeValues prints the value of an attribute.
func (t *target) attributeValues(o *core.Object, a *core.AttributeInfo) {
	t.printf("        Data:\n")
	if err := t.attributeElements(o, a); err != nil {
		t.printf("        Unable to print data.")
		t.problem(err)
	}
	t.printf("\n")
}

func (t *target) attributeElements(o *core.Object, a *core.AttributeInfo) error {
	mem, err := memoryType(&t.options, a.Type)
	if err != nil || a.Null {
		return err
	}
	f := t.valueFormat(a.Type, "  ")
	l := render.Layout{Indent: attributeLevel, Break: true}
	l.SetShape(a.Shape)
	v, err := o.AttributeAs(t.ctx, a.Name, mem)
	if err != nil {
		return err
	}
	if a.Type.Class() == core.ClassReference {
		return t.referenceLines(&f, l, o, a.Type, v.Bytes())
	}
	l.Rows(t.out, &f, v.Type(), v.Bytes(), v.Heap(), true)
	return nil
}

// references prints a dataset of references, whose elements are read as they
// are in the file.
func (d *dataset) references(f *render.Format, l render.Layout) error {
	v, err := d.ReadValuesAs(d.ctx, core.All(), d.Dims(), d.Datatype())
	if err != nil {
		return err
	}
	return d.referenceLines(f, l, d.object, d.Datatype(), v.Bytes())
}

// referenceLines prints references and what they lead to in h5dump's language.
func (t *target) referenceLines(f *render.Format, l render.Layout, o *core.Object, typ core.Datatype, elements []byte) error {
	p := dump.Listing{Out: t.out, Errors: t.errors, Format: *f, File: t.file, Name: t.name}
	err := p.References(t.ctx, l, o, typ, elements)
	t.printf("\n")
	return err
}

// memoryType is the type to read values of type t into. References stay as
// they are in the file.
func memoryType(o *options, t core.Datatype) (core.Datatype, error) {
	if o.hexdump || t.Class() == core.ClassReference {
		return t, nil
	}
	return t.Native()
}
