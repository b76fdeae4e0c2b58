package dump

import (
	"errors"
	"fmt"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
	"clawh5/storage"
)

// layout returns a layout on the level of what is printed now. It has not begun
// a line, but the last one has to be ended.
func (d *dumper) layout() render.Layout {
	return render.Layout{Indent: d.indent, Column: d.indent * len(d.format.Indent)}
}

// put prints text of DDL.
func (d *dumper) put(l *render.Layout, text string) { l.Put(d.out, &d.format, text, 0, 0) }

// line prints text of DDL on a new line.
func (d *dumper) line(l *render.Layout, format string, args ...any) {
	l.Break = true
	d.put(l, fmt.Sprintf(format, args...))
}

// own is line where h5dump begins the line before it knows the text, so that
// text that is too long for it gets one more.
func (d *dumper) own(l *render.Layout, format string, args ...any) {
	l.Break = true
	l.Begin(d.out, &d.format, 0, 0)
	d.put(l, fmt.Sprintf(format, args...))
}

// maxNesting is how deep groups are followed into.
const maxNesting = 10000

// group prints a group and what is in it.
func (d *dumper) group(g *core.Object, name string) {
	if d.indent > maxNesting {
		d.fail("the group \"%s\" is nested too deep\n", name)
		return
	}
	l := d.layout()
	d.line(&l, "GROUP \"%s\" {", name)
	l.Indent++
	d.indent++
	t := d.tables(g.File())
	if name == "/" {
		d.unnamedTypes(g.File(), t)
	}
	if d.opts.objectIDs {
		d.objectID(&l)
	}
	d.comment(&l, g)
	switch e := t.groups.byAddress[g.Address()]; {
	case e == nil:
		d.fail("the group \"%s\" cannot be shown: the objects of the file could not be listed\n", name)
	case e.shown:
		d.line(&l, "HARDLINK \"%s\"", e.name)
	default:
		e.shown = true
		d.attributes(g)
		links, err := d.links(g)
		if err != nil {
			d.explain(err)
			d.fail("unable to list the links of group \"%s\"\n", name)
		}
		for i := range links {
			d.member(g, &links[i])
		}
	}
	d.indent--
	l.Indent--
	d.line(&l, "}")
}

func (d *dumper) unnamedTypes(f *core.File, t *tables) {
	for _, e := range t.unnamed() {
		o, err := f.ObjectAt(d.ctx, e.address)
		if err != nil {
			d.explain(err)
			d.fail("unable to dump datatype \"#%d\"\n", e.address)
			continue
		}
		d.namedDatatype(o, fmt.Sprintf("#%d", e.address))
	}
}

// objectID prints the number of an object. h5dump's numbers are handles of its
// process, which have no meaning outside.
func (d *dumper) objectID(l *render.Layout) { d.put(l, "OBJECTID { 0 }") }

func (d *dumper) comment(l *render.Layout, o *core.Object) {
	info, err := o.Info(d.ctx)
	if err == nil && info.Comment != "" {
		d.line(l, "COMMENT \"%s\"", info.Comment)
	}
}

// member prints what a link of a group leads to.
func (d *dumper) member(g *core.Object, link *core.Link) {
	switch link.Kind {
	case core.HardLink:
		o, err := g.File().ObjectAt(d.ctx, link.Address)
		if err != nil {
			d.explain(err)
			d.fail("unable to get object information for \"%s\"\n", link.Name)
			return
		}
		d.hardLink(o, link.Name)
	case core.SoftLink:
		d.link("SOFTLINK", link, func(l *render.Layout) { d.line(l, "LINKTARGET \"%s\"", link.Target) })
	case core.ExternalLink:
		d.link("EXTERNAL_LINK", link, func(l *render.Layout) {
			d.line(l, "TARGETFILE \"%s\"", link.File)
			d.line(l, "TARGETPATH \"%s\"", link.Target)
			d.externalTarget(g, link)
		})
	default:
		d.link("USERDEFINED_LINK", link, func(l *render.Layout) { d.line(l, "LINKCLASS %d", link.Kind) })
	}
}

// link prints a link that is not a hard one.
func (d *dumper) link(keyword string, link *core.Link, body func(l *render.Layout)) {
	l := d.layout()
	d.line(&l, "%s \"%s\" {", keyword, link.Name)
	l.Indent++
	body(&l)
	l.Indent--
	d.line(&l, "}")
}

func (d *dumper) hardLink(o *core.Object, name string) {
	switch o.Kind() {
	case core.GroupKind:
		d.group(o, name)
	case core.DatasetKind:
		data, err := o.Dataset(d.ctx)
		if err != nil {
			d.explain(err)
			d.fail("unable to dump dataset \"%s\"\n", name)
			return
		}
		if e := d.again(o); e != nil {
			l := d.layout()
			d.line(&l, "DATASET \"%s\" {", name)
			l.Indent++
			d.line(&l, "HARDLINK \"%s\"", e.name)
			l.Indent--
			d.line(&l, "}")
			return
		}
		d.dataset(o, data, name, nil)
	case core.DatatypeKind:
		d.namedDatatype(o, name)
	default:
		d.fail("unknown object \"%s\"\n", name)
	}
}

// again returns the entry of an object that was printed already, by this name or
// another; for other objects it notes that they are printed now. The objects of
// the file need not be known for one that can be met once alone.
func (d *dumper) again(o *core.Object) *entry {
	if info, err := o.Info(d.ctx); (err != nil || info.RefCount <= 1) && !d.hitExternal {
		return nil
	}
	e := d.tables(o.File()).of(o.Kind()).byAddress[o.Address()]
	if e != nil && !e.shown {
		e.shown = true
		return nil
	}
	return e
}

// externalTarget prints the object that an external link leads to, if it is in
// another file than the one that is printed.
func (d *dumper) externalTarget(g *core.Object, link *core.Link) {
	o, err := g.Open(d.ctx, link.Name)
	if err != nil {
		if errors.Is(err, storage.ErrNotFound) {
			err = fmt.Errorf("unable to open external file, external link file name = '%s': %w", link.File, err)
		}
		d.explain(err)
		return
	}
	if o.File().Location() == d.main.Location() {
		return
	}
	file, hit := d.file, d.hitExternal
	d.file, d.hitExternal = o.File(), true
	d.indent++
	switch o.Kind() {
	case core.GroupKind:
		d.shownGroup(o, link.Target)
	case core.DatasetKind:
		d.shownDataset(o, link.Target, nil)
	case core.DatatypeKind:
		d.shownDatatype(o, link.Target)
	default:
		d.status = exitFailure
	}
	d.indent--
	d.file, d.hitExternal = file, hit
}

// namedDatatype prints a committed datatype.
func (d *dumper) namedDatatype(o *core.Object, name string) {
	l := d.layout()
	d.line(&l, "DATATYPE \"%s\" ", name)
	t, err := o.Datatype(d.ctx)
	if err != nil {
		d.explain(err)
		d.fail("unable to dump datatype \"%s\"\n", name)
		return
	}
	if e := d.again(o); e != nil {
		d.put(&l, fmt.Sprintf("HARDLINK \"%s\"", e.name))
		return
	}
	end := d.datatype(&l, "", t, false)
	if t.Class() != core.ClassCompound {
		end += ";"
	}
	d.put(&l, end)
	d.indent++
	d.attributes(o)
	d.indent--
}
