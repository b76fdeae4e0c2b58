package dump

import (
	"fmt"
	"strings"

	"clawh5/core"
)

// Where the grammars of the XML are that h5dump writes.
const (
	schemaURI = "http://www.hdfgroup.org/HDF5/XML/schema/HDF5-File.xsd"
	dtdURI    = "http://www.hdfgroup.org/HDF5/XML/DTD/HDF5-File.dtd"
	namespace = "http://hdfgroup.org/HDF5/XML/schema/HDF5-File"
)

// xmlWriter writes one file as XML. Two things h5dump takes from memory that it
// has not set: the upper bytes of fill values of less than 4 bytes, which are
// zeros here, and parameters of a filter behind one with fewer, which are the
// filter's own here.
type xmlWriter struct {
	*dumper
	level  int
	prefix string // of names
	tables *tables
	ids    xmlIDs
}

// xmlFile writes the file as XML.
func (d *dumper) xmlFile() {
	x := &xmlWriter{dumper: d, prefix: d.opts.xmlPrefix, ids: xmlIDs{nextFake: firstFake}}
	if d.opts.xmlURI != "" && !d.opts.dtd && x.prefix != "" {
		d.fail("Cannot set Schema URL for a qualified namespace--use -X or -U option with -D \n")
		return
	}
	x.tables = d.tables(d.file)
	x.header()
	x.group("", "/", d.file.Root())
	x.line("</%sHDF5-File>", x.prefix)
}

// header writes what stands before the root group.
func (x *xmlWriter) header() {
	x.line(`<?xml version="1.0" encoding="UTF-8"?>`)
	uri := x.opts.xmlURI
	switch {
	case x.opts.dtd:
		if uri == "" {
			uri = dtdURI
		}
		x.line(`<!DOCTYPE HDF5-File PUBLIC "HDF5-File.dtd" "%s">`, uri)
		x.line("<HDF5-File>")
	case x.prefix == "":
		if uri == "" {
			uri = schemaURI
		}
		x.line(`<HDF5-File xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="%s">`, uri)
	default:
		name := x.prefix
		if i := strings.LastIndexByte(name, ':'); i >= 0 {
			name = name[:i]
		}
		x.line(`<%sHDF5-File xmlns:%s="%s.xsd" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="%s %s">`,
			x.prefix, name, namespace, namespace, schemaURI)
	}
}

// line writes a line at the level of now.
func (x *xmlWriter) line(format string, args ...any) {
	if x.out == nil {
		return
	}
	for range x.level {
		fmt.Fprint(x.out, x.format.Indent)
	}
	fmt.Fprintf(x.out, format+"\n", args...)
}

// open begins an element, whose name and attributes are the text; attributes
// are escaped by the caller.
func (x *xmlWriter) open(format string, args ...any) {
	x.line("<%s%s>", x.prefix, fmt.Sprintf(format, args...))
}

// empty writes an element that holds nothing; end is "/" or " /", as h5dump has
// it in that place.
func (x *xmlWriter) empty(end, format string, args ...any) {
	x.line("<%s%s%s>", x.prefix, fmt.Sprintf(format, args...), end)
}

func (x *xmlWriter) end(name string) { x.line("</%s%s>", x.prefix, name) }

// in writes an element around what write writes one level further in.
func (x *xmlWriter) in(name string, write func()) {
	x.open("%s", name)
	x.level++
	write()
	x.level--
	x.end(name)
}

// at writes something on a level that is not that of now.
func (x *xmlWriter) at(level int, write func()) {
	saved := x.level
	x.level = max(level, 0)
	write()
	x.level = saved
}

var nameEscaper = strings.NewReplacer(`"`, "&quot;", "&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&apos;")

// escapeName makes a name the value of an attribute.
func escapeName(s string) string { return nameEscaper.Replace(s) }

var textEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&apos;")

// escapeText makes a string the content of an element.
func escapeText(s string) string { return textEscaper.Replace(s) }

// firstFake is the first identifier of what is no object; they count down.
const firstFake = core.Unlimited - 1

// xmlIDs makes the identifiers of objects and links.
type xmlIDs struct {
	nextFake uint64
	copies   int
}

// id returns the identifier of what a path leads to: the address of an object,
// or a new number.
func (x *xmlWriter) id(path string) string {
	if id, ok := x.objectID(path); ok {
		return id
	}
	fake := x.ids.nextFake
	x.ids.nextFake--
	return fmt.Sprintf("xid_%d", fake)
}

// objectID returns the identifier of the object at a path. External and
// user-defined links lead to none.
func (x *xmlWriter) objectID(path string) (string, bool) {
	if path == "" {
		path = "/"
	}
	if path != "/" {
		l, err := x.file.Root().Link(x.ctx, path)
		if err != nil || l.Kind != core.HardLink && l.Kind != core.SoftLink {
			return "", false
		}
	}
	o, err := x.file.Root().Open(x.ctx, path)
	if err != nil {
		return "", false
	}
	return fmt.Sprintf("xid_%d", o.Address()), true
}

// copyID returns an identifier for one more name of the object at a path.
func (x *xmlWriter) copyID(path string) string {
	id := x.id(path)
	x.ids.copies++
	return fmt.Sprintf("%s-%d", id, x.ids.copies)
}
