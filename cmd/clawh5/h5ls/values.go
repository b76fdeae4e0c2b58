package h5ls

import (
	"errors"

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
	l, f := render.Layout{Indent: datasetLevel, Break: true}, d.valueFormat(d.Datatype(), " ")
	l.SetShape(d.Dims())
	f.Reference = d.listing.ReferenceText(d.object)
	d.unprintable(&f, &l, d.elements(&f, &l))
	d.printf("\n")
}

func (d *dataset) elements(f *render.Format, l *render.Layout) error {
	s, typ := d.Space(), d.Datatype()
	mem, err := memoryType(&d.options, typ)
	if err != nil || s.Kind == core.NullSpace {
		return err
	}
	if _, ok := s.Elements(); !ok {
		return errTooLarge
	}
	for strip := range render.Strips(s.Dims, mem.Size(), stripBytes) {
		v, err := d.ReadValuesAs(d.ctx, strip.Selection(), strip.Count, mem)
		if err != nil {
			return err
		}
		if typ.Class() == core.ClassReference {
			err = d.listing.References(f, *l, d.object, typ, v.Bytes())
			d.printf("\n")
			if err != nil {
				return err
			}
			continue
		}
		l.Position = strip.Position
		l.Rows(d.out, f, v.Type(), v.Bytes(), v.Heap(), strip.Last)
		l.Continuation++
	}
	return nil
}

var (
	errTooLarge = errors.New("more elements than can be counted")
	// errNoElements is that an attribute has a null dataspace, which h5ls prints
	// as it prints an error.
	errNoElements = errors.New("no elements")
)

// unprintable tells of an error in the place of the values that it stopped.
func (t *target) unprintable(f *render.Format, l *render.Layout, err error) {
	if err != nil {
		l.Put(t.out, f, "        Unable to print data.", 0, 0)
	}
	if err != nil && err != errNoElements {
		t.problem(err)
	}
}

// attributeValues prints the value of an attribute.
func (t *target) attributeValues(o *core.Object, a *core.AttributeInfo) {
	t.printf("        Data:\n")
	l, f := render.Layout{Indent: attributeLevel, Break: true}, t.valueFormat(a.Type, "  ")
	l.SetShape(a.Shape)
	f.Reference = t.listing.ReferenceText(o)
	t.unprintable(&f, &l, t.attributeElements(&f, &l, o, a))
	t.printf("\n")
}

func (t *target) attributeElements(f *render.Format, l *render.Layout, o *core.Object, a *core.AttributeInfo) error {
	if a.Null {
		return errNoElements
	}
	mem, err := memoryType(&t.options, a.Type)
	if err != nil {
		return err
	}
	v, err := o.AttributeAs(t.ctx, a.Name, mem)
	if err != nil {
		return err
	}
	if a.Type.Class() == core.ClassReference {
		err = t.listing.References(f, *l, o, a.Type, v.Bytes())
		t.printf("\n")
		return err
	}
	l.Rows(t.out, f, v.Type(), v.Bytes(), v.Heap(), true)
	return nil
}

// memoryType is the type to read values of type t into. References stay as
// they are in the file.
func memoryType(o *options, t core.Datatype) (core.Datatype, error) {
	if o.hexdump || t.Class() == core.ClassReference {
		return t, nil
	}
	return t.Native()
}
