package render

import (
	"math"
	"math/big"
	"testing"
)

// The texts are what C's printf prints.
func TestFloatsArePrintedAsPrintfDoes(t *testing.T) {
	for _, c := range []struct {
		format string
		x      float64
		want   string
	}{
		{"%g", 0, "0"},
		{"%g", math.Copysign(0, -1), "-0"},
		{"%g", 0.1, "0.1"},
		{"%g", 1.0 / 3, "0.333333"},
		{"%g", 100000, "100000"},
		{"%g", 999999.5, "1e+06"},
		{"%g", 1e6, "1e+06"},
		{"%g", 0.0001, "0.0001"},
		{"%g", 0.00001, "1e-05"},
		{"%g", 1e100, "1e+100"},
		{"%g", math.Inf(1), "inf"},
		{"%g", math.Inf(-1), "-inf"},
		{"%g", math.NaN(), "nan"},
		{"%1.15g", 0.1, "0.1"},
		{"%1.6g", 16777216, "1.67772e+07"},
		{"%.7f", -0.12345674, "-0.1234567"},
		{"%f", 10, "10.000000"},
		{"%+f", 1.5, "+1.500000"},
		{"%+f", -1.5, "-1.500000"},
		{"% .1f", 1.25, " 1.2"},
		{"%08.3f", -1.5, "-001.500"},
		{"%08.3f", math.Inf(1), "     inf"},
		{"%-8.2f|", 3.14159, "3.14    |"},
		{"%10.3e", 12345.678, " 1.235e+04"},
		{"%G", 1e-10, "1E-10"},
		{"%.0g", 12, "1e+01"},
		{"%lf", 2, "2.000000"},
		{"100%% %g m", 2, "100% 2 m"},
		{"none", 2, "none"},
	} {
		if got := string(appendFloat(nil, c.format, c.x)); got != c.want {
			t.Errorf("%s of %v is %q, not %q", c.format, c.x, got, c.want)
		}
	}
}

func TestLongNumbersKeepTheirDigits(t *testing.T) {
	x, _, err := big.ParseFloat("1.00000000000000000005e4000", 10, 64, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(appendBig(nil, "%g", x)); got != "1e+4000" {
		t.Errorf("%%Lg is %q", got)
	}
}
