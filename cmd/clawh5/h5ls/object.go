package h5ls

import (
	"time"

	"clawh5/core"
)

// object lists one object. number is that of its file; first the name under
// which it was listed before, if it was.
func (t *target) object(path string, o *core.Object, number int, first string) {
	if t.throughSym {
		t.printf("{")
	} else {
		t.printName(path, "")
	}
	t.printf("%s", kindName(o.Kind()))
	if first != "" {
		t.printf(", same as %s", escape(first, true))
		if !t.throughSym {
			t.printf("\n")
		}
	} else {
		t.details(o, number)
	}
	if t.throughSym {
		t.printf("}\n")
		t.throughSym = false
	}
}

func kindName(k core.Kind) string {
	switch k {
	case core.GroupKind:
		return "Group"
	case core.DatasetKind:
		return "Dataset"
	case core.DatatypeKind:
		return "Type"
	}
	return "Unknown type(-1)"
}

func (t *target) details(o *core.Object, number int) {
	var d *dataset
	if o.Kind() == core.DatasetKind {
		data, err := o.Dataset(t.ctx)
		if err != nil {
			t.printf(" *ERROR*\n")
			t.problem(err)
			return
		}
		d = &dataset{target: t, Dataset: data, object: o, number: number}
		d.shape()
	}
	if !t.throughSym || t.verbose {
		t.printf("\n")
	}
	if t.verbose {
		t.common(o, number)
	}
	switch {
	case d != nil:
		d.list()
	case o.Kind() == core.DatatypeKind && t.verbose:
		t.committed(o, number)
	}
}

// common prints what any object has.
func (t *target) common(o *core.Object, number int) {
	t.attributes(o, number)
	t.printf("    %-10s %d:%d\n", "Location:", number, o.Address())
	info, err := o.Info(t.ctx)
	if err != nil {
		t.problem(err)
		return
	}
	t.printf("    %-10s %d\n", "Links:", info.RefCount)
	if info.Modified > 0 {
		t.printf("    %-10s %s\n", "Modified:", t.time(info.Modified))
	}
	if info.Comment != "" {
		t.printf("    %-10s \"%s\"\n", "Comment:", escape(info.Comment, false))
	}
}

// time renders seconds since 1970 in the local time zone, or for machines in
// UTC under the name that C's gmtime gives it.
func (t *target) time(seconds int64) string {
	const layout = "2006-01-02 15:04:05 "
	at := time.Unix(seconds, 0)
	if t.simple {
		return at.UTC().Format(layout) + "GMT"
	}
	return at.Format(layout + "MST")
}

func (t *target) attributes(o *core.Object, number int) {
	names, err := o.AttributeNames(t.ctx)
	if err != nil {
		t.problem(err)
	}
	for _, name := range names {
		a, err := o.AttributeInfo(t.ctx, name)
		if err != nil {
			t.problem(err)
			continue
		}
		t.printf("    Attribute: %s ", escape(name, true))
		switch {
		case a.Null:
			t.printf("null\n")
		case len(a.Shape) == 0:
			t.printf("scalar\n")
		default:
			t.printf("{%s}\n", join(a.Shape, ", "))
		}
		t.printType(8, a.Type, number)
		if t.data {
			t.attributeValues(o, &a)
		}
	}
}

func (t *target) committed(o *core.Object, number int) {
	typ, err := o.Datatype(t.ctx)
	if err != nil {
		t.problem(err)
		return
	}
	t.printType(4, typ, number)
}
