package filter_test

import (
	"errors"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/filter/filtertest"
)

func TestSPERRPassesTheSuite(t *testing.T) {
	var cases []filtertest.Case
	for i, c := range filtertest.Load(t, "testdata/sperr.json") {
		if i%5 == 0 { // all are decoded by the tests of sperr
			cases = append(cases, c)
		}
	}
	filtertest.Run(t, lookup(t, filter.SPERR), cases)
}

func TestSPERRKnowsWhatIsNotSupported(t *testing.T) {
	params := []uint32{2<<10 | 2, 0, 9, 9} // a later generation
	_, err := lookup(t, filter.SPERR).Decode(nil, make([]byte, 100), params, -1, 1000)
	if !errors.Is(err, h5err.Unsupported) {
		t.Fatal(err)
	}
}
