// Package convert turns elements of a file into elements of memory.
//
// A conversion is compiled once for a pair of datatypes and then run over any
// number of elements. Numbers follow the rules that libhdf5 has for the native
// byte order, whatever the byte order is:
//
//	integer to integer   out of range: the nearest value in range
//	float to integer     toward zero; out of range: the nearest value; NaN: 0
//	integer to float     to the nearest, ties to even
//	float to float       to the nearest, ties to even; beyond the largest finite
//	                     value: infinity; NaN keeps its sign and high bits
//
// Where C leaves a conversion undefined (NaN or 2^63 to an integer) libhdf5 gives
// what the machine gives; here the rules above hold.
//
// Variable-length data needs the file it comes from: it is converted elsewhere,
// and gives a Type error here.
package convert

import (
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// Func converts n elements of src to elements of dst, which hold as many at
// least. The two do not overlap, unless the Conversion is InPlace and they are
// the same bytes.
type Func func(dst, src []byte, n int)

// Conversion is a compiled conversion. It is immutable and safe for concurrent
// use.
type Conversion struct {
	SrcSize, DstSize int  // bytes of an element
	Identity         bool // elements stay as they are: copying does
	InPlace          bool // dst may be src
	Run              Func
}

// Compile returns the conversion of elements of type src to elements of type
// dst. If there is none, the error has the kind Type and names both. References
// of the same kind stay as they are.
func Compile(src, dst *format.Datatype) (Conversion, error) {
	for _, d := range [...]*format.Datatype{src, dst} {
		if err := validate(d); err != nil {
			return Conversion{}, err
		}
	}
	return compile(src, dst)
}

func compile(src, dst *format.Datatype) (Conversion, error) {
	switch {
	case same(src, dst):
		return identity(int(src.Size)), nil
	case sameButOrder(src, dst):
		return swap(int(src.Size)), nil
	}
	switch dst.Class {
	case format.FixedPoint, format.FloatingPoint:
		return toNumber(src, dst)
	case format.Enumeration:
		return toEnumeration(src, dst)
	case format.String:
		return toString(src, dst)
	case format.Compound:
		return toCompound(src, dst)
	case format.Array:
		return toArray(src, dst)
	case format.Complex:
		return toComplex(src, dst)
	}
	return Conversion{}, noConversion(src, dst)
}

func identity(size int) Conversion {
	return Conversion{SrcSize: size, DstSize: size, Identity: true, InPlace: true,
		Run: func(dst, src []byte, n int) { copy(dst[:n*size], src[:n*size]) }}
}

func noConversion(src, dst *format.Datatype) error {
	return h5err.New(h5err.Type, fmt.Sprintf("no conversion from %s to %s", describe(src), describe(dst)))
}
