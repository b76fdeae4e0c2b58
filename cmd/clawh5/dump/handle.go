package dump

import (
	"fmt"
	"strings"

	"clawh5/core"
)

// handleGroup prints the group that was asked for.
func (d *dumper) handleGroup(r *request) {
	g, err := d.openKind(r.name, core.GroupKind)
	if err != nil {
		d.explain(err)
		d.print("\nGROUP \"%s\" {\n", r.name)
		d.print("%s", d.format.Indent)
		d.fail("unable to open group \"%s\"\n", r.name)
		d.print("}")
		return
	}
	d.shownGroup(g, r.name)
}

// openKind opens an object that must be of one kind.
func (d *dumper) openKind(path string, kind core.Kind) (*core.Object, error) {
	o, err := d.file.Root().Open(d.ctx, path)
	if err == nil && o.Kind() != kind {
		err = fmt.Errorf("%s is not a %s but a %s", path, kind, o.Kind())
	}
	return o, err
}

// shownGroup prints a group that was asked for, or that an external link leads
// to.
func (d *dumper) shownGroup(g *core.Object, name string) {
	d.indent++
	d.group(g, name)
	d.indent--
}

// handleDataset prints the dataset that was asked for, or the link of that name
// that leads nowhere.
func (d *dumper) handleDataset(r *request) {
	o, err := d.openKind(r.name, core.DatasetKind)
	if err != nil {
		d.explain(err)
		d.handleLink(r)
		return
	}
	d.shownDataset(o, r.name, r.subset)
}

func (d *dumper) shownDataset(o *core.Object, name string, s *subset) {
	data, err := o.Dataset(d.ctx)
	if err != nil {
		d.explain(err)
		d.fail("unable to dump dataset \"%s\"\n", name)
		return
	}
	if s != nil {
		if s, err = s.complete(len(data.Dims())); err != nil {
			d.fail("%v\n", err)
			return
		}
	}
	if e := d.again(o); e != nil {
		indent := strings.Repeat(d.format.Indent, d.indent)
		d.print("\n%sDATASET \"%s\" {\n%s%sHARDLINK \"%s\"\n%s}", indent, name, indent, d.format.Indent, e.name, indent)
		return
	}
	d.indent++
	d.dataset(o, data, name, s)
	d.indent--
}

// handleLink prints the link that was asked for.
func (d *dumper) handleLink(r *request) {
	l, err := d.file.Root().Link(d.ctx, r.name)
	switch {
	case err != nil:
		d.explain(err)
		d.fail("unable to get link info from \"%s\"\n", r.name)
	case l.Kind == core.HardLink:
		d.fail("\"%s\" is a hard link\n", r.name)
	case l.Kind == core.SoftLink:
		d.print("\nSOFTLINK \"%s\" {\n%sLINKTARGET \"%s\"\n}", r.name, d.format.Indent, l.Target)
	case l.Kind == core.ExternalLink:
		d.print("\nEXTERNAL_LINK \"%s\" {\n%sTARGETFILE \"%s\"\n%sTARGETPATH \"%s\"\n}",
			r.name, d.format.Indent, l.File, d.format.Indent, l.Target)
	default:
		d.print("\nUSERDEFINED_LINK \"%s\" {\n%sLINKCLASS %d\n}", r.name, d.format.Indent, l.Kind)
	}
}

// handleDatatype prints the committed datatype that was asked for; "/#address"
// is one that has no name.
func (d *dumper) handleDatatype(r *request) {
	o, err := d.openKind(r.name, core.DatatypeKind)
	if err != nil {
		for _, e := range d.tables(d.file).unnamed() {
			if r.name == fmt.Sprintf("/#%d", e.address) {
				o, err = d.file.ObjectAt(d.ctx, e.address)
				break
			}
		}
	}
	if err != nil {
		d.explain(err)
		d.print("\nDATATYPE \"%s\" \n%s", r.name, d.format.Indent)
		d.fail("unable to open datatype \"%s\"\n", r.name)
		return
	}
	d.shownDatatype(o, r.name)
}

func (d *dumper) shownDatatype(o *core.Object, name string) {
	d.indent++
	d.namedDatatype(o, name)
	d.indent--
}

// handleAttribute prints the attribute that was asked for.
func (d *dumper) handleAttribute(r *request) {
	d.printAttribute(d.file.Root(), r.name)
}

// printAttribute prints an attribute by its path, in which a backslash before a
// slash makes it part of the name.
func (d *dumper) printAttribute(from *core.Object, path string) {
	at, name := splitAttribute(path)
	d.indent++
	defer func() { d.indent-- }()
	o, err := from.Open(d.ctx, at)
	if err != nil {
		d.explain(err)
		l := d.layout()
		d.line(&l, "ATTRIBUTE \"%s\" {", path)
		d.fail("unable to open object \"%s\"\n", at)
		d.line(&l, "}")
		return
	}
	d.attribute(o, name)
}

// splitAttribute splits the path of an attribute.
func splitAttribute(path string) (object, name string) {
	object = "/"
	at := -1
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' && (i == 0 || path[i-1] != '\\') {
			at = i
			object = path[:i+1]
			break
		}
	}
	return object, strings.ReplaceAll(path[at+1:], `\/`, "/")
}

// handlePath prints whatever matches a path: attributes, objects, links.
func (d *dumper) handlePath(r *request) {
	_, attribute := splitAttribute(r.name)
	d.visit(d.file.Root(), visitor{
		object: func(o *core.Object, path, _ string) { d.matchObject(o, path, r, attribute) },
		link: func(l *core.Link, path string) {
			if path != absolute(r.name) {
				return
			}
			if l.Kind == core.SoftLink || l.Kind == core.ExternalLink {
				d.handleLink(r)
			} else {
				d.fail("unknown link type value\n")
			}
		},
	})
}

// matchObject prints an object, or the attributes of it, that match a path.
func (d *dumper) matchObject(o *core.Object, path string, r *request, attribute string) {
	if names, err := o.AttributeNames(d.ctx); err == nil {
		for _, name := range names {
			if name != attribute {
				continue
			}
			full := r.name
			if !strings.HasPrefix(full, "/") {
				full = strings.TrimSuffix(path, "/") + "/" + full
			}
			d.printAttribute(o, full)
		}
	}
	if path != r.name {
		return
	}
	found := &request{name: path}
	switch o.Kind() {
	case core.GroupKind:
		d.handleGroup(found)
	case core.DatasetKind:
		d.handleDataset(found)
	case core.DatatypeKind:
		d.handleDatatype(found)
	default:
		d.fail("unknown object type value\n")
	}
}
