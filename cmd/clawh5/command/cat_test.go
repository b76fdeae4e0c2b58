package command

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// golden is what h5py reads: see testdata/make/make_core.py.
type golden struct {
	Kind   string
	Shape  []int
	Dtype  string
	Values json.RawMessage
}

// printed is what cat --json prints of datatypes that are more than numbers and
// variable-length texts, as make_core.py writes them.
var printed = map[string]string{
	"/fixed":     `["abc","","abcdefgh"]`,
	"/compound":  `[{"n":1,"x":2.5,"s":"xy"},{"n":-1,"x":-2.5,"s":""}]`,
	"/array":     `[[{"m":[0,1,2,3]},{"m":[4,5,6,7]},{"m":[8,9,10,11]}],[{"m":[12,13,14,15]},{"m":[16,17,18,19]},{"m":[20,21,22,23]}]]`,
	"/opaque":    `["AQID","//79"]`, // base64
	"/enum":      `["RED","BLUE","GREEN"]`,
	"/bool":      `["TRUE","FALSE","TRUE"]`, // as h5py names them
	"/complex":   `[{"r":1,"i":2},{"r":0,"i":-3.5}]`,
	"/f2":        `[0.5,65504,5.9604645e-08]`, // 6e-8 is 1 unit of 2^-24
	"/empty":     `null`,
	"/zero":      `[]`,
	"/scalar":    `3.25`,
	"/reference": ``, // addresses differ from file to file
}

func TestCatPrintsEveryDatatypeAsH5pyReadsIt(t *testing.T) {
	for _, libver := range []string{"earliest", "latest"} {
		path := files + "datatypes_" + libver
		bytes, err := os.ReadFile(path + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var objects map[string]golden
		if err := json.Unmarshal(bytes, &objects); err != nil {
			t.Fatal(err)
		}
		for name, g := range objects {
			if g.Kind != "dataset" {
				continue
			}
			t.Run(libver+name, func(t *testing.T) { g.check(t, name, output(t, "cat", path+".h5", name, "--json")) })
		}
	}
}

func (g *golden) check(t *testing.T, name, got string) {
	want, ok := printed[name]
	if !ok {
		want = g.json(t)
	}
	if want == "" {
		want = got // that it is JSON is all
	}
	var a, b any
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		t.Fatalf("%s is no JSON: %v", got, err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s, want %s", got, want)
	}
	if strings.Contains(g.Dtype, "i8") && strings.TrimSpace(got) != want { // more digits than any has
		t.Errorf("%s, want %s", got, want)
	}
}

// json renders numbers of one dimension, and lists.
func (g *golden) json(t *testing.T) string {
	if g.Dtype == "|O" {
		if g.Shape != nil && len(g.Shape) == 0 {
			return strings.Trim(string(g.Values), "[] \n")
		}
		return string(g.Values)
	}
	var p []byte
	if err := json.Unmarshal(g.Values, &p); err != nil { // base64
		t.Fatal(err)
	}
	size := int(g.Dtype[2] - '0')
	var parts []string
	for ; len(p) >= size; p = p[size:] {
		parts = append(parts, number(g.Dtype, slices.Clone(p[:size])))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func number(dtype string, p []byte) string {
	if dtype[0] == '>' {
		slices.Reverse(p)
	}
	bits := binary.LittleEndian.Uint64(append(slices.Clone(p), make([]byte, 8)...))
	value := math.Float64frombits(bits)
	switch dtype[1:] {
	case "u1", "u2", "u4", "u8":
		return fmt.Sprint(bits)
	case "i1", "i2", "i4", "i8":
		unused := 64 - 8*len(p)
		return fmt.Sprint(int64(bits<<unused) >> unused)
	case "f4":
		value = float64(math.Float32frombits(uint32(bits)))
	}
	switch {
	case math.IsNaN(value):
		return `"NaN"`
	case math.IsInf(value, 1):
		return `"Infinity"`
	case math.IsInf(value, -1):
		return `"-Infinity"`
	}
	if dtype[1:] == "f4" {
		return fmt.Sprint(float32(value))
	}
	return fmt.Sprint(value)
}

func TestCatSeparatesRowsAndPlanes(t *testing.T) {
	const cube = "../../../testdata/files/selections/layouts_latest.h5" // value 7 i + 1
	got := text(output(t, "cat", cube, "/contiguous3", "-s", "::3,:2,:3"))
	var want strings.Builder
	for _, z := range []int{0, 3, 6} {
		for y := range 2 {
			at := (z*9 + y) * 5
			fmt.Fprintf(&want, "%d %d %d\n", 7*at+1, 7*at+8, 7*at+15)
		}
		want.WriteString("\n")
	}
	if got != want.String() {
		t.Errorf("\n%swant\n%s", got, want.String())
	}
}
