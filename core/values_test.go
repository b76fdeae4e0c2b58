package core

import (
	"encoding/hex"
	"testing"
)

// The values are those of the layouts by arithmetic: sign, exponent less bias,
// mantissa.
func TestNumbersOfAnyLayoutAreRenderedByTheirValue(t *testing.T) {
	for _, c := range []struct{ name, element, want string }{
		{"H5T_IEEE_F16BE", "3e00", "1.5"},
		{"H5T_IEEE_F16LE", "ff7b", "65504"},
		{"H5T_IEEE_F16LE", "0100", "5.9604645e-08"}, // 2^-24
		{"H5T_IEEE_F16LE", "00fc", `"-Infinity"`},
		{"H5T_IEEE_F16LE", "007e", `"NaN"`},
		{"H5T_IEEE_F32LE", "cdcccc3d", "0.1"},
		{"H5T_IEEE_F64BE", "3fb999999999999a", "0.1"},
		{"H5T_FLOAT_BFLOAT16LE", "c03f", "1.5"},
		{"H5T_FLOAT_BFLOAT16BE", "7f80", `"Infinity"`},
		{"H5T_FLOAT_F8E4M3", "3c", "1.5"},
		{"H5T_VAX_F32", "c0400000", "1.5"}, // 0.11b times 2, words of 16 bits
		{"H5T_STD_I32BE", "fffffe", "-2"},
		{"H5T_STD_U64LE", "00000000000000000100000000000000", "18446744073709551616"},
	} {
		d, ok := Predefined(c.name)
		if !ok {
			t.Fatalf("%s is unknown", c.name)
		}
		element, err := hex.DecodeString(c.element)
		size := uint64(len(element))
		if size != d.Size() {
			if d, err = d.WithSize(size); err == nil {
				d, err = d.WithPrecision(8 * size)
			}
		}
		if err != nil {
			t.Fatal(c.name, err)
		}
		v := Values{d: d.d, memory: d.d, data: element}
		if got := string(v.AppendJSON(nil)); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.name, c.element, got, c.want)
		}
	}
}
