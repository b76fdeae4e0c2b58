package convert

import "clawh5/core/internal/format"

// toComplex converts the real and the imaginary part; of a number, which is the
// real part, the imaginary part is 0. Two parts of the same type in an array or
// a compound are a complex number too.
func toComplex(src, dst *format.Datatype) (Conversion, error) {
	switch src.Class {
	case format.Complex:
		return repeat(src, dst, 2)
	case format.FixedPoint, format.FloatingPoint:
		return fromReal(src, dst)
	case format.Array, format.Compound:
		if isPair(src, dst.Base) {
			return identity(int(dst.Size)), nil
		}
	}
	return Conversion{}, NoConversion(src, dst)
}

// isPair reports whether d is an array or a compound of two elements of type
// base without gaps.
func isPair(d, base *format.Datatype) bool {
	switch d.Class {
	case format.Array:
		return len(d.Dims) == 1 && d.Dims[0] == 2 && same(d.Base, base)
	case format.Compound:
		return len(d.Members) == 2 && d.Size == 2*base.Size &&
			d.Members[0].Offset == 0 && d.Members[1].Offset == base.Size &&
			same(d.Members[0].Type, base) && same(d.Members[1].Type, base)
	}
	return false
}

// fromReal converts numbers to complex numbers.
func fromReal(src, dst *format.Datatype) (Conversion, error) {
	part, err := compile(src, dst.Base)
	if err != nil {
		return Conversion{}, NoConversion(src, dst)
	}
	c := newRecord(int(src.Size), int(dst.Size), field{Conversion: part})
	size, half := int(dst.Size), part.DstSize
	return Conversion{SrcSize: c.srcSize, DstSize: size, Run: func(dst, src []byte, n int) {
		c.run(dst, src, n)
		for i := range n {
			clear(dst[i*size+half : (i+1)*size])
		}
	}}, nil
}

// realPart converts complex numbers to numbers: what is imaginary is lost.
func realPart(src, dst *format.Datatype) (Conversion, error) {
	part, err := compile(src.Base, dst)
	if err != nil {
		return Conversion{}, NoConversion(src, dst)
	}
	return newRecord(int(src.Size), int(dst.Size), field{Conversion: part}).conversion(), nil
}
