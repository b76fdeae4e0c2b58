package convert

import (
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// toEnumeration converts integers, whose values need not have names, and
// enumerations. (From an enumeration to a number see toNumber.)
func toEnumeration(src, dst *format.Datatype) (Conversion, error) {
	switch src.Class {
	case format.FixedPoint:
		return compile(src, dst.Base)
	case format.Enumeration:
		return byName(src, dst)
	}
	return Conversion{}, NoConversion(src, dst)
}

// byName gives each value that of the same name in dst, which must have all
// names of src. A value without a name becomes all ones.
func byName(src, dst *format.Datatype) (Conversion, error) {
	s, d := int(src.Size), int(dst.Size)
	if max(s, d) > maxNumber {
		return Conversion{}, NoConversion(src, dst)
	}
	values := make(map[string][]byte, len(dst.Names))
	for i, name := range dst.Names {
		values[name] = dst.Values[i*d : i*d+d]
	}
	to := make(map[string][]byte, len(src.Names))
	for i, name := range src.Names {
		value, ok := values[name]
		if !ok {
			return Conversion{}, h5err.New(h5err.Type,
				fmt.Sprintf("no conversion from %s to %s, which has no name %q", describe(src), describe(dst), name))
		}
		to[string(src.Values[i*s:i*s+s])] = value
	}
	unnamed := make([]byte, d)
	for i := range unnamed {
		unnamed[i] = 0xff
	}
	return perByte(Conversion{SrcSize: s, DstSize: d, InPlace: s == d, Run: func(dst, src []byte, n int) {
		for i := range n {
			value, ok := to[string(src[i*s:i*s+s])]
			if !ok {
				value = unnamed
			}
			copy(dst[i*d:], value)
		}
	}}), nil
}
