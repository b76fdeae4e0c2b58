package dump

import (
	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// dataset prints a dataset, or the subset s of it.
func (d *dumper) dataset(o *core.Object, data *core.Dataset, name string, s *subset) {
	l := d.layout()
	d.own(&l, "DATASET \"%s\" {", name)
	d.comment(&l, o)
	d.indent++
	l.Indent++
	t, space := data.Datatype(), data.Space()
	d.typeLine(&l, t)
	d.line(&l, "DATASPACE  %s", dataspace(&space))
	if d.opts.objectIDs {
		d.objectID(&l)
	}
	if d.opts.properties {
		d.printProperties(&l, o, data)
	}
	if d.opts.data {
		d.datasetValues(&l, o, data, s)
	}
	if !d.opts.binary {
		d.attributes(o)
	}
	l.Indent--
	d.indent--
	d.own(&l, "}")
}

func (d *dumper) datasetValues(l *render.Layout, o *core.Object, data *core.Dataset, s *subset) {
	r := d.reading(o, data, s)
	if len(d.opts.packed) == 0 {
		d.classValues(l, r)
		return
	}
	for _, bits := range d.opts.packed {
		bits = d.packedHeader(l, r.typ, bits)
		r.packed = &bits
		d.classValues(l, r)
	}
}

func (d *dumper) classValues(l *render.Layout, r *reading) {
	if r.typ.Class() == core.ClassTime {
		l.Indent++
		d.own(l, "DATA{ not yet implemented.}")
		l.Indent--
		return
	}
	d.values(l, r)
}
