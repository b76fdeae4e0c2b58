package datatype

import "clawh5/core/internal/format"

// CheckNumber checks that the bits of an integer, float, bitfield or time lie in
// its bytes, and those of a float apart from each other.
func CheckNumber(d *format.Datatype) error {
	end := uint64(d.BitOffset) + uint64(d.Precision)
	switch {
	case d.Size == 0 || d.Precision == 0:
		return refused("a number of %d bytes and %d bits", d.Size, d.Precision)
	case end > 8*uint64(d.Size):
		return refused("bits %d to %d of %d bytes", d.BitOffset, end, d.Size)
	case d.Order == format.VAX && d.Class != format.FloatingPoint:
		return refused("VAX byte order of a type that is no float")
	case d.Class == format.Time && (d.BitOffset != 0 || d.LowPad != 0 || d.HighPad != 0):
		return refused("a type of time has neither bit offset nor padding")
	case d.Float == nil:
		return nil
	}
	f := d.Float
	return checkFields(Fields{Sign: uint64(f.SignLocation), ExponentAt: uint64(f.ExponentLocation), ExponentBits: uint64(f.ExponentSize),
		MantissaAt: uint64(f.MantissaLocation), MantissaBits: uint64(f.MantissaSize)}, 0, 8*uint64(d.Size))
}

// checkFields checks that the parts of a float take bits low to high, and none
// twice.
func checkFields(f Fields, low, high uint64) error {
	parts := [...]struct {
		name  string
		at, n uint64
	}{{"sign", f.Sign, 1}, {"exponent", f.ExponentAt, f.ExponentBits}, {"mantissa", f.MantissaAt, f.MantissaBits}}
	for i, a := range parts {
		if a.n == 0 || a.n > maxField || a.at > maxField || a.at < low || a.at+a.n > high {
			return refused("the %s takes bits %d to %d of %d to %d", a.name, a.at, a.at+a.n, low, high)
		}
		for _, b := range parts[:i] {
			if a.at < b.at+b.n && b.at < a.at+a.n {
				return refused("%s and %s overlap", b.name, a.name)
			}
		}
	}
	return nil
}

// maxField is the highest place and size of a part of a float in a datatype
// message.
const maxField = 255
