package filtertest

import (
	"encoding/json"
	"os"
	"testing"

	"clawh5/core/internal/filter"
)

// Load returns the chunks of a file of testdata, as libhdf5 stored them, all of
// which went through one filter.
func Load(t testing.TB, name string) []Case {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var chunks []struct {
		Name          string
		Filters       []filter.Spec
		Stored, Plain []byte
	}
	if err := json.Unmarshal(text, &chunks); err != nil {
		t.Fatal(err)
	}
	if len(chunks) == 0 {
		t.Fatalf("%s: no chunks", name)
	}
	var cases []Case
	for _, c := range chunks {
		cases = append(cases, Case{Name: c.Name, Params: c.Filters[0].Params, Stored: c.Stored, Plain: c.Plain})
	}
	return cases
}
