package ddl

import (
	"strconv"
	"strings"

	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

// described reads a number that number wrote, or h5dump: without the braces a
// float has the IEEE layout of its precision.
func (p *parser) described() *format.Datatype {
	t := p.take(bits, "a size in bits")
	size, err := strconv.ParseUint(strings.TrimSuffix(t.s, "-bit"), 10, 35)
	if err != nil || size == 0 || size%8 != 0 {
		p.failAt(t.at, "%v is no number of whole bytes", t)
	}
	order := format.LittleEndian
	for o, w := range orderWords {
		if p.accept(w) {
			order = format.Order(o)
		}
	}
	signed := !p.accept("unsigned")
	class := format.FixedPoint
	switch w := p.take(word, "a kind of number"); w.s {
	case "integer":
	case "floating-point":
		class = format.FloatingPoint
	case "bitfield":
		class = format.Bitfield
	case "time":
		class = format.Time
	default:
		p.failAt(w.at, "%v is no kind of number", w)
	}
	precisionAt := p.token.at
	precision, err := strconv.ParseUint(strings.TrimSuffix(p.take(bits, "a precision").s, "-bit"), 10, 16)
	if err != nil {
		p.failAt(precisionAt, "a precision that is no number below 2^16")
	}
	p.expect("precision")
	if p.err != nil {
		return placeholder
	}
	d := &format.Datatype{Class: class, Version: 1, Size: uint32(size / 8), Order: order, Precision: uint16(precision),
		Signed: signed && class == format.FixedPoint, Committed: format.Undefined}
	if class == format.FloatingPoint {
		d.Float = defaultLayout(d.Precision)
	}
	if p.accept("{") {
		for !p.is("}") && p.err == nil {
			p.property(d)
			p.expect(";")
		}
		p.expect("}")
	}
	return p.made(t.at, d, datatype.CheckNumber(d))
}

// defaultLayout returns the IEEE layout of a precision, or x87's for 80 bits.
func defaultLayout(precision uint16) *format.FloatProperties {
	for _, l := range [...]struct{ exponent, mantissa uint8 }{{5, 10}, {8, 23}, {11, 52}, {15, 112}, {15, 64}} {
		if uint16(1+l.exponent+l.mantissa) != precision {
			continue
		}
		f := &format.FloatProperties{SignLocation: uint8(precision - 1), ExponentLocation: l.mantissa, ExponentSize: l.exponent,
			MantissaSize: l.mantissa, ExponentBias: 1<<(l.exponent-1) - 1, Normalization: format.MSBImplied}
		if l.mantissa == 64 {
			f.Normalization = format.NoNormalization
		}
		return f
	}
	return &format.FloatProperties{}
}

func (p *parser) property(d *format.Datatype) {
	f := d.Float
	if f == nil {
		f = &format.FloatProperties{}
	}
	pad := func() uint8 { return uint8(p.choice("a bit padding", bitPads[:])) }
	switch t := p.take(word, "a property"); t.s {
	case "ORDER":
		d.Order = format.Order(p.choice("a byte order", orderWords[:]))
	case "OFFSET":
		d.BitOffset = uint16(p.number(16))
	case "LSB_PAD":
		d.LowPad = pad()
	case "MSB_PAD":
		d.HighPad = pad()
	case "SIGN":
		f.SignLocation = uint8(p.number(8))
	case "EXPONENT":
		f.ExponentLocation, f.ExponentSize = uint8(p.number(8)), uint8(p.number(8))
	case "MANTISSA":
		f.MantissaLocation, f.MantissaSize = uint8(p.number(8)), uint8(p.number(8))
	case "BIAS":
		f.ExponentBias = uint32(p.number(32))
	case "NORM":
		f.Normalization = format.Normalization(p.choice("a normalization", normNames[:]))
	case "INPAD":
		f.InternalPad = pad()
	default:
		p.failAt(t.at, "%v is no property of a number", t)
	}
}
