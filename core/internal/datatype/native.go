package datatype

import (
	"math"

	"clawh5/core/internal/format"
)

// Native returns the type of this machine's memory that holds d, as
// H5Tget_native_type chooses it: integers and bitfields by their precision and
// floats by their size are the smallest of C's types, compounds are laid out as
// C's structs. Types of time, of which libhdf5 knows no native one, become
// little-endian.
func Native(d *format.Datatype) (*format.Datatype, error) { return native(d, false) }

// NativeLibrary is Native with the sizes of Library.
func NativeLibrary(d *format.Datatype) (*format.Datatype, error) { return native(d, true) }

func native(d *format.Datatype, library bool) (*format.Datatype, error) {
	n := nativizer{library}
	t, _, err := n.native(d)
	return t, err
}

// nativizer makes types native, with the sizes of libhdf5's memory or of ours.
type nativizer struct{ library bool }

// native returns the native type of d and its alignment.
func (n nativizer) native(d *format.Datatype) (*format.Datatype, uint32, error) {
	switch d.Class {
	case format.FixedPoint:
		t := integer(nativeBits(d.Precision), d.Signed)
		return t, t.Size, nil
	case format.Bitfield:
		t := plain(format.Bitfield, nativeBits(d.Precision))
		return t, t.Size, nil
	case format.FloatingPoint:
		t := nativeFloat(d)
		return t, t.Size, nil
	case format.Time:
		return inOrder(d, format.LittleEndian), 1, nil
	case format.Reference:
		t := changed(d)
		if n.library {
			t.Size = librarySizes[d.RefKind]
		}
		align := uint32(pointerSize)
		if d.RefKind == format.RegionReference1 {
			align = 1
		}
		return t, align, nil
	case format.Compound:
		return n.compound(d)
	case format.Enumeration:
		return n.enumeration(d)
	case format.Array, format.Complex:
		return n.elements(d)
	case format.VariableLength:
		return n.variable(d)
	}
	return changed(d), 1, nil // strings, opaque
}

func nativeBits(precision uint16) uint16 {
	for _, bits := range [...]uint16{8, 16, 32} {
		if precision <= bits {
			return bits
		}
	}
	return 64
}

// halfFloats are the floats of at most 2 bytes that libhdf5 2.0 holds in one of 2
// bytes; others of that size may have a wider exponent.
var halfFloats = []string{"H5T_IEEE_F16LE", "H5T_IEEE_F16BE", "H5T_FLOAT_F8E4M3", "H5T_FLOAT_F8E5M2"}

func nativeFloat(d *format.Datatype) *format.Datatype {
	for _, name := range halfFloats {
		if Equal(d, predefined[name]) {
			return predefined["H5T_NATIVE_FLOAT16"]
		}
	}
	for _, name := range [...]string{"H5T_NATIVE_FLOAT", "H5T_NATIVE_DOUBLE"} {
		if t := predefined[name]; d.Size <= t.Size {
			return t
		}
	}
	return predefined["H5T_NATIVE_LDOUBLE"]
}

func (n nativizer) compound(d *format.Datatype) (*format.Datatype, uint32, error) {
	c := changed(d)
	c.Members = make([]format.Member, len(d.Members))
	size, align := uint64(0), uint32(1)
	for i := range d.Members {
		t, a, err := n.native(d.Members[i].Type)
		if err != nil {
			return nil, 0, err
		}
		size = aligned(size, a)
		c.Members[i] = format.Member{Name: d.Members[i].Name, Offset: uint32(size), Type: t}
		size, align = size+uint64(t.Size), max(align, a)
		if size > math.MaxUint32-math.MaxUint8 {
			return nil, 0, refused("a compound of more than 4 GiB")
		}
	}
	c.Size = max(uint32(aligned(size, align)), 1)
	return c, align, nil
}

func aligned(at uint64, align uint32) uint64 {
	a := uint64(align)
	return (at + a - 1) / a * a
}

func (n nativizer) enumeration(d *format.Datatype) (*format.Datatype, uint32, error) {
	base, align, err := n.native(d.Base)
	if err != nil {
		return nil, 0, err
	}
	c := changed(d)
	c.Base, c.Size, c.Values = base, base.Size, nil
	for i := range d.Names {
		c.Values = AppendInteger(c.Values, base, Integer(d.Base, enumValue(d, i)))
	}
	return c, align, nil
}

func (n nativizer) elements(d *format.Datatype) (*format.Datatype, uint32, error) {
	base, align, err := n.native(d.Base)
	if err != nil {
		return nil, 0, err
	}
	c := changed(d)
	c.Base = base
	c, err = resized(c)
	return c, align, err
}

func (n nativizer) variable(d *format.Datatype) (*format.Datatype, uint32, error) {
	c := changed(d)
	c.Size = SlotSize
	if d.VariableString {
		if n.library {
			c.Size = pointerSize
		}
		return c, pointerSize, nil
	}
	base, _, err := n.native(d.Base)
	c.Base = base
	return c, pointerSize, err
}
