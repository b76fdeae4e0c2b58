package filter_test

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/filter/filtertest"
)

func TestSPERRPassesTheSuite(t *testing.T) {
	text, err := os.ReadFile("testdata/sperr.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []chunk
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	var cases []filtertest.Case
	for i, c := range all {
		if i%5 != 0 { // all are decoded by the tests of sperr
			continue
		}
		cases = append(cases, filtertest.Case{Name: c.Name, Params: c.Filters[0].Params, Stored: c.Stored, Plain: c.Plain})
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
