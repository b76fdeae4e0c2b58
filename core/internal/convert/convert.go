// Package convert turns elements of a file into elements of memory.
//
// A conversion is compiled once for a pair of datatypes and then run over any
// number of elements. The rules are libhdf5's:
//
//	number to integer    toward zero; out of range: the nearest value; NaN: 0
//	integer to float     to the nearest, ties to even; too large: infinity
//	float to float       NaN and infinities stay. Between the types of machines
//	                     (IEEE 754's of 16, 32 and 64 bits, x86's of 80): to the
//	                     nearest, ties to even; all beyond the largest finite
//	                     number is infinity; NaN keeps its high bits. Else: ties
//	                     away from zero; infinity begins at the power of two
//	                     above the largest finite number; NaN has all bits set
//	bitfield             the lowest bits stay
//	enumeration          by name to another that has all names; a value without
//	                     a name becomes all ones. To numbers by value
//	string               cut off, padded and terminated; never between character sets
//	compound             fields by name; what dst has and src has not is not touched
//	array                element by element, of the same shape
//	complex              by parts; of a real number, the imaginary part is 0; to a
//	                     real number, it is lost; two equal parts in an array or a
//	                     compound are the same bits
//	opaque, reference    to the same type only
//
// A floating-point number of whatever layout has infinities and NaN where its
// exponent is all ones. That is libhdf5's view also of types whose inventors
// have finite numbers there: the predefined ones of 4, 6 and 8 bits (E4M3) and
// those of the VAX.
//
// Two conversions libhdf5 itself has not, h5py has: integers become an
// enumeration by value, and a bitfield is an integer of its size. Time changes
// its byte order.
//
// Results differ from libhdf5's
//
//   - where C leaves a result undefined, and libhdf5 gives what the machine gives:
//     NaN, or what is out of range, to an integer;
//   - where libhdf5's result depends on the byte order of the machine: numbers of
//     a machine's type in the other order. Here the order changes nothing;
//   - where libhdf5 breaks its rules: integers in the other order and of the
//     other sign are reinterpreted; a negative fraction becomes the smallest
//     integer; bits of an integer above whole bytes are lost; an integer too large
//     for a float becomes NaN; subnormal numbers round to half or twice; a sign
//     above an explicit mantissa is overwritten; VAX order is garbled on the way
//     to it; complex numbers in the other order with an infinity have another
//     part of no meaning; names of enumerations that are not in dst take a value
//     of another. Normalization with the leading bit always set, which libhdf5
//     refuses, is that of a stored leading bit. The tests name every case.
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
	Partial          bool // some bytes of dst are left as they are
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
	case format.Bitfield:
		return toBitfield(src, dst)
	}
	return Conversion{}, NoConversion(src, dst)
}

func identity(size int) Conversion {
	return Conversion{SrcSize: size, DstSize: size, Identity: true, InPlace: true,
		Run: func(dst, src []byte, n int) { copy(dst[:n*size], src[:n*size]) }}
}

// NoConversion is the error that src cannot be converted to dst.
func NoConversion(src, dst *format.Datatype) error {
	return h5err.New(h5err.Type, fmt.Sprintf("no conversion from %s to %s", describe(src), describe(dst)))
}
