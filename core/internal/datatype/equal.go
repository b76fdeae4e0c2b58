package datatype

import (
	"bytes"
	"cmp"
	"slices"

	"clawh5/core/internal/format"
)

// Equal reports whether a and b are the same type, as H5Tequal does: the order of
// members and of names does not count, neither do padding and character set of
// strings of variable length, nor where a type is committed.
func Equal(a, b *format.Datatype) bool {
	if a == b {
		return true
	}
	if a.Class != b.Class || a.Size != b.Size || (a.Base == nil) != (b.Base == nil) {
		return false
	}
	if a.Base != nil && !Equal(a.Base, b.Base) {
		return false
	}
	switch a.Class {
	case format.FixedPoint, format.Bitfield, format.Time:
		return equalBits(a, b) && a.Signed == b.Signed
	case format.FloatingPoint:
		return equalBits(a, b) && *a.Float == *b.Float
	case format.String:
		return a.Charset == b.Charset && a.Pad == b.Pad
	case format.Opaque:
		return a.Tag == b.Tag
	case format.Compound:
		return equalMembers(a, b)
	case format.Reference:
		return a.RefKind == b.RefKind
	case format.Enumeration:
		return equalNames(a, b)
	case format.VariableLength:
		return a.VariableString == b.VariableString
	case format.Array:
		return slices.Equal(a.Dims, b.Dims)
	}
	return true
}

func equalBits(a, b *format.Datatype) bool {
	return a.Order == b.Order && a.Precision == b.Precision && a.BitOffset == b.BitOffset &&
		a.LowPad == b.LowPad && a.HighPad == b.HighPad
}

func equalMembers(a, b *format.Datatype) bool {
	byName := func(m []format.Member) []format.Member {
		m = slices.Clone(m)
		slices.SortFunc(m, func(x, y format.Member) int { return cmp.Compare(x.Name, y.Name) })
		return m
	}
	return len(a.Members) == len(b.Members) &&
		slices.EqualFunc(byName(a.Members), byName(b.Members), func(x, y format.Member) bool {
			return x.Name == y.Name && x.Offset == y.Offset && Equal(x.Type, y.Type)
		})
}

func equalNames(a, b *format.Datatype) bool {
	byName := func(d *format.Datatype) []int {
		order := make([]int, len(d.Names))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Compare(d.Names[i], d.Names[j]) })
		return order
	}
	return slices.EqualFunc(byName(a), byName(b), func(i, j int) bool {
		return a.Names[i] == b.Names[j] && bytes.Equal(enumValue(a, i), enumValue(b, j))
	})
}

func enumValue(d *format.Datatype, i int) []byte {
	size := int(d.Base.Size)
	return d.Values[i*size : (i+1)*size]
}

// Contains reports whether d is of a class or holds a type of it, as
// H5Tdetect_class does: a string of variable length is a string, but as a member
// of a compound also a variable-length type.
func Contains(d *format.Datatype, class format.Class) bool {
	if d.VariableString {
		return class == format.String
	}
	if d.Class == class || d.Base != nil && Contains(d.Base, class) {
		return true
	}
	return slices.ContainsFunc(d.Members, func(m format.Member) bool {
		return m.Type.Class == class || Contains(m.Type, class)
	})
}
