package convert

import (
	"bytes"
	"slices"

	"clawh5/core/internal/format"
)

// toEnumeration converts an enumeration with the same names for the same values,
// or an integer of its base type, whose values need not have names. (From an
// enumeration to a number see toNumber.)
func toEnumeration(src, dst *format.Datatype) (Conversion, error) {
	from := src
	if src.Class == format.Enumeration {
		from = src.Base
	}
	if !same(from, dst.Base) && !sameButOrder(from, dst.Base) {
		return Conversion{}, noConversion(src, dst)
	}
	c, err := compile(from, dst.Base)
	if err != nil {
		return Conversion{}, err
	}
	if src.Class == format.Enumeration {
		values := make([]byte, len(src.Values))
		c.Run(values, src.Values, len(src.Names))
		if !slices.Equal(src.Names, dst.Names) || !bytes.Equal(values, dst.Values) {
			return Conversion{}, noConversion(src, dst)
		}
	}
	return c, nil
}
