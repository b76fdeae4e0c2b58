package convert

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// validate checks what the conversions rely on: that parts lie in the whole.
func validate(d *format.Datatype) error {
	if d.Size == 0 || d.Size > math.MaxInt32 {
		return corrupt(d, "%d bytes", d.Size)
	}
	switch d.Class {
	case format.FloatingPoint:
		if d.Float == nil {
			return corrupt(d, "no layout")
		}
	case format.Compound:
		for _, m := range d.Members {
			if err := validate(m.Type); err != nil {
				return err
			}
			if uint64(m.Offset)+uint64(m.Type.Size) > uint64(d.Size) {
				return corrupt(d, "field %q lies outside", m.Name)
			}
		}
	case format.Array:
		n, ok := count(d)
		return validateBase(d, n, ok)
	case format.Complex:
		return validateBase(d, 2, true)
	case format.Enumeration:
		if len(d.Values) != len(d.Names)*int(d.Size) {
			return corrupt(d, "%d names with %d bytes of values", len(d.Names), len(d.Values))
		}
		return validateBase(d, 1, true)
	}
	return nil
}

// validateBase checks that d is n elements of its base type.
func validateBase(d *format.Datatype, n uint64, ok bool) error {
	if d.Base == nil {
		return corrupt(d, "no base type")
	}
	size, fits := cursor.Mul(n, uint64(d.Base.Size))
	if !ok || !fits || size != uint64(d.Size) {
		return corrupt(d, "not %d elements of %d bytes", n, d.Base.Size)
	}
	return validate(d.Base)
}

// count returns the number of elements of an array and whether it fits.
func count(d *format.Datatype) (uint64, bool) {
	n, ok := uint64(1), true
	for _, dim := range d.Dims {
		var fits bool
		n, fits = cursor.Mul(n, uint64(dim))
		ok = ok && fits
	}
	return n, ok
}

func corrupt(d *format.Datatype, detail string, args ...any) error {
	return h5err.At(h5err.Corrupt, "datatype", h5err.NoOffset, describe(d)+": "+fmt.Sprintf(detail, args...))
}

// same reports whether elements of a and b with equal values have equal bytes.
func same(a, b *format.Datatype) bool {
	if a.Class != b.Class || a.Size != b.Size {
		return false
	}
	switch a.Class {
	case format.FixedPoint, format.Bitfield, format.Time:
		return sameBits(a, b) && a.Signed == b.Signed
	case format.FloatingPoint:
		return sameBits(a, b) && *a.Float == *b.Float
	case format.String:
		return a.Pad == b.Pad && a.Charset == b.Charset
	case format.Opaque:
		return a.Tag == b.Tag
	case format.Reference:
		return a.RefKind == b.RefKind && a.RefVersion == b.RefVersion
	case format.Enumeration:
		return same(a.Base, b.Base) && slices.Equal(a.Names, b.Names) && bytes.Equal(a.Values, b.Values)
	case format.Array:
		return slices.Equal(a.Dims, b.Dims) && same(a.Base, b.Base)
	case format.Complex:
		return same(a.Base, b.Base)
	case format.Compound:
		return slices.EqualFunc(a.Members, b.Members, func(x, y format.Member) bool {
			return x.Name == y.Name && x.Offset == y.Offset && same(x.Type, y.Type)
		})
	}
	return false
}

func sameBits(a, b *format.Datatype) bool {
	if a.Order != b.Order && a.Size != 1 || a.BitOffset != b.BitOffset || a.Precision != b.Precision {
		return false
	}
	return uint32(a.Precision) == 8*a.Size || a.LowPad == b.LowPad && a.HighPad == b.HighPad
}

// sameButOrder reports whether elements of a are those of b with their bytes
// reversed.
func sameButOrder(a, b *format.Datatype) bool {
	switch a.Class {
	case format.FixedPoint, format.FloatingPoint, format.Bitfield, format.Time:
		if a.Order == format.VAX || b.Order == format.VAX || a.Order == b.Order {
			return false
		}
		turned := *b
		turned.Order = a.Order
		return same(a, &turned)
	}
	return false
}

// describe names a datatype in an error.
func describe(d *format.Datatype) string {
	bits := 8 * uint64(d.Size)
	switch d.Class {
	case format.FixedPoint, format.FloatingPoint, format.Bitfield, format.Time:
		order := [...]string{"little-endian", "big-endian", "VAX"}[d.Order%3]
		sign := ""
		if d.Class == format.FixedPoint && !d.Signed {
			sign = "unsigned "
		}
		return fmt.Sprintf("%d-bit %s %s%s", bits, order, sign, d.Class)
	case format.Compound:
		return fmt.Sprintf("compound of %d fields", len(d.Members))
	case format.Array, format.Enumeration, format.Complex, format.VariableLength:
		if d.Base != nil {
			return d.Class.String() + " of " + describe(d.Base)
		}
	}
	return fmt.Sprintf("%s of %d bytes", d.Class, d.Size)
}
