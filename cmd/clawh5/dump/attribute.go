package dump

import (
	"slices"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// attributes prints the attributes of an object.
func (d *dumper) attributes(o *core.Object) {
	if !d.opts.attributes {
		return
	}
	names, err := d.attributeNames(o)
	if err != nil {
		d.explain(err)
		d.fail("error getting attribute information\n")
		return
	}
	for _, name := range names {
		d.attribute(o, name)
	}
}

// attributeNames returns the names of attributes in the order that was asked
// for.
func (d *dumper) attributeNames(o *core.Object) ([]string, error) {
	names, err := o.AttributeNamesInOrder(d.ctx, d.opts.byCreation)
	if d.opts.descending {
		slices.Reverse(names)
	}
	return names, err
}

// attribute prints one attribute.
func (d *dumper) attribute(o *core.Object, name string) bool {
	l := d.layout()
	d.line(&l, "ATTRIBUTE \"%s\" {", name)
	a, err := o.AttributeInfo(d.ctx, name)
	if err != nil {
		d.explain(err)
		d.fail("unable to open attribute \"%s\"\n", name)
	} else {
		d.attributeContents(&l, o, &a)
	}
	d.line(&l, "}")
	return err == nil
}

func (d *dumper) attributeContents(l *render.Layout, o *core.Object, a *core.AttributeInfo) {
	l.Indent++
	space := attributeSpace(a)
	d.typeLine(l, a.Type)
	d.line(l, "DATASPACE  %s", dataspace(&space))
	if d.opts.objectIDs {
		d.objectID(l)
	}
	if d.opts.data || d.opts.attributeData {
		d.values(l, d.attributeReading(o, a))
	}
	l.Indent--
}

// attributeSpace returns the dataspace of an attribute.
func attributeSpace(a *core.AttributeInfo) core.Dataspace {
	s := core.Dataspace{Kind: core.SimpleSpace, Dims: a.Shape, MaxDims: a.MaxShape}
	if s.MaxDims == nil {
		s.MaxDims = s.Dims
	}
	switch {
	case a.Null:
		s.Kind = core.NullSpace
	case len(a.Shape) == 0:
		s.Kind = core.ScalarSpace
	}
	return s
}

func (d *dumper) typeLine(l *render.Layout, t core.Datatype) {
	l.Break = true
	d.put(l, d.datatype(l, "DATATYPE  ", t, true))
}
