package filter_test

import (
	"errors"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/filter/filtertest"
)

func TestFCIDecompPassesTheSuite(t *testing.T) {
	var cases []filtertest.Case
	for i, c := range filtertest.Load(t, "testdata/fcidecomp.json") {
		if i%5 == 0 { // all are decoded by the tests of jpegls
			cases = append(cases, c)
		}
	}
	filtertest.Run(t, lookup(t, filter.FCIDecomp), cases)
}

func TestFCIDecompKnowsWhatIsNotSupported(t *testing.T) {
	// an image whose samples go through a table
	src := "\xff\xd8\xff\xf7\x00\x0b\x08\x00\x02\x00\x04\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x01\x00\x00\x00"
	_, err := lookup(t, filter.FCIDecomp).Decode(nil, []byte(src), nil, 8, 8)
	if !errors.Is(err, h5err.Unsupported) {
		t.Fatal(err)
	}
}
