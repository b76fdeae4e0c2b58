package ddl

import (
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

func decode(t *testing.T, text string) *format.Datatype {
	t.Helper()
	p, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := format.DecodeEncodedDatatype(cursor.New(p, 0), format.Sizes{Offset: 8, Length: 8})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

func library(t *testing.T, d *format.Datatype) *format.Datatype {
	t.Helper()
	d, err := datatype.Library(d)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// libraryFacts is what libhdf5 says (testdata/make/make_datatypes.py).
func libraryFacts(t *testing.T) (types []struct {
	Encoded string
	Text    *string
}, texts map[string]string) {
	t.Helper()
	f, err := os.Open("../datatype/testdata/h5t.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Types []struct {
			Encoded string
			Text    *string
		}
		Texts map[string]string
	}
	if err := json.NewDecoder(z).Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all.Types, all.Texts
}

func TestTextIsThatOfTheLibraryWhereItHasOne(t *testing.T) {
	types, _ := libraryFacts(t)
	n := 0
	for _, f := range types {
		if f.Text == nil {
			continue
		}
		n++
		if got := Text(decode(t, f.Encoded)); got != *f.Text {
			t.Errorf("got\n%s\nwant\n%s", got, *f.Text)
		}
	}
	if n < 200 {
		t.Errorf("only %d texts", n)
	}
}

func TestTextsOfTheLibraryAreRead(t *testing.T) {
	_, texts := libraryFacts(t)
	for text, want := range texts {
		d, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := hex.EncodeToString(format.AppendEncodedDatatype(nil, library(t, d))); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestTypesOfTheLibrarySurviveTheirText(t *testing.T) {
	types, _ := libraryFacts(t)
	for _, f := range types {
		checkRoundTrip(t, decode(t, f.Encoded))
	}
}

// checkRoundTrip checks that reading the text of d gives d.
func checkRoundTrip(t *testing.T, d *format.Datatype) {
	t.Helper()
	text := Text(d)
	got, err := Parse(text)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	if a, b := plain(d), plain(got); !reflect.DeepEqual(a, b) {
		t.Fatalf("%s\nof  %+v\nbut %+v", text, a, b)
	}
}

// plain returns d without what a text does not say: versions, and where it is
// committed.
func plain(d *format.Datatype) *format.Datatype {
	c := *d
	c.Version, c.Committed = 0, format.Undefined
	if d.Base != nil {
		c.Base = plain(d.Base)
	}
	c.Members = nil
	for _, m := range d.Members {
		m.Type = plain(m.Type)
		c.Members = append(c.Members, m)
	}
	if len(c.Values) == 0 {
		c.Names, c.Values = nil, nil
	}
	return &c
}

func TestErrorsTellTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                                             "line 1, column 1: the end of the text instead of a datatype",
		"H5T_STD_I32":                                  `line 1, column 1: "H5T_STD_I32" is no datatype`,
		"H5T_STD_I8LE H5T_STD_I8LE":                    `line 1, column 14: "H5T_STD_I8LE" after the datatype`,
		"H5T_VLEN {\n  H5T_STD_I8LE\n":                 "line 3, column 1: the end of the text instead of \"}\"",
		"H5T_VLEN {\n  H5T_STD_I8LE ? }":               "line 2, column 16: unexpected \"?\"",
		"H5T_ARRAY { H5T_STD_I8LE }":                   "line 1, column 1: an array of 0 dimensions; there must be 1 to 32",
		"H5T_ARRAY { [0] H5T_STD_I8LE }":               "line 1, column 1: an array with a dimension of 0",
		"H5T_ARRAY { [-1] H5T_STD_I8LE }":              "line 1, column 14: \"-1\" is no number from 0 to 2^32-1",
		"H5T_COMPLEX { H5T_STD_I8LE }":                 "line 1, column 1: a complex number of parts of class integer, not of floats",
		"H5T_ENUM { H5T_IEEE_F32LE; }":                 "line 1, column 1: an enumeration of values of class float, not of integers",
		"H5T_ENUM { H5T_STD_I8LE; \"A\" 300; }":        "line 1, column 30: 300 is no value of the enumeration",
		"H5T_ENUM { H5T_STD_I8LE; \"A\" 1; \"A\" 2; }": "line 1, column 1: two members of the enumeration have the name \"A\"",
		"H5T_COMPOUND { H5T_STD_I32LE \"a\" : 0; H5T_STD_I32LE \"b\" : 2; }": "line 1, column 1: members \"a\" and \"b\" overlap",
		"H5T_COMPOUND { H5T_STD_I32LE \"a\" : 0; SIZE 3; }":                  "line 1, column 1: member \"a\" of 4 bytes at 0 reaches past the 3 bytes of the compound",
		"H5T_COMPOUND { H5T_STD_I32LE \"a }":                                 "line 1, column 30: a text without an end",
		"H5T_STRING { STRSIZE 0; STRPAD":                                     "line 1, column 1: a datatype of 0 bytes",
		"20-bit integer 20-bit precision":                                    "line 1, column 1: \"20-bit\" is no number of whole bytes",
		"16-bit integer 20-bit precision":                                    "line 1, column 1: bits 0 to 20 of 2 bytes",
		"16-bit floating-point 14-bit precision":                             "line 1, column 1: the exponent takes bits 0 to 0 of 0 to 16",
	} {
		_, err := Parse(text)
		if !errors.Is(err, h5err.Type) || !strings.HasSuffix(err.Error(), "datatype text, "+want) {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestWordsOfH5dumpAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"128-bit little-endian floating-point 80-bit precision":  "H5T_NATIVE_LDOUBLE",
		"32-bit big-endian unsigned integer 32-bit precision":    "H5T_STD_U32BE",
		"H5T_REFERENCE { H5T_STD_REF_OBJ }":                      " H5T_REFERENCE { H5T_STD_REF_OBJECT }",
		"16-bit little-endian floating-point 16-bit precision\n": "H5T_IEEE_F16LE",
		"32-bit little-endian integer 17-bit precision":          "32-bit little-endian integer 17-bit precision",
		"H5T_OPAQUE { OPAQUE_TAG \"t\"; OPAQUE_SIZE 4; }":        "H5T_OPAQUE {\n      OPQ_SIZE 4;\n      OPQ_TAG \"t\";\n   }",
	} {
		d, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := Text(d); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestDeepTextsAreRefused(t *testing.T) {
	for _, text := range []string{strings.Repeat("H5T_VLEN { ", 1_000_000), strings.Repeat("H5T_VLEN { ", 70) + "H5T_STD_I8LE" + strings.Repeat("}", 70)} {
		if _, err := Parse(text); !errors.Is(err, h5err.Type) {
			t.Errorf("%v", err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(Text(maker{rand.New(rand.NewPCG(seed, 2))}.datatype(2)))
	}
	f.Add("H5T_STRING { STRSIZE H5T_VARIABLE; STRPAD H5T_STR_NULLTERM; CSET H5T_CSET_UTF8; CTYPE H5T_C_S1; }")
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := Parse(text); err == nil {
			checkRoundTrip(t, d)
		} else if !errors.Is(err, h5err.Type) {
			t.Errorf("%v", err)
		}
	})
}
