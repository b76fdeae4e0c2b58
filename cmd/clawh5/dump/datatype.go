package dump

import (
	"fmt"
	"strings"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// datatype prints a type in DDL, behind the text that is pending for the line,
// and returns the text that ends it, pending. A committed type is named instead
// where byName allows it.
func (d *dumper) datatype(l *render.Layout, pending string, t core.Datatype, byName bool) string {
	if at, ok := t.Committed(); ok && byName {
		return pending + d.committed(at)
	}
	switch t.Class() {
	case core.ClassInteger:
		return pending + integerName(t)
	case core.ClassFloat:
		return pending + floatName(t)
	case core.ClassTime:
		return pending + "H5T_TIME: not yet implemented"
	case core.ClassString:
		return d.stringType(l, pending, t)
	case core.ClassBitfield:
		return pending + bitfieldName(t)
	case core.ClassOpaque:
		d.put(l, pending+"H5T_OPAQUE {")
		l.Indent++
		d.line(l, "OPAQUE_TAG \"%s\";", t.Tag())
		l.Indent--
		l.Break = true
		return "}"
	case core.ClassCompound:
		return d.compoundType(l, pending, t)
	case core.ClassReference:
		return pending + "H5T_REFERENCE { " + referenceName(t) + " }"
	case core.ClassEnum:
		return d.enumType(l, pending, t)
	case core.ClassVlen:
		return d.datatype(l, pending+"H5T_VLEN { ", t.Super(), true) + " }"
	case core.ClassArray:
		var dims strings.Builder
		for _, n := range t.Dims() {
			fmt.Fprintf(&dims, "[%d]", n)
		}
		return d.datatype(l, pending+"H5T_ARRAY { "+dims.String()+" ", t.Super(), true) + " }"
	case core.ClassComplex:
		if name := floatName(t.Super()); strings.HasPrefix(name, "H5T_IEEE_") {
			return pending + "H5T_COMPLEX_" + strings.TrimPrefix(name, "H5T_")
		}
		return d.datatype(l, pending+"H5T_COMPLEX { ", t.Super(), true) + " }"
	}
	return pending + "unknown datatype"
}

// committed names the committed datatype at an address.
func (d *dumper) committed(at uint64) string {
	e := d.tables(d.file).types.byAddress[at]
	switch {
	case e == nil:
		d.fail("unknown committed type.\n")
		return ""
	case e.recorded:
		return `"` + e.name + `"`
	}
	return fmt.Sprintf(`"/#%d"`, at)
}

var byteOrders = map[core.ByteOrder]string{core.OrderLE: "little-endian", core.OrderBE: "big-endian", core.OrderVAX: "mixed-endian"}

// describeOrder names the byte order of types that have no name of their own.
func describeOrder(t core.Datatype) string {
	if t.Size() <= 1 {
		return ""
	}
	if name, ok := byteOrders[t.Order()]; ok {
		return " " + name
	}
	return " unknown-byte-order"
}

// plain reports whether all bits of a number have a meaning, and the bytes are
// in one order.
func plain(t core.Datatype) bool {
	low, high := t.Pads()
	return t.BitOffset() == 0 && t.Precision() == 8*t.Size() && low == core.PadZero && high == core.PadZero &&
		(t.Order() == core.OrderLE || t.Order() == core.OrderBE)
}

// standard names a number type of full precision: prefix, bits, order.
func standard(prefix string, t core.Datatype) (string, bool) {
	switch t.Size() {
	case 1, 2, 4, 8:
	default:
		return "", false
	}
	order := "LE"
	if t.Order() == core.OrderBE {
		order = "BE"
	}
	return fmt.Sprintf("%s%d%s", prefix, 8*t.Size(), order), plain(t)
}

func integerName(t core.Datatype) string {
	prefix, sign := "H5T_STD_U", " unsigned"
	if t.Signed() {
		prefix, sign = "H5T_STD_I", ""
	}
	if name, ok := standard(prefix, t); ok {
		return name
	}
	return fmt.Sprintf("%d-bit%s%s integer %d-bit precision", 8*t.Size(), describeOrder(t), sign, t.Precision())
}

func bitfieldName(t core.Datatype) string {
	if name, ok := standard("H5T_STD_B", t); ok {
		return name
	}
	return "undefined bitfield"
}

// floatNames has the layouts that have a name, without the byte order.
var floatNames = map[core.FloatFields]string{
	{Sign: 15, ExponentAt: 10, ExponentBits: 5, MantissaBits: 10, Bias: 15}:    "H5T_IEEE_F16",
	{Sign: 31, ExponentAt: 23, ExponentBits: 8, MantissaBits: 23, Bias: 127}:   "H5T_IEEE_F32",
	{Sign: 63, ExponentAt: 52, ExponentBits: 11, MantissaBits: 52, Bias: 1023}: "H5T_IEEE_F64",
	{Sign: 15, ExponentAt: 7, ExponentBits: 8, MantissaBits: 7, Bias: 127}:     "H5T_FLOAT_BFLOAT16",
}

// vaxNames has those in VAX order.
var vaxNames = map[core.FloatFields]string{
	{Sign: 31, ExponentAt: 23, ExponentBits: 8, MantissaBits: 23, Bias: 0x81}:   "H5T_VAX_F32",
	{Sign: 63, ExponentAt: 52, ExponentBits: 11, MantissaBits: 52, Bias: 0x401}: "H5T_VAX_F64",
}

func floatName(t core.Datatype) string {
	fields, _ := t.Float()
	full := t.BitOffset() == 0 && t.Precision() == 8*t.Size()
	if name, ok := floatNames[fields]; ok && full && plain(t) {
		if t.Order() == core.OrderBE {
			return name + "BE"
		}
		return name + "LE"
	}
	if name, ok := vaxNames[fields]; ok && full && t.Order() == core.OrderVAX {
		return name
	}
	return fmt.Sprintf("%d-bit%s floating-point %d-bit precision", 8*t.Size(), describeOrder(t), t.Precision())
}

func referenceName(t core.Datatype) string {
	switch t.ReferenceKind() {
	case core.ObjectReference:
		return "H5T_STD_REF_OBJECT"
	case core.RegionReference:
		return "H5T_STD_REF_DSETREG"
	}
	return "H5T_STD_REF"
}

var (
	padNames     = map[core.StringPad]string{core.NullTerminated: "H5T_STR_NULLTERM", core.NullPadded: "H5T_STR_NULLPAD", core.SpacePadded: "H5T_STR_SPACEPAD"}
	charsetNames = map[core.Charset]string{core.ASCII: "H5T_CSET_ASCII", core.UTF8: "H5T_CSET_UTF8"}
)

// nameOr returns what a map calls a key.
func nameOr[K comparable](names map[K]string, k K, unknown string) string {
	if n, ok := names[k]; ok {
		return n
	}
	return unknown
}

func (d *dumper) stringType(l *render.Layout, pending string, t core.Datatype) string {
	d.put(l, pending+"H5T_STRING {")
	l.Indent++
	if t.IsVariableString() {
		d.line(l, "STRSIZE H5T_VARIABLE;")
	} else {
		d.line(l, "STRSIZE %d;", t.Size())
	}
	d.line(l, "STRPAD %s;", nameOr(padNames, t.StringPad(), "H5T_STR_UNKNOWN"))
	d.line(l, "CSET %s;", nameOr(charsetNames, t.Charset(), "H5T_CSET_UNKNOWN"))
	d.line(l, "CTYPE H5T_C_S1;")
	l.Indent--
	l.Break = true
	return "}"
}

func (d *dumper) compoundType(l *render.Layout, pending string, t core.Datatype) string {
	d.put(l, pending+"H5T_COMPOUND {")
	l.Indent++
	for i := range t.NumMembers() {
		name, _, member := t.Member(i)
		l.Break = true
		d.put(l, d.datatype(l, "", member, true)+fmt.Sprintf(" \"%s\";", name))
	}
	l.Indent--
	l.Break = true
	return "}"
}

// enumNameWidth is what the names of an enumeration are padded to.
const enumNameWidth = 16

func (d *dumper) enumType(l *render.Layout, pending string, t core.Datatype) string {
	d.put(l, pending+"H5T_ENUM {")
	l.Indent++
	l.Break = true
	d.put(l, d.datatype(l, "", t.Super(), true)+";")
	for i := range t.NumMembers() {
		name, value := t.EnumMember(i)
		pad := strings.Repeat(" ", max(0, enumNameWidth-len(name)))
		d.line(l, "\"%s\"%s %s;", name, pad, enumValue(t, value))
	}
	l.Indent--
	l.Break = true
	return "}"
}

// enumValue prints a value that lies in the byte order of the type t.
func enumValue(t core.Datatype, value []byte) string {
	if len(value) > 8 {
		return fmt.Sprintf("0x%02x", value)
	}
	v := uint64(0)
	for i := range value {
		b := value[len(value)-1-i]
		if t.Order() == core.OrderBE {
			b = value[i]
		}
		v = v<<8 | uint64(b)
	}
	if !t.Signed() {
		return fmt.Sprint(v)
	}
	shift := 64 - 8*len(value)
	return fmt.Sprint(int64(v<<shift) >> shift)
}

// dataspace prints an extent.
func dataspace(s *core.Dataspace) string {
	switch s.Kind {
	case core.ScalarSpace:
		return "SCALAR"
	case core.NullSpace:
		return "NULL"
	}
	list := func(dims []uint64) string {
		parts := make([]string, len(dims))
		for i, n := range dims {
			if parts[i] = fmt.Sprint(n); n == core.Unlimited {
				parts[i] = "H5S_UNLIMITED"
			}
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprintf("SIMPLE { ( %s ) / ( %s ) }", list(s.Dims), list(s.MaxDims))
}
