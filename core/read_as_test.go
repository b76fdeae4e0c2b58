package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"clawh5/core/h5err"
)

const readAsFiles = "../testdata/files/read_as/"

// readAsCase is a case of testdata/make/make_read_as.py.
type readAsCase struct {
	Path   string
	Type   []byte // H5Tencode
	Out    []byte // of a memory full of 0xee
	Values []any
}

func readAsCases(t *testing.T) []readAsCase {
	t.Helper()
	text, err := os.ReadFile(readAsFiles + "cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []readAsCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestReadsAsOtherDatatypesAreThoseOfLibhdf5(t *testing.T) {
	f := openTest(t, readAsFiles+"types.h5", Options{})
	for i, c := range readAsCases(t) {
		mem, err := DecodeDatatype(c.Type)
		if err != nil {
			t.Fatal(err)
		}
		if c.Values != nil {
			d := testDataset(t, f, c.Path)
			v, err := d.ReadValuesAs(background, All(), d.Dims(), mem)
			if err != nil {
				t.Errorf("%d, %s: %v", i, c.Path, err)
				continue
			}
			var got []any
			if err := json.Unmarshal(v.AppendJSON(nil), &got); err != nil || !reflect.DeepEqual(got, c.Values) {
				t.Errorf("%d, %s: %v, want %v (%v)", i, c.Path, got, c.Values, err)
			}
			continue
		}
		dst := bytes.Repeat([]byte{0xee}, len(c.Out))
		if c.Path[0] == '@' {
			_, err = f.Root().ReadAttributeAs(background, c.Path[1:], mem, dst)
		} else {
			_, err = testDataset(t, f, c.Path).ReadAs(background, All(), mem, dst, nil)
		}
		if err != nil || !bytes.Equal(dst, c.Out) {
			t.Errorf("%d, %s: %x, want %x (%v)", i, c.Path, dst, c.Out, err)
		}
	}
}

// TestPartsReadAsTheWholeDoes: a slab in pieces shorter than a row, of a type
// with bytes that stay as they are.
func TestPartsReadAsTheWholeDoes(t *testing.T) {
	f := openTest(t, readAsFiles+"types.h5", Options{})
	d := testDataset(t, f, "record_2d")
	for _, c := range readAsCases(t) {
		if c.Path != "record_2d" {
			continue
		}
		mem, err := DecodeDatatype(c.Type)
		if err != nil {
			t.Fatal(err)
		}
		size := int(mem.Size())
		var want []byte
		for _, row := range []int{1, 2, 3} {
			for _, column := range []int{1, 3, 5} {
				want = append(want, c.Out[(row*6+column)*size:][:size]...)
			}
		}
		dst := bytes.Repeat([]byte{0xee}, len(want))
		s := Hyperslab([]uint64{1, 1}, []uint64{1, 2}, []uint64{3, 3}, nil)
		if _, err := d.ReadAs(background, s, mem, dst, nil); err != nil || !bytes.Equal(dst, want) {
			t.Errorf("%x, want %x (%v)", dst, want, err)
		}
	}
}

func TestImpossibleMemoryDatatypesAreErrors(t *testing.T) {
	f := openTest(t, readAsFiles+"types.h5", Options{})
	number, _ := Predefined("H5T_STD_I32LE")
	vlen, err := NewVlen(number)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		mem  Datatype
		size int
		want h5err.Kind
	}{
		{"ints", Datatype{}, 400, h5err.Handle},
		{"ints", vlen, 1600, h5err.Type},
		{"ints", NewVariableString(), 1600, h5err.Type},
		{"ints", number, 399, h5err.Space},
		{"texts", number, 12, h5err.Type},
		{"sequences", number, 16, h5err.Type},
		{"sequences", NewVariableString(), 64, h5err.Type},
		{"record", number, 80, h5err.Type},
		{"deep", vlen, 48, h5err.Type},
	} {
		if _, err := testDataset(t, f, c.path).ReadAs(background, All(), c.mem, make([]byte, c.size), nil); !errors.Is(err, c.want) {
			t.Errorf("%s as %v: %v, want %v", c.path, c.mem, err, c.want)
		}
	}
}
