package core

import (
	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

var (
	orderNames         = [...]string{"le", "be", "vax"}
	padNames           = [...]string{"nullterm", "nullpad", "spacepad"}
	charsetNames       = [...]string{"ascii", "utf8"}
	normalizationNames = [...]string{"none", "msb", "implied"}
	referenceNames     = [...]string{"object", "region", "object2", "region2", "attribute"}
)

func name[T ~uint8](names []string, i T) string {
	if int(i) < len(names) {
		return names[i]
	}
	return "unknown"
}

// datatype writes d as the TYPE of a description (see clawh5.h). Sizes and
// offsets are those of elements in memory.
func (w *jsonWriter) datatype(d *format.Datatype) {
	w.open('{')
	class := d.Class.String()
	if d.VariableString {
		class = "string"
	}
	w.stringMember("class", class)
	w.uintMember("size", memorySize(d))
	if d.Committed != format.Undefined {
		w.uintMember("committed", d.Committed)
	}
	switch d.Class {
	case format.FixedPoint, format.Bitfield, format.Time:
		w.bits(d)
	case format.FloatingPoint:
		w.float754(d)
	case format.String:
		w.text(d, false)
	case format.Opaque:
		w.stringMember("tag", d.Tag)
	case format.Compound:
		w.members(d)
	case format.Reference:
		w.stringMember("kind", name(referenceNames[:], d.RefKind))
	case format.Enumeration:
		w.enumeration(d)
	case format.Array:
		w.array("dims")
		for _, n := range d.Dims {
			w.uint(uint64(n))
		}
		w.close(']')
		w.base(d)
	case format.VariableLength:
		if d.VariableString {
			w.text(d, true)
		} else {
			w.base(d)
		}
	case format.Complex:
		w.base(d)
	}
	w.close('}')
}

func (w *jsonWriter) base(d *format.Datatype) { w.key("base"); w.datatype(d.Base) }

func (w *jsonWriter) bits(d *format.Datatype) {
	w.stringMember("order", name(orderNames[:], d.Order))
	if d.Class == format.FixedPoint {
		w.boolMember("signed", d.Signed)
	}
	w.significantBits(d)
}

func (w *jsonWriter) significantBits(d *format.Datatype) {
	w.uintMember("precision", uint64(d.Precision))
	w.uintMember("bit_offset", uint64(d.BitOffset))
	w.uintMember("low_pad", uint64(d.LowPad))
	w.uintMember("high_pad", uint64(d.HighPad))
}

func (w *jsonWriter) float754(d *format.Datatype) {
	f := d.Float
	w.stringMember("order", name(orderNames[:], d.Order))
	w.significantBits(d)
	w.uintMember("sign", uint64(f.SignLocation))
	w.uintsMember("exponent", []uint64{uint64(f.ExponentLocation), uint64(f.ExponentSize)})
	w.uintsMember("mantissa", []uint64{uint64(f.MantissaLocation), uint64(f.MantissaSize)})
	w.uintMember("bias", uint64(f.ExponentBias))
	w.stringMember("normalization", name(normalizationNames[:], f.Normalization))
	w.uintMember("internal_pad", uint64(f.InternalPad))
}

func (w *jsonWriter) text(d *format.Datatype, variable bool) {
	w.boolMember("variable", variable)
	w.stringMember("pad", name(padNames[:], d.Pad))
	w.stringMember("cset", name(charsetNames[:], d.Charset))
}

func (w *jsonWriter) members(d *format.Datatype) {
	w.array("members")
	offsets := memoryOffsets(d)
	for i := range d.Members {
		m := &d.Members[i]
		w.open('{')
		w.stringMember("name", m.Name)
		w.uintMember("offset", offsets[i])
		w.key("type")
		w.datatype(m.Type)
		w.close('}')
	}
	w.close(']')
}

func (w *jsonWriter) enumeration(d *format.Datatype) {
	w.base(d)
	w.array("names")
	for _, n := range d.Names {
		w.string(n)
	}
	w.close(']')
	w.array("values")
	size := int(d.Base.Size)
	for i := range d.Names {
		w.enumValue(d.Base, d.Values[i*size:(i+1)*size])
	}
	w.close(']')
}

// enumValue writes a value of an enumeration as a number, of any size.
func (w *jsonWriter) enumValue(base *format.Datatype, p []byte) {
	w.sep()
	w.buf = datatype.Integer(base, p).Append(w.buf, 10)
}
