package convert

import (
	"math"

	"clawh5/core/internal/format"
)

// Packed returns dst without the bytes that a conversion from src leaves as they
// are: compounds have the fields that both have, one behind the other. The
// conversion from src to it is never partial, and that from it to dst only
// moves. It is nil if nothing is left.
func Packed(src, dst *format.Datatype) *format.Datatype {
	switch {
	case src.Class != dst.Class:
		return dst
	case dst.Class == format.Compound:
		return packedCompound(src, dst)
	case dst.Class == format.Array:
		return packedArray(src, dst)
	}
	return dst
}

func packedCompound(src, dst *format.Datatype) *format.Datatype {
	d := *dst
	d.Members, d.Size, d.Committed = nil, 0, format.Undefined
	//nolint:errcheck // visit has none
	EachField(src, dst, func(from, to *format.Member) error {
		if t := Packed(from.Type, to.Type); t != nil {
			d.Members = append(d.Members, format.Member{Name: to.Name, Offset: d.Size, Type: t})
			d.Size += t.Size
		}
		return nil
	})
	if d.Size == 0 {
		return nil
	}
	return &d
}

func packedArray(src, dst *format.Datatype) *format.Datatype {
	base := Packed(src.Base, dst.Base)
	if base == nil {
		return nil
	}
	d := *dst
	d.Base, d.Committed = base, format.Undefined
	n, _ := count(dst)
	if n > math.MaxUint32/uint64(base.Size) {
		return dst
	}
	d.Size = uint32(n) * base.Size
	return &d
}
