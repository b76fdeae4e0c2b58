package core

import "clawh5/core/internal/format"

// FloatFields is where the parts of a floating-point number lie, in bits from
// the least significant one.
type FloatFields struct {
	Sign                     uint64
	ExponentAt, ExponentBits uint64
	MantissaAt, MantissaBits uint64
	Bias                     uint64
	Normalization            Normalization
	InternalPad              BitPad
}

// number returns what answers for number properties: t or what it is made of.
func (t Datatype) number() *format.Datatype {
	d := t.d
	for d.Base != nil {
		d = d.Base
	}
	return d
}

// Order returns the byte order.
func (t Datatype) Order() ByteOrder {
	d := t.number()
	switch d.Class {
	case format.FixedPoint, format.FloatingPoint, format.Bitfield, format.Time:
		return ByteOrder(d.Order)
	case format.Compound:
		return orderOfMembers(d)
	}
	return OrderNone
}

func orderOfMembers(d *format.Datatype) ByteOrder {
	order := OrderNone
	for i := range d.Members {
		switch o := (Datatype{d.Members[i].Type}).Order(); {
		case o == OrderNone || o == order:
		case order == OrderNone:
			order = o
		default:
			return OrderMixed
		}
	}
	return order
}

// Precision returns the number of significant bits; 0 where it has no meaning.
func (t Datatype) Precision() uint64 {
	d := t.number()
	if d.Class == format.String {
		return 8 * uint64(d.Size)
	}
	return uint64(d.Precision)
}

// BitOffset returns the bits below the first significant one.
func (t Datatype) BitOffset() uint64 { return uint64(t.number().BitOffset) }

// Pads returns what fills the bits below and above the significant ones.
func (t Datatype) Pads() (low, high BitPad) {
	d := t.number()
	return BitPad(d.LowPad), BitPad(d.HighPad)
}

// Signed reports whether integers are in two's complement.
func (t Datatype) Signed() bool { return t.number().Signed }

// Float returns the layout of a floating-point type and whether t is one.
func (t Datatype) Float() (FloatFields, bool) {
	f := t.number().Float
	if f == nil {
		return FloatFields{}, false
	}
	return FloatFields{
		Sign:       uint64(f.SignLocation),
		ExponentAt: uint64(f.ExponentLocation), ExponentBits: uint64(f.ExponentSize),
		MantissaAt: uint64(f.MantissaLocation), MantissaBits: uint64(f.MantissaSize),
		Bias: uint64(f.ExponentBias), Normalization: 2 - Normalization(f.Normalization), InternalPad: BitPad(f.InternalPad),
	}, true
}
