package core

import (
	"encoding/json"
	"math"
	"testing"
)

func TestBytesThatAreNotUTF8BecomeSurrogateEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"plain":          `"plain"`,
		"q\"\\\n\x00":    `"q\"\\\u000a\u0000"`,
		"\u00e9\u4e09":   "\"\u00e9\u4e09\"",
		"a\xffb":         `"a\udcffb"`,
		"\xc3":           `"\udcc3"`,
		"\xed\xa0\x80":   `"\udced\udca0\udc80"`, // a surrogate in UTF-8's clothes
		"\xf0\x9f\x98":   `"\udcf0\udc9f\udc98"`,
		"\xef\xbf\xbdok": "\"\ufffdok\"", // a replacement character that is really there
	} {
		if got := string(appendJSONString(nil, in)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestNumbersOfEveryWidthSurviveJSON(t *testing.T) {
	w := jsonWriter{}
	w.open('[')
	w.uint(math.MaxUint64)
	w.int(math.MinInt64)
	w.number(math.SmallestNonzeroFloat32, 32)
	w.number(math.MaxFloat64, 64)
	w.number(math.NaN(), 64)
	w.number(math.Inf(-1), 64)
	w.close(']')
	want := `[18446744073709551615,-9223372036854775808,1e-45,1.7976931348623157e+308,"NaN","-Infinity"]`
	if string(w.buf) != want || !json.Valid(w.buf) {
		t.Errorf("%s, want %s", w.buf, want)
	}
}

// Values of IEEE 754-2008 binary16.
func TestHalfPrecisionNumbersHaveTheirValue(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x0000: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 1. / (1 << 24), 0x0400: 1. / (1 << 14), 0x3555: 0.333251953125,
		0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		if got := half(bits); got != want {
			t.Errorf("%#04x: %v, want %v", bits, got, want)
		}
	}
	if !math.IsNaN(half(0x7e00)) {
		t.Error("0x7e00 is NaN")
	}
}
