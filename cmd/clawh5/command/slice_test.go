package command

import (
	"fmt"
	"strings"
	"testing"
)

// The expected counts are those of Python's range(*slice(...).indices(n)).
func TestSliceTextsMeanWhatPythonMeans(t *testing.T) {
	dims := []uint64{10, 20, 30}
	for text, want := range map[string]string{
		"":              "[10 20 30]",
		"...":           "[10 20 30]",
		"0":             "[20 30]",
		"0,10:20,:":     "[10 30]",
		"-1,...,::7":    "[20 5]",
		"2:8:3, -5:, 4": "[2 5]",
		"5:2":           "[0 20 30]",
		"..., 0":        "[10 20]",
		"100:200":       "[0 20 30]",
		"-100:3":        "[3 20 30]",
	} {
		_, shape, err := parseSlice(text, dims)
		if err != nil || fmt.Sprint(shape) != want {
			t.Errorf("%q: shape %v, error %v; want %s", text, shape, err, want)
		}
	}
}

func TestWrongSlicesAreExplained(t *testing.T) {
	for text, want := range map[string]string{
		"10":      "outside of 0 to 9",
		"-11":     "outside of 0 to 9",
		"a":       "neither a number nor a range",
		"::0":     "not a positive number",
		"::-1":    "not a positive number",
		"1:2:3:4": "more than two colons",
		"...,...": "more than one ...",
		"0,0,0,0": "4 parts, the dataset 3 dimensions",
		"1:b":     "not a number",
	} {
		_, _, err := parseSlice(text, []uint64{10, 20, 30})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want ... %s", text, err, want)
		}
	}
}
