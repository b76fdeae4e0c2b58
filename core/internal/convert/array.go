package convert

import (
	"slices"

	"clawh5/core/internal/format"
)

// toArray converts arrays of the same shape element by element.
func toArray(src, dst *format.Datatype) (Conversion, error) {
	if src.Class == format.Complex && isPair(dst, src.Base) {
		return identity(int(dst.Size)), nil
	}
	if src.Class != format.Array || !slices.Equal(src.Dims, dst.Dims) {
		return Conversion{}, NoConversion(src, dst)
	}
	n, _ := count(dst)
	return repeat(src, dst, int(n))
}

// repeat converts elements that are count elements of a base type.
func repeat(src, dst *format.Datatype, count int) (Conversion, error) {
	c, err := compile(src.Base, dst.Base)
	if err != nil {
		return Conversion{}, err
	}
	if c.Identity {
		return identity(int(src.Size)), nil
	}
	return Conversion{SrcSize: int(src.Size), DstSize: int(dst.Size), InPlace: c.InPlace, Partial: c.Partial,
		Run: func(dst, src []byte, n int) { c.Run(dst, src, n*count) }}, nil
}
