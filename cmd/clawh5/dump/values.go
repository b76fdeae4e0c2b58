package dump

import (
	"io"
	"strings"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// values prints a DATA block, with SUBSET around it where that was asked for.
func (d *dumper) values(l *render.Layout, r *reading) {
	if r.subset != nil {
		d.subsetHeader(l, r.subset)
		l.Indent++
	}
	d.line(l, "DATA {")
	if r.typ.Class() == core.ClassReference {
		l.Indent++
		d.references(*l, r)
		l.Indent--
	} else {
		d.numbers(*l, r)
	}
	d.own(l, "}")
	if r.subset != nil {
		l.Indent--
		d.own(l, "}")
	}
}

func (d *dumper) subsetHeader(l *render.Layout, s *subset) {
	d.line(l, "SUBSET {")
	l.Indent++
	for _, part := range []struct {
		name string
		list []uint64
	}{{"START", s.start}, {"STRIDE", s.stride}, {"COUNT", s.count}, {"BLOCK", s.block}} {
		d.line(l, "%s ( %s );", part.name, joinNumbers(part.list, ", "))
	}
	l.Indent--
}

// valueFormat returns the format of values.
func (d *dumper) valueFormat(r *reading) render.Format {
	f := d.format.WithIndex(d.opts.indexes)
	f.Packed = r.packed
	f.Reference = d.referenceText(r.object.File())
	return f
}

// numbers prints the elements.
func (d *dumper) numbers(l render.Layout, r *reading) {
	f := d.valueFormat(r)
	l.Break = true
	text := d.opts.characters && r.typ.Class() == core.ClassInteger && r.typ.Size() == 1
	if text {
		f.Index = `"`
		l.Indent++
		l.Begin(d.out, &f, 0, 0)
		f.KeepTogether, f.Repeat, f.Characters = true, 8, true
		f.Separator, f.Space, f.Suffix = "", "", `"`
	}
	if err := d.elements(&l, &f, r); err != nil {
		d.explain(err)
		d.fail("unable to print data\n")
	}
	if text {
		l.Break = false
		f.ArrayRows, f.Index, f.KeepTogether, f.Suffix = false, "", false, ""
		l.Put(d.out, &f, `"`, 0, 0)
	}
}

// elements reads and prints the elements in bounded pieces.
func (d *dumper) elements(l *render.Layout, f *render.Format, r *reading) error {
	if r.space.Kind == core.NullSpace || r.err != nil {
		return r.err
	}
	w := d.data
	if r.data == nil {
		w = d.attrs
	}
	l.SetShape(r.space.Dims)
	n, ok := r.space.Elements()
	switch {
	case !ok:
		return errTooLarge
	case n == 0:
		return nil
	case r.data == nil:
		data, heap, err := r.read(core.All(), n)
		if err == nil {
			d.rows(w, l, f, r, data, heap, true)
		}
		return err
	case r.subset != nil:
		return d.subsetElements(w, l, f, r)
	}
	return d.strips(w, l, f, r)
}

// rows prints the elements of one read, as text or as they are.
func (d *dumper) rows(w io.Writer, l *render.Layout, f *render.Format, r *reading, data, heap []byte, last bool) {
	if d.opts.binary && w != nil {
		binaryWriter{w: w, heap: heap}.elements(r.memory, data)
		return
	}
	l.Rows(w, f, r.memory, data, heap, last)
}

// stripBytes is how much is read at once.
const stripBytes = 32 << 20

// maxFailures ends the reading of a dataset none of whose pieces can be read
// any more: one that a damaged file declares to be of any size would take years.
const maxFailures = 64

// strips reads the dataset in pieces. What cannot be read is left out.
func (d *dumper) strips(w io.Writer, l *render.Layout, f *render.Format, r *reading) error {
	var failed error
	failures := 0
	for s := range render.Strips(r.space.Dims, r.memory.Size(), stripBytes) {
		data, heap, err := r.read(s.Selection(), s.Elements)
		switch {
		case d.ctx.Err() != nil:
			return d.ctx.Err()
		case err != nil:
			if failed = err; failures == maxFailures {
				return failed
			}
			failures++
		default:
			failures = 0
			l.Position = s.Position
			d.rows(w, l, f, r, data, heap, s.Last)
		}
		l.Continuation++
	}
	return failed
}

func joinNumbers(list []uint64, separator string) string {
	var b strings.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteString(separator)
		}
		writeNumber(&b, n)
	}
	return b.String()
}
