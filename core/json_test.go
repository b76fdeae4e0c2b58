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
