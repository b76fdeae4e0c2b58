package datatype

import (
	"math"
	"slices"

	"clawh5/core/internal/format"
)

// number returns what the number properties of d are set in: d or the innermost
// type that it is made of. A string of variable length is not taken apart.
func number(d *format.Datatype) *format.Datatype {
	for d.Base != nil && !d.VariableString {
		d = d.Base
	}
	return d
}

// rebuilt returns d with its number type replaced: types around it take on the
// new size. Enumerations with members refuse.
func rebuilt(d, inner *format.Datatype) (*format.Datatype, error) {
	if d.Base == nil || d.VariableString {
		return inner, nil
	}
	if d.Class == format.Enumeration && len(d.Names) > 0 {
		return nil, refused("an enumeration that has members already cannot be changed")
	}
	base, err := rebuilt(d.Base, inner)
	if err != nil {
		return nil, err
	}
	c := changed(d)
	c.Base = base
	return resized(c)
}

// resized gives d the size that its base type asks for.
func resized(d *format.Datatype) (*format.Datatype, error) {
	size := uint64(d.Base.Size)
	switch d.Class {
	case format.VariableLength:
		return d, nil
	case format.Complex:
		size *= 2
	case format.Array:
		for _, n := range d.Dims {
			if size *= uint64(n); size > math.MaxUint32 {
				break
			}
		}
	}
	if size > math.MaxUint32 {
		return nil, refused("a datatype of more than 4 GiB")
	}
	d.Size = uint32(size)
	return d, nil
}

// change applies f to a copy of the number type of d, which must be of one of
// the classes.
func change(d *format.Datatype, what string, f func(*format.Datatype) error, classes ...format.Class) (*format.Datatype, error) {
	inner := changed(number(d))
	if !slices.Contains(classes, inner.Class) {
		return nil, refused("a datatype of class %s has no %s", inner.Class, what)
	}
	if err := f(inner); err != nil {
		return nil, err
	}
	return rebuilt(d, inner)
}

// bitClasses are those whose elements have significant bits.
var bitClasses = []format.Class{format.FixedPoint, format.FloatingPoint, format.Bitfield, format.Time}

// fits checks that the parts of a float lie below a bit.
func fits(d *format.Datatype, end uint64) error {
	f := d.Float
	if f == nil {
		return nil
	}
	if uint64(f.SignLocation) >= end || uint64(f.ExponentLocation)+uint64(f.ExponentSize) > end ||
		uint64(f.MantissaLocation)+uint64(f.MantissaSize) > end {
		return refused("sign, exponent and mantissa must be moved below bit %d first", end)
	}
	return nil
}

// WithSize returns d with another size in bytes; precision and bit offset follow
// where they must.
func WithSize(d *format.Datatype, size uint64) (*format.Datatype, error) {
	if size == 0 || size > math.MaxUint32 {
		return nil, refused("a datatype of %d bytes", size)
	}
	return change(d, "size that can be set", func(d *format.Datatype) error {
		switch d.Class {
		case format.Compound:
			for i := range d.Members {
				m := &d.Members[i]
				if uint64(m.Offset)+uint64(m.Type.Size) > size {
					return refused("member %q would be cut off", m.Name)
				}
			}
		case format.FixedPoint, format.FloatingPoint, format.Bitfield, format.Time:
			precision, offset := bitsWithin(uint64(d.Precision), uint64(d.BitOffset), 8*size)
			if err := fits(d, precision+offset); err != nil {
				return err
			}
			d.Precision, d.BitOffset = uint16(precision), uint16(offset)
		}
		d.Size = uint32(size)
		return nil
	}, append(slices.Clip(bitClasses), format.Compound, format.String, format.Opaque)...)
}

// bitsWithin moves and cuts a range of bits so that it ends within n bits.
func bitsWithin(precision, offset, n uint64) (uint64, uint64) {
	switch {
	case precision > n:
		return n, 0
	case offset+precision > n:
		return precision, n - precision
	}
	return precision, offset
}

// WithPrecision returns d with another number of significant bits; size and
// offset follow where they must.
func WithPrecision(d *format.Datatype, precision uint64) (*format.Datatype, error) {
	if precision == 0 || precision > math.MaxUint16 {
		return nil, refused("a precision of %d bits", precision)
	}
	return change(d, "precision", func(d *format.Datatype) error {
		size := max(uint64(d.Size), (precision+7)/8)
		_, offset := bitsWithin(precision, uint64(d.BitOffset), 8*uint64(d.Size))
		if err := fits(d, precision+offset); err != nil {
			return err
		}
		d.Size, d.Precision, d.BitOffset = uint32(size), uint16(precision), uint16(offset)
		return nil
	}, bitClasses...)
}

// WithOffset returns d with its significant bits at another bit offset; it grows
// where it must.
func WithOffset(d *format.Datatype, offset uint64) (*format.Datatype, error) {
	if offset > math.MaxUint16 {
		return nil, refused("a bit offset of %d", offset)
	}
	return change(d, "bit offset", func(d *format.Datatype) error {
		d.BitOffset = uint16(offset)
		d.Size = max(d.Size, uint32((offset+uint64(d.Precision)+7)/8))
		return nil
	}, format.FixedPoint, format.FloatingPoint, format.Bitfield)
}

// WithOrder returns d with another byte order, of all members of a compound.
// Types without an order are left as they are there.
func WithOrder(d *format.Datatype, o format.Order) (*format.Datatype, error) {
	if o > format.VAX {
		return nil, refused("byte order %d", o)
	}
	if inner := number(d); inner.Class == format.Compound && len(inner.Members) == 0 {
		return nil, refused("a compound without members has no byte order")
	}
	return change(d, "byte order", func(d *format.Datatype) error {
		switch d.Class {
		case format.Compound:
			return orderMembers(d, o)
		case format.FixedPoint, format.FloatingPoint, format.Bitfield, format.Time:
			if o == format.VAX && d.Class != format.FloatingPoint {
				return refused("VAX byte order of a type that is no float")
			}
			d.Order = o
		}
		return nil
	}, append(slices.Clip(bitClasses), format.Compound, format.String, format.VariableLength, format.Opaque, format.Reference)...)
}

func orderMembers(d *format.Datatype, o format.Order) error {
	d.Members = slices.Clone(d.Members)
	for i := range d.Members {
		t, err := WithOrder(d.Members[i].Type, o)
		if err != nil {
			return err
		}
		d.Members[i].Type = t
	}
	return nil
}

// WithPads returns d with other fill bits, 0 or 1, below and above the
// significant ones.
func WithPads(d *format.Datatype, low, high uint8) (*format.Datatype, error) {
	if low > 1 || high > 1 {
		return nil, refused("bit padding %d and %d: files hold 0 and 1", low, high)
	}
	return change(d, "bit padding", func(d *format.Datatype) error {
		d.LowPad, d.HighPad = low, high
		return nil
	}, format.FixedPoint, format.FloatingPoint, format.Bitfield)
}

// WithSign returns the integer type d with or without sign.
func WithSign(d *format.Datatype, signed bool) (*format.Datatype, error) {
	return change(d, "sign", func(d *format.Datatype) error { d.Signed = signed; return nil }, format.FixedPoint)
}
