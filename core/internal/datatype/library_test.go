package datatype

import (
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// libraryType is what libhdf5 says about a type (testdata/make/make_datatypes.py).
type libraryType struct {
	Encoded   string
	Native    *string
	Classes   []format.Class
	Size      uint64
	Order     int
	Precision uint64
	Offset    int
}

type libraryFacts struct {
	Predefined map[string]string
	Types      []libraryType
	Equal      [][2]int
}

func facts(t *testing.T) libraryFacts {
	t.Helper()
	f, err := os.Open("testdata/h5t.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var l libraryFacts
	if err := json.NewDecoder(z).Decode(&l); err != nil {
		t.Fatal(err)
	}
	return l
}

func decoded(t *testing.T, text string) *format.Datatype {
	t.Helper()
	p, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := format.DecodeEncodedDatatype(cursor.New(p, 0), fileSizes)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

// libraryBytes returns what H5Tencode makes of d in libhdf5's memory.
func libraryBytes(t *testing.T, d *format.Datatype) string {
	t.Helper()
	d, err := Library(d)
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(format.AppendEncodedDatatype(nil, d))
}

func TestPredefinedTypesAreThoseOfTheLibrary(t *testing.T) {
	for name, want := range facts(t).Predefined {
		d, ok := Predefined(name)
		if !ok {
			t.Errorf("%s is missing", name)
		} else if got := libraryBytes(t, d); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// OCP Microscaling Formats: E2M3 and E2M1 have a bias of 1, E3M2 of 3.
func TestSmallFloatsHaveTheLayoutOfTheirStandard(t *testing.T) {
	for name, want := range map[string]format.FloatProperties{
		"H5T_FLOAT_F6E2M3": {SignLocation: 5, ExponentLocation: 3, ExponentSize: 2, MantissaSize: 3, ExponentBias: 1, Normalization: format.MSBImplied},
		"H5T_FLOAT_F6E3M2": {SignLocation: 5, ExponentLocation: 2, ExponentSize: 3, MantissaSize: 2, ExponentBias: 3, Normalization: format.MSBImplied},
		"H5T_FLOAT_F4E2M1": {SignLocation: 3, ExponentLocation: 1, ExponentSize: 2, MantissaSize: 1, ExponentBias: 1, Normalization: format.MSBImplied},
	} {
		if d, ok := Predefined(name); !ok || *d.Float != want || d.Size != 1 {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestTypesEncodeAsTheLibraryEncodesThem(t *testing.T) {
	for _, f := range facts(t).Types {
		if got := libraryBytes(t, decoded(t, f.Encoded)); got != f.Encoded {
			t.Errorf("got  %s\nwant %s", got, f.Encoded)
		}
	}
}

func TestNativeTypesAreThoseOfTheLibrary(t *testing.T) {
	for _, f := range facts(t).Types {
		d := decoded(t, f.Encoded)
		if f.Native == nil {
			if !Contains(d, format.Time) {
				t.Errorf("%s: no native type", f.Encoded)
			}
			continue
		}
		n, err := NativeLibrary(d)
		if err != nil {
			t.Errorf("%s: %v", f.Encoded, err)
			continue
		}
		want := decoded(t, *f.Native)
		if want, err = Library(want); err != nil || !Equal(n, want) {
			t.Errorf("%s:\ngot  %x\nwant %s (%v)", f.Encoded, format.AppendEncodedDatatype(nil, n), *f.Native, err)
		}
	}
}

func TestClassesAreDetectedAsInTheLibrary(t *testing.T) {
	for _, f := range facts(t).Types {
		d := decoded(t, f.Encoded)
		for c := range format.Complex + 1 {
			if got, want := Contains(d, c), slices.Contains(f.Classes, c); got != want {
				t.Errorf("%s: class %d: %v", f.Encoded, c, got)
			}
		}
	}
}

func TestEqualityIsTheLibrarys(t *testing.T) {
	l := facts(t)
	types := make([]*format.Datatype, len(l.Types))
	for i, f := range l.Types {
		types[i] = decoded(t, f.Encoded)
	}
	equal := map[[2]int]bool{}
	for _, pair := range l.Equal {
		equal[pair] = true
	}
	for i := range types {
		for j := i; j < len(types); j++ {
			if got, want := Equal(types[i], types[j]), i == j || equal[[2]int{i, j}]; got != want {
				t.Errorf("%s and %s: %v", l.Types[i].Encoded, l.Types[j].Encoded, got)
			}
		}
	}
}
