package dump

import (
	"clawh5/core"
)

// datatype writes the datatype of a dataset or an attribute.
func (x *xmlWriter) datatype(t core.Datatype) {
	if _, committed := t.Committed(); committed {
		x.typePointer(t, " /", "")
		return
	}
	x.in("DataType", func() { x.datatypeBody(t) })
}

// typePointer writes where a committed datatype stands. h5dump writes it in two
// ways, which differ in end and mark.
func (x *xmlWriter) typePointer(t core.Datatype, end, mark string) {
	addr, _ := t.Committed()
	known := x.tables.types.byAddress[addr]
	switch {
	case known == nil:
		x.line("<!-- h5dump error: unknown committed type. -->")
	case !known.recorded:
		x.empty("/", `NamedDataTypePtr OBJ-XID="%s%s"`, mark, x.id(known.name))
	default:
		x.empty(end, `NamedDataTypePtr OBJ-XID="%s" H5Path="%s"`, x.id(known.name), escapeName(known.name))
	}
}

// memberType writes a type that another one is made of.
func (x *xmlWriter) memberType(t core.Datatype) {
	x.in("DataType", func() {
		if _, committed := t.Committed(); committed {
			x.typePointer(t, "/", "/")
			return
		}
		x.datatypeBody(t)
	})
}

func (x *xmlWriter) datatypeBody(t core.Datatype) {
	switch t.Class() {
	case core.ClassCompound:
		x.in("CompoundType", func() { x.fields(t) })
	case core.ClassVlen:
		x.in("VLType", func() { x.memberType(t.Super()) })
	case core.ClassArray:
		dims := t.Dims()
		x.open(`ArrayType Ndims="%d"`, len(dims))
		x.level++
		for _, n := range dims {
			x.empty("/", `ArrayDimension DimSize="%d"`, n)
		}
		x.memberType(t.Super())
		x.level--
		x.end("ArrayType")
	case core.ClassComplex:
		x.line("<!-- unknown datatype -->")
		x.status = exitFailure
	default:
		x.in("AtomicType", func() { x.atomic(t) })
	}
}

func (x *xmlWriter) fields(t core.Datatype) {
	for i := range t.NumMembers() {
		name, _, member := t.Member(i)
		x.open(`Field FieldName="%s"`, escapeName(name))
		x.level++
		x.memberType(member)
		x.level--
		x.end("Field")
	}
}

const unknownOrder = "ERROR_UNKNOWN"

func xmlOrder(t core.Datatype) string {
	switch t.Order() {
	case core.OrderLE:
		return "LE"
	case core.OrderBE:
		return "BE"
	}
	return unknownOrder
}

var xmlPads = [...]string{"H5T_STR_NULLTERM", "H5T_STR_NULLPAD", "H5T_STR_SPACEPAD"}

func (x *xmlWriter) atomic(t core.Datatype) {
	switch t.Class() {
	case core.ClassInteger:
		x.empty(" /", `IntegerType ByteOrder="%s" Sign="%t" Size="%d"`, xmlOrder(t), t.Signed(), t.Size())
	case core.ClassFloat:
		order := xmlOrder(t)
		if t.Order() == core.OrderVAX {
			order = "VAX"
		}
		f, _ := t.Float()
		x.empty(" /", `FloatType ByteOrder="%s" Size="%d" SignBitLocation="%d" ExponentBits="%d" ExponentLocation="%d" MantissaBits="%d" MantissaLocation="%d"`,
			order, t.Size(), f.Sign, f.ExponentBits, f.ExponentAt, f.MantissaBits, f.MantissaAt)
	case core.ClassTime:
		x.empty(" /", "TimeType")
	case core.ClassString:
		x.stringType(t)
	case core.ClassBitfield:
		x.empty("/", `BitfieldType ByteOrder="%s" Size="%d"`, xmlOrder(t), t.Size())
	case core.ClassOpaque:
		x.empty("/", `OpaqueType Tag="%s" Size="%d"`, t.Tag(), t.Size())
	case core.ClassReference:
		x.in("ReferenceType", func() { x.empty(" /", "ObjectReferenceType") })
	case core.ClassEnum:
		x.enum(t)
	}
}

func (x *xmlWriter) stringType(t core.Datatype) {
	charset := "unknown_cset"
	if t.Charset() == core.ASCII {
		charset = "H5T_CSET_ASCII"
	}
	size := "H5T_VARIABLE"
	if !t.IsVariableString() {
		size = decimal(t.Size())
	}
	pad := "H5T_STR_ERROR"
	if p := t.StringPad(); int(p) < len(xmlPads) {
		pad = xmlPads[p]
	}
	x.empty("/", `StringType Cset="%s" StrSize="%s" StrPad="%s"`, charset, size, pad)
}

// enum writes an enumeration. The type that it is made of stands on the level
// of the enumeration itself.
func (x *xmlWriter) enum(t core.Datatype) {
	x.open(`EnumType Nelems="%d"`, t.NumMembers())
	x.open("DataType")
	x.datatypeBody(t.Super())
	x.end("DataType")
	x.level++
	for i := range t.NumMembers() {
		name, value := t.EnumMember(i)
		x.in("EnumElement", func() { x.line("%s", escapeName(name)) })
		x.in("EnumValue", func() { x.line("%s", enumValue(t, value)) })
	}
	x.level--
	x.end("EnumType")
}

// dataspace writes the extent of a dataset or an attribute.
func (x *xmlWriter) dataspace(s core.Dataspace) {
	x.in("Dataspace", func() {
		switch s.Kind {
		case core.ScalarSpace:
			x.empty(" /", "ScalarDataspace")
		case core.SimpleSpace:
			x.open(`SimpleDataspace Ndims="%d"`, len(s.Dims))
			x.level++
			for i, n := range s.Dims {
				x.empty("/", `Dimension  DimSize="%d" MaxDimSize="%s"`, n, xmlLimit(n, s.MaxDims[i]))
			}
			x.level--
			x.end("SimpleDataspace")
		default:
			x.line("<!-- unknown dataspace -->")
		}
	})
}

func xmlLimit(n, limit uint64) string {
	switch limit {
	case core.Unlimited:
		return "UNLIMITED"
	case 0:
		return decimal(n)
	}
	return decimal(limit)
}
