package core

import (
	"math"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// Property is what can be asked of a datatype as a number. The numbers are part
// of the C ABI.
type Property int32

const (
	PropertyClass         Property = 0
	PropertySize          Property = 1
	PropertyOrder         Property = 2
	PropertyPrecision     Property = 3
	PropertyBitOffset     Property = 4
	PropertyLowPad        Property = 5
	PropertyHighPad       Property = 6
	PropertySign          Property = 7
	PropertySignAt        Property = 8
	PropertyExponentAt    Property = 9
	PropertyExponentBits  Property = 10
	PropertyMantissaAt    Property = 11
	PropertyMantissaBits  Property = 12
	PropertyBias          Property = 13
	PropertyNormalization Property = 14
	PropertyInternalPad   Property = 15
	PropertyCharset       Property = 16
	PropertyStringPad     Property = 17
	PropertyMembers       Property = 18
	PropertyRank          Property = 19
	PropertyVariable      Property = 20 // a string of variable length: 1
	PropertyHasVariable   Property = 21 // elements have variable-length data
	PropertyReferenceKind Property = 22
	PropertyCommitted     Property = 23 // 1
	PropertyAddress       Property = 24 // of the committed datatype
)

// property tells which types have a property, its value, and how it is changed.
type property struct {
	name string
	of   func(Datatype) bool
	get  func(Datatype) uint64
	with func(Datatype, uint64) (Datatype, error) // nil: it cannot be set alone
}

var properties = [...]property{
	PropertyClass:     {"class", anyType, func(t Datatype) uint64 { return uint64(t.Class()) }, nil},
	PropertySize:      {"size", anyType, Datatype.Size, Datatype.WithSize},
	PropertyOrder:     {"byte order", anyType, func(t Datatype) uint64 { return uint64(t.Order()) }, small(Datatype.WithOrder)},
	PropertyPrecision: {"precision", hasBits, Datatype.Precision, Datatype.WithPrecision},
	PropertyBitOffset: {"bit offset", hasBits, Datatype.BitOffset, Datatype.WithBitOffset},
	PropertyLowPad: {"bit padding", hasBits, func(t Datatype) uint64 { low, _ := t.Pads(); return uint64(low) },
		small(func(t Datatype, p BitPad) (Datatype, error) { _, high := t.Pads(); return t.WithPads(p, high) })},
	PropertyHighPad: {"bit padding", hasBits, func(t Datatype) uint64 { _, high := t.Pads(); return uint64(high) },
		small(func(t Datatype, p BitPad) (Datatype, error) { low, _ := t.Pads(); return t.WithPads(low, p) })},
	PropertySign: {"sign", isInteger, func(t Datatype) uint64 { return one(t.Signed()) },
		func(t Datatype, v uint64) (Datatype, error) {
			if v > 1 {
				return Datatype{}, newError(h5err.Type, "sign %d", v)
			}
			return t.WithSign(v == 1)
		}},
	PropertySignAt:       ofFloat("sign location", func(f FloatFields) uint64 { return f.Sign }, nil),
	PropertyExponentAt:   ofFloat("exponent location", func(f FloatFields) uint64 { return f.ExponentAt }, nil),
	PropertyExponentBits: ofFloat("exponent size", func(f FloatFields) uint64 { return f.ExponentBits }, nil),
	PropertyMantissaAt:   ofFloat("mantissa location", func(f FloatFields) uint64 { return f.MantissaAt }, nil),
	PropertyMantissaBits: ofFloat("mantissa size", func(f FloatFields) uint64 { return f.MantissaBits }, nil),
	PropertyBias:         ofFloat("exponent bias", func(f FloatFields) uint64 { return f.Bias }, Datatype.WithBias),
	PropertyNormalization: ofFloat("normalization", func(f FloatFields) uint64 { return uint64(f.Normalization) },
		small(Datatype.WithNormalization)),
	PropertyInternalPad: ofFloat("internal padding", func(f FloatFields) uint64 { return uint64(f.InternalPad) },
		small(Datatype.WithInternalPad)),
	PropertyCharset:   {"character set", isText, func(t Datatype) uint64 { return uint64(t.Charset()) }, small(Datatype.WithCharset)},
	PropertyStringPad: {"string padding", isText, func(t Datatype) uint64 { return uint64(t.StringPad()) }, small(Datatype.WithStringPad)},
	PropertyMembers: {"members", func(t Datatype) bool { return t.d.Class == format.Compound || t.d.Class == format.Enumeration },
		func(t Datatype) uint64 { return uint64(t.NumMembers()) }, nil},
	PropertyRank: {"rank", func(t Datatype) bool { return t.d.Class == format.Array },
		func(t Datatype) uint64 { return uint64(len(t.d.Dims)) }, nil},
	PropertyVariable:    {"variable length", anyType, func(t Datatype) uint64 { return one(t.IsVariableString()) }, nil},
	PropertyHasVariable: {"variable-length data", anyType, func(t Datatype) uint64 { return one(t.HasVariableLength()) }, nil},
	PropertyReferenceKind: {"kind of reference", func(t Datatype) bool { return t.number().Class == format.Reference },
		func(t Datatype) uint64 { return uint64(t.ReferenceKind()) }, nil},
	PropertyCommitted: {"place in a file", anyType, func(t Datatype) uint64 { return one(t.d.Committed != format.Undefined) }, nil},
	PropertyAddress: {"place in a file", func(t Datatype) bool { return t.d.Committed != format.Undefined },
		func(t Datatype) uint64 { return t.d.Committed }, nil},
}

func anyType(Datatype) bool { return true }

func hasBits(t Datatype) bool {
	switch t.number().Class {
	case format.FixedPoint, format.FloatingPoint, format.Time, format.String, format.Bitfield:
		return true
	}
	return false
}

func isInteger(t Datatype) bool { return t.number().Class == format.FixedPoint }

func isFloat(t Datatype) bool { return t.number().Class == format.FloatingPoint }

func isText(t Datatype) bool { d := t.text(); return d.Class == format.String || d.VariableString }

func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func ofFloat(name string, get func(FloatFields) uint64, with func(Datatype, uint64) (Datatype, error)) property {
	return property{name, isFloat, func(t Datatype) uint64 { f, _ := t.Float(); return get(f) }, with}
}

// small makes a change to a value of 8 bits take any number.
func small[T ~uint8](with func(Datatype, T) (Datatype, error)) func(Datatype, uint64) (Datatype, error) {
	return func(t Datatype, v uint64) (Datatype, error) { return with(t, T(min(v, math.MaxUint8))) }
}

// Property returns a property as H5T's functions give it; a Type error where the
// class of t has none.
func (t Datatype) Property(p Property) (uint64, error) {
	if p < 0 || int(p) >= len(properties) {
		return 0, badArgument("property %d is unknown", p)
	}
	if !properties[p].of(t) {
		return 0, newError(h5err.Type, "a datatype of class %s has no %s", t.Class(), properties[p].name)
	}
	return properties[p].get(t), nil
}

// WithProperty returns t with another value of a property. Those that only make
// sense together, the places of the parts of a float, are set by WithFields.
func (t Datatype) WithProperty(p Property, value uint64) (Datatype, error) {
	if p < 0 || int(p) >= len(properties) || properties[p].with == nil {
		return Datatype{}, badArgument("property %d cannot be set", p)
	}
	return properties[p].with(t, value)
}
