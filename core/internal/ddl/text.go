package ddl

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

// indentStep is the indentation of what lies in braces.
const indentStep = 3

// Text returns d as text, of several lines and without a line break at the end.
// Offsets and sizes of compounds are those of libhdf5's memory (see
// datatype.Library).
func Text(d *format.Datatype) string {
	if l, err := datatype.Library(d); err == nil { // else it takes more than 4 GiB there
		d = l
	}
	w := writer{}
	w.datatype(d, 0)
	return w.String()
}

type writer struct{ strings.Builder }

// block writes a keyword and, in braces, what body writes. Like the reference
// implementation it indents the content by two steps and the end by one.
func (w *writer) block(keyword string, indent int, body func(indent int)) {
	w.WriteString(keyword + " {\n")
	body(indent + indentStep)
	w.indent(indent)
	w.WriteString("}")
}

func (w *writer) indent(n int) { w.WriteString(strings.Repeat(" ", n+indentStep)) }

func (w *writer) line(indent int, text string, args ...any) {
	w.indent(indent)
	fmt.Fprintf(w, text, args...)
	w.WriteString("\n")
}

func (w *writer) datatype(d *format.Datatype, indent int) {
	switch d.Class {
	case format.FixedPoint, format.FloatingPoint, format.Bitfield, format.Time:
		w.number(d)
	case format.String:
		w.text(d, strconv.FormatUint(uint64(d.Size), 10), indent)
	case format.Opaque:
		w.block("H5T_OPAQUE", indent, func(indent int) {
			w.line(indent, "OPQ_SIZE %d;", d.Size)
			w.line(indent, "OPQ_TAG %s;", quoted(d.Tag))
		})
	case format.Compound:
		w.block("H5T_COMPOUND", indent, func(indent int) { w.members(d, indent) })
	case format.Reference:
		fmt.Fprintf(w, " H5T_REFERENCE { %s }", referenceNames[d.RefKind])
	case format.Enumeration:
		w.block("H5T_ENUM", indent, func(indent int) { w.enumeration(d, indent) })
	case format.VariableLength:
		if d.VariableString {
			w.text(d, "H5T_VARIABLE", indent)
			return
		}
		w.block("H5T_VLEN", indent, func(indent int) { w.nested("", d.Base, indent) })
	case format.Array:
		dims := ""
		for _, n := range d.Dims {
			dims += fmt.Sprintf("[%d]", n)
		}
		w.block("H5T_ARRAY", indent, func(indent int) { w.nested(dims+" ", d.Base, indent) })
	case format.Complex:
		w.block("H5T_COMPLEX", indent, func(indent int) { w.nested("", d.Base, indent) })
	}
}

// referenceNames are H5LT's names of references, and names of HDF5's for those
// that it has none for.
var referenceNames = [...]string{
	format.ObjectReference1:   "H5T_STD_REF_OBJECT",
	format.RegionReference1:   "H5T_STD_REF_DSETREG",
	format.ObjectReference2:   "H5T_STD_REF",
	format.RegionReference2:   "H5R_DATASET_REGION2",
	format.AttributeReference: "H5R_ATTR",
}

var (
	padNames     = [...]string{"H5T_STR_NULLTERM", "H5T_STR_NULLPAD", "H5T_STR_SPACEPAD"}
	charsetNames = [...]string{"H5T_CSET_ASCII", "H5T_CSET_UTF8"}
)

func (w *writer) text(d *format.Datatype, size string, indent int) {
	w.block("H5T_STRING", indent, func(indent int) {
		w.line(indent, "STRSIZE %s;", size)
		w.line(indent, "STRPAD %s;", padNames[d.Pad])
		w.line(indent, "CSET %s;", charsetNames[d.Charset])
		w.line(indent, "CTYPE H5T_C_S1;")
	})
}

func (w *writer) nested(before string, d *format.Datatype, indent int) {
	w.indent(indent)
	w.WriteString(before)
	w.datatype(d, indent)
	w.WriteString("\n")
}

func (w *writer) members(d *format.Datatype, indent int) {
	end := uint32(1) // H5LT's compound without members has one byte
	for i := range d.Members {
		m := &d.Members[i]
		w.indent(indent)
		if m.Type.Class == format.Compound {
			w.datatype(m.Type, indent+indentStep)
		} else {
			w.datatype(m.Type, indent)
		}
		fmt.Fprintf(w, " %s : %d;\n", quoted(m.Name), m.Offset)
		end = max(end, m.Offset+m.Type.Size)
	}
	if end != d.Size {
		w.line(indent, "SIZE %d;", d.Size)
	}
}

// enumWidth is the column in which the values of an enumeration start.
const enumWidth = 19

func (w *writer) enumeration(d *format.Datatype, indent int) {
	w.indent(indent)
	w.datatype(d.Base, indent)
	w.WriteString(";\n")
	size := int(d.Base.Size)
	for i, name := range d.Names {
		name = quoted(name)
		gap := strings.Repeat(" ", max(3, enumWidth-len(name)))
		w.line(indent, "%s%s%s;", name, gap, enumValue(d.Base, d.Values[i*size:(i+1)*size]))
	}
}

// enumValue returns a value as a number, or its bytes where bits that have no
// meaning are not as they should be.
func enumValue(base *format.Datatype, p []byte) string {
	v := datatype.Integer(base, p)
	if bytes.Equal(datatype.AppendInteger(nil, base, v), p) {
		return v.String()
	}
	return fmt.Sprintf("0x%x", p)
}

// quoted returns a name between quotation marks, as it is unless it has one.
func quoted(name string) string {
	if !strings.Contains(name, `"`) {
		return `"` + name + `"`
	}
	return `E"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}
