package dump

import (
	"fmt"
	"slices"
	"strings"

	"clawh5/core"
)

// pathOrRoot is the path of a group, which is empty for the root group where
// paths are made of it.
func pathOrRoot(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

// parentOf is the path of the group that holds what is at path.
func parentOf(path string) string {
	return pathOrRoot(path[:strings.LastIndexByte(path, '/')])
}

// group writes a group and what it holds; path is empty for the root group.
func (x *xmlWriter) group(path, name string, g *core.Object) {
	e := x.tables.groups.byAddress[g.Address()]
	element := "Group"
	switch {
	case e == nil:
		x.fail("the group \"%s\" cannot be shown: the objects of the file could not be listed\n", name)
		return
	case path == "":
		element = "RootGroup"
		x.open(`RootGroup OBJ-XID="%s" H5Path="/"`, x.id("/"))
	case e.shown:
		x.groupPointer(path, name, e)
		return
	default:
		x.open(`Group Name="%s" OBJ-XID="%s" H5Path="%s" Parents="%s" H5ParentPaths="%s" `,
			escapeName(name), x.id(path), escapeName(path), x.id(parentOf(path)), escapeName(parentOf(path)))
	}
	e.shown = true
	x.level++
	x.attributes(g)
	if path == "" {
		x.unnamed()
	}
	links, err := x.links(g)
	if err != nil {
		x.explain(err)
		x.fail("unable to list the links of group \"%s\"\n", name)
	}
	for i := range links {
		x.member(path, g, &links[i])
	}
	x.level--
	x.end(element)
}

// groupPointer writes a group that was written before, under another name.
func (x *xmlWriter) groupPointer(path, name string, e *entry) {
	parent, first := parentOf(path), escapeName(e.name)
	id := x.copyID(path)
	x.open(`Group Name="%s" OBJ-XID="%s" H5Path="%s" Parents="%s" H5ParentPaths="%s"`,
		escapeName(name), id, first, x.id(parent), escapeName(parent))
	x.level++
	x.empty(" /", `GroupPtr OBJ-XID="%s" H5Path="%s" Parents="%s" H5ParentPaths="%s"`,
		x.id(e.name), first, x.id(parent), escapeName(parent))
	x.level--
	x.end("Group")
}

// unnamed writes the committed datatypes that no link leads to.
func (x *xmlWriter) unnamed() {
	for _, e := range x.tables.unnamed() {
		o, err := x.file.ObjectAt(x.ctx, e.address)
		if err != nil {
			x.explain(err)
			x.fail("unable to dump datatype \"#%d\"\n", e.address)
			continue
		}
		x.namedDatatype("", fmt.Sprintf("#%d", e.address), o)
	}
}

// member writes what a link of the group at path leads to.
func (x *xmlWriter) member(path string, g *core.Object, l *core.Link) {
	at := path + "/" + l.Name
	if l.Kind != core.HardLink {
		x.link(path, at, l)
		return
	}
	o, err := g.File().ObjectAt(x.ctx, l.Address)
	if err != nil {
		x.explain(err)
		x.fail("unable to get object information for \"%s\"\n", l.Name)
		return
	}
	switch o.Kind() {
	case core.GroupKind:
		x.group(at, l.Name, o)
	case core.DatasetKind:
		x.dataset(path, l.Name, o)
	case core.DatatypeKind:
		x.namedDatatype(path, l.Name, o)
	default:
		x.fail("unknown object \"%s\"\n", l.Name)
	}
}

// link writes a link that is not a hard one. h5dump looks up the link's own
// path in its escaped form.
func (x *xmlWriter) link(path, at string, l *core.Link) {
	at = escapeName(at)
	id, parentID := x.id(at), x.id(path)
	parents := fmt.Sprintf(`Parents="%s" H5ParentPaths="%s"`, parentID, escapeName(pathOrRoot(path)))
	start := fmt.Sprintf(`LinkName="%s" OBJ-XID="%s" H5SourcePath="%s"`, escapeName(l.Name), id, at)
	switch l.Kind {
	case core.SoftLink:
		target := l.Target
		if !strings.HasPrefix(target, "/") {
			target = path + "/" + target
		}
		object := " "
		if id, ok := x.objectID(target); ok {
			object = fmt.Sprintf(` TargetObj="%s" `, id)
		} else {
			object = "  "
		}
		x.empty(" /", `SoftLink %s TargetPath="%s"%s%s`, start, escapeName(l.Target), object, parents)
	case core.ExternalLink:
		x.empty(" /", `ExternalLink %s TargetFilename="%s"  TargetPath="%s"  %s`, start, l.File, l.Target, parents)
	default:
		x.empty(" /", `UserDefined %s LinkClass="%d"  %s`, start, l.Kind, parents)
	}
}

// namedDatatype writes a committed datatype.
func (x *xmlWriter) namedDatatype(path, name string, o *core.Object) {
	at := path + "/" + name
	id, parentID := x.id(at), x.id(path)
	parents := fmt.Sprintf(`Parents="%s" H5ParentPaths="%s"`, parentID, escapeName(pathOrRoot(path)))
	t, err := o.Datatype(x.ctx)
	if err != nil {
		x.explain(err)
		x.fail("unable to dump datatype \"%s\"\n", name)
		return
	}
	if strings.HasPrefix(name, "#") {
		x.open(`NamedDataType Name="%s" OBJ-XID="%s" %s`, name, id, parents)
	} else {
		x.open(`NamedDataType Name="%s" OBJ-XID="%s" H5Path="%s" %s`, escapeName(name), id, escapeName(at), parents)
		if e := x.again(o); e != nil {
			x.level++
			x.empty("/", `NamedDatatypePtr OBJ-XID="%s" H5Path="%s"`, x.id(e.name), escapeName(e.name))
			x.level--
			x.end("NamedDataType")
			return
		}
	}
	x.level++
	x.in("DataType", func() { x.datatypeBody(t) })
	x.level--
	x.end("NamedDataType")
}

// attributes writes the attributes of an object.
func (x *xmlWriter) attributes(o *core.Object) {
	names, err := o.AttributeNamesInOrder(x.ctx, x.opts.byCreation)
	if err != nil {
		x.explain(err)
		x.fail("error getting attribute information\n")
		return
	}
	if x.opts.descending {
		slices.Reverse(names)
	}
	for _, name := range names {
		x.attribute(o, name)
	}
}

func (x *xmlWriter) attribute(o *core.Object, name string) {
	x.open(`Attribute Name="%s"`, escapeName(name))
	x.level++
	a, err := o.AttributeInfo(x.ctx, name)
	if err != nil {
		x.explain(err)
		x.line("<!-- h5dump error: unable to open attribute. -->")
		x.status = exitFailure
	} else {
		x.dataspace(attributeSpace(&a))
		x.datatype(a.Type)
		x.attributeData(o, &a)
	}
	x.level--
	x.end("Attribute")
}
