package core

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"clawh5/core/h5err"
)

const referenceFiles = "../testdata/files/references/"

// parsed returns a JSON text as Go values.
func parsed(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// resolved returns values in which every reference, a base64 text, is replaced
// by what AppendReference says of it.
func resolved(t *testing.T, f *File, v any) any {
	t.Helper()
	switch v := v.(type) {
	case string:
		raw, err := base64.StdEncoding.DecodeString(v)
		if err != nil {
			t.Fatal(err)
		}
		text, err := f.AppendReference(background, nil, raw)
		if err != nil {
			t.Fatal(err)
		}
		return parsed(t, text)
	case []any:
		for i := range v {
			v[i] = resolved(t, f, v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = resolved(t, f, v[k])
		}
	}
	return v
}

// TestReferencesSayWhatTheyWereMadeOf: of all kinds, in all places that can
// hold one.
func TestReferencesSayWhatTheyWereMadeOf(t *testing.T) {
	for _, libver := range []string{"earliest", "latest"} {
		f := openTest(t, referenceFiles+"references_"+libver+".h5", Options{})
		text, err := os.ReadFile(referenceFiles + "references_" + libver + ".json")
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range parsed(t, text).(map[string]any) {
			if key == "old_objects" {
				continue // addresses, below
			}
			var values *Values
			if name, ok := strings.CutPrefix(key, "@"); ok {
				values, err = f.Root().Attribute(background, name)
			} else {
				d := testDataset(t, f, key)
				values, err = d.ReadValues(background, All(), d.Dims())
			}
			if err != nil {
				t.Fatalf("%s: %v", key, err)
			}
			if got := resolved(t, f, parsed(t, values.AppendJSON(nil))); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s:\n%v\nwant\n%v", libver, key, got, want)
			}
		}
	}
}

// elementsOf returns the elements of a dataset as the file has them.
func elementsOf(t *testing.T, f *File, path string) (Datatype, [][]byte) {
	t.Helper()
	d := testDataset(t, f, path)
	size := int(d.Datatype().Size())
	buf := make([]byte, size*int(d.Dims()[0]))
	if err := d.Read(background, All(), MemoryFile, buf, nil); err != nil {
		t.Fatal(err)
	}
	var parts [][]byte
	for ; len(buf) > 0; buf = buf[size:] {
		parts = append(parts, buf[:size])
	}
	return d.Datatype(), parts
}

func TestDereferenceOpensTheObject(t *testing.T) {
	for _, libver := range []string{"earliest", "latest"} {
		f := openTest(t, referenceFiles+"references_"+libver+".h5", Options{External: ExternalBelow})
		for path, want := range map[string][]Kind{
			"objects":     {DatasetKind, GroupKind, UnknownKind, DatatypeKind, DatasetKind},
			"mixed":       {DatasetKind, DatasetKind, DatasetKind, DatasetKind, UnknownKind},
			"old_objects": {DatasetKind, GroupKind, UnknownKind},
			"old_regions": {DatasetKind, DatasetKind, DatasetKind, DatasetKind, DatasetKind, UnknownKind},
		} {
			typ, parts := elementsOf(t, f, path)
			for i, p := range parts {
				r, err := f.Reference(background, typ, p)
				if err != nil {
					t.Fatal(err)
				}
				o, err := f.Dereference(background, &r)
				if want[i] == UnknownKind {
					if !r.Null || !errors.Is(err, h5err.NotFound) {
						t.Errorf("%s[%d]: %+v, %v, want a null reference", path, i, r, err)
					}
					continue
				}
				if err != nil || o.Kind() != want[i] {
					t.Fatalf("%s[%d]: %v, %v, want a %v", path, i, o, err, want[i])
				}
				if r.File != "" && filepath.Base(o.File().Location()) != r.File {
					t.Errorf("%s[%d]: the object is in %s, the reference says %s", path, i, o.File().Location(), r.File)
				}
			}
		}
	}
}

func TestReferencesToOtherFilesCanBeRefused(t *testing.T) {
	f := openTest(t, referenceFiles+"references_latest.h5", Options{External: RefuseExternal})
	typ, parts := elementsOf(t, f, "objects")
	r, err := f.Reference(background, typ, parts[4])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Dereference(background, &r); !errors.Is(err, h5err.Permission) {
		t.Errorf("%v, want a permission error", err)
	}
}

func TestDamagedReferencesAreErrors(t *testing.T) {
	f := openTest(t, referenceFiles+"references_latest.h5", Options{})
	typ, parts := elementsOf(t, f, "regions")
	for name, c := range map[string]struct {
		change func(p []byte) []byte
		kind   h5err.Kind
	}{
		"short":             {func(p []byte) []byte { return p[:len(p)-1] }, h5err.Handle},
		"unknown kind":      {func(p []byte) []byte { p[0] = 9; return p }, h5err.Unsupported},
		"unknown flags":     {func(p []byte) []byte { p[1] = 0x80; return p }, h5err.Unsupported},
		"too long":          {func(p []byte) []byte { p[5] = 1; return p }, h5err.Corrupt},
		"no such heap":      {func(p []byte) []byte { p[6]++; return p }, h5err.Corrupt},
		"no such object":    {func(p []byte) []byte { p[14] = 200; return p }, h5err.Corrupt},
		"cut":               {func(p []byte) []byte { p[2] = 12; return p }, h5err.Corrupt},
		"an object's token": {func(p []byte) []byte { p[0], p[2] = 2, 4; return p }, h5err.Corrupt},
	} {
		p := c.change(append([]byte(nil), parts[2]...))
		if _, err := f.Reference(background, typ, p); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", name, err, c.kind)
		}
	}
	integers := testDataset(t, f, "group/grid").Datatype()
	if _, err := f.Reference(background, integers, parts[2]); !errors.Is(err, h5err.Type) {
		t.Errorf("an integer as a reference: %v", err)
	}
}

// FuzzReference reads any bytes as a reference in a file with heaps.
func FuzzReference(f *testing.F) {
	file := openTest(f, referenceFiles+"references_latest.h5", Options{})
	for _, path := range []string{"objects", "regions", "mixed", "old_regions"} {
		d := testDataset(f, file, path)
		buf := make([]byte, d.Datatype().Size()*d.Dims()[0])
		if err := d.Read(background, All(), MemoryFile, buf, nil); err != nil {
			f.Fatal(err)
		}
		for size := int(d.Datatype().Size()); len(buf) > 0; buf = buf[size:] {
			f.Add(buf[:size])
		}
	}
	f.Fuzz(func(t *testing.T, element []byte) {
		r, err := file.reference(context.Background(), element)
		if err == nil && !r.Null {
			file.Dereference(context.Background(), &r)
		}
	})
}
