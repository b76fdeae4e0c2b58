package core

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"clawh5/storage/open"
)

var background = context.Background()

const files = "../testdata/files/core/"

// goldenValue is what h5py reads: base64 of the bytes, or a list of texts or of
// lists where the datatype is variable-length. See testdata/make/make_core.py.
type goldenValue struct {
	Shape  []uint64        `json:"shape"`
	Dtype  string          `json:"dtype"`
	Values json.RawMessage `json:"values"`
}

type goldenObject struct {
	goldenValue
	Kind       string                 `json:"kind"`
	Links      []string               `json:"links"`
	Attributes map[string]goldenValue `json:"attributes"`
}

func openTest(t testing.TB, path string, o Options) *File {
	t.Helper()
	f, err := OpenLocation(background, path, open.Options{}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func loadGolden(t *testing.T, path string) map[string]goldenObject {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var objects map[string]goldenObject
	if err := json.Unmarshal(text, &objects); err != nil {
		t.Fatal(err)
	}
	return objects
}

func TestEveryObjectReadsAsH5pyReadsIt(t *testing.T) {
	goldens, err := filepath.Glob(files + "*.json")
	if err != nil || len(goldens) < 8 {
		t.Fatalf("%d golden files, %v", len(goldens), err)
	}
	for _, golden := range goldens {
		t.Run(strings.TrimSuffix(filepath.Base(golden), ".json"), func(t *testing.T) {
			f := openTest(t, strings.TrimSuffix(golden, "json")+"h5", Options{})
			for path, want := range loadGolden(t, golden) {
				t.Run(path, func(t *testing.T) { compareObject(t, f, path, want) })
			}
		})
	}
}

func compareObject(t *testing.T, f *File, path string, want goldenObject) {
	o, err := f.Root().Open(background, path)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[Kind]string{GroupKind: "group", DatasetKind: "dataset", DatatypeKind: "datatype"}
	if got := kinds[o.Kind()]; got != want.Kind && !(path == "/" && want.Kind == "file") {
		t.Fatalf("kind %s, want %s", got, want.Kind)
	}
	switch o.Kind() {
	case GroupKind:
		names, err := o.LinkNames(background)
		if err != nil || !reflect.DeepEqual(names, want.Links) && len(names)+len(want.Links) > 0 {
			t.Errorf("links %v, %v, want %v", names, err, want.Links)
		}
	case DatasetKind:
		d, err := o.Dataset(background)
		if err != nil {
			t.Fatal(err)
		}
		if d.Rank() < 0 {
			if want.Shape != nil {
				t.Errorf("a null dataspace, want shape %v", want.Shape)
			}
			break
		}
		v, err := d.ReadValues(background, All(), d.Dims())
		if err != nil {
			t.Fatal(err)
		}
		compareValues(t, v, want.goldenValue)
	}
	compareAttributes(t, o, want.Attributes)
}

func compareAttributes(t *testing.T, o *Object, want map[string]goldenValue) {
	names, err := o.AttributeNames(background)
	if err != nil {
		t.Fatal(err)
	}
	var wanted []string
	for n := range want {
		wanted = append(wanted, n)
	}
	sort.Strings(wanted)
	if fmt.Sprint(names) != fmt.Sprint(wanted) {
		t.Fatalf("attributes %v, want %v", names, wanted)
	}
	for _, n := range names {
		v, err := o.Attribute(background, n)
		if err != nil {
			t.Fatal(n, err)
		}
		if want[n].Shape != nil {
			compareValues(t, v, want[n])
		}
	}
}

func compareValues(t *testing.T, v *Values, want goldenValue) {
	t.Helper()
	if fmt.Sprint(v.Shape) != fmt.Sprint(want.Shape) {
		t.Fatalf("shape %v, want %v", v.Shape, want.Shape)
	}
	var text string
	if json.Unmarshal(want.Values, &text) == nil {
		if text == "reference" {
			return
		}
		if sum, ok := strings.CutPrefix(text, "sha256:"); ok {
			if got := fmt.Sprintf("%x", sha256.Sum256(v.data)); got != sum {
				t.Fatalf("%d bytes of SHA-256 %s, want %s", len(v.data), got, sum)
			}
			return
		}
		bytes, err := base64.StdEncoding.DecodeString(text)
		if err != nil || string(bytes) != string(v.data) {
			t.Fatalf("bytes %x, want %x (%v)", v.data, bytes, err)
		}
		return
	}
	var list, got []any
	flat := &Values{Shape: []uint64{uint64(len(v.data) / int(v.memory.Size))}, memory: v.memory, data: v.data, heap: v.heap}
	if err := json.Unmarshal(want.Values, &list); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(flat.AppendJSON(nil), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, list) {
		t.Fatalf("values %v, want %v", got, list)
	}
}
