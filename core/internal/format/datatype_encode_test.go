package format

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
)

// What was decoded is encoded to the same bytes, but for dimensions that members
// of version 1 have themselves: an array type takes their place.
func TestDatatypesEncodeToTheirBytes(t *testing.T) {
	for _, tc := range datatypeCases {
		p := unhex(t, tc.hex)
		d, err := decodeDatatypeBytes(p)
		if err != nil {
			t.Fatal(err)
		}
		got := AppendDatatype([]byte{1, 2, 3}, d)
		if tc.name == "compound version 1 with a member of two dimensions (specification)" {
			p = unhex(t, "26010000 1a000000 6100000000000000 02000000"+
				"2a000000 18000000 02 000000 02000000 03000000 00000000 01000000"+int32LE)
		}
		if !bytes.Equal(got, append([]byte{1, 2, 3}, p...)) {
			t.Errorf("%s:\ngot  %x\nwant %x", tc.name, got[3:], p)
		}
	}
}

// A type takes the version of what it holds: VAX numbers need 3, complex numbers
// 5. In a compound that was raised all is that depends on the version, and the
// variable-length types of that.
func TestVersionsRiseWithTheirContent(t *testing.T) {
	vax := floatType(4, VAX, float32Bits)
	member := func(name string, at uint32, d *Datatype) Member { return Member{name, at, d} }
	inner := &Datatype{Class: Compound, Version: 1, Size: 4, Members: []Member{member("x", 0, intType(4, true))}}
	outer := &Datatype{Class: Compound, Version: 1, Size: 8, Members: []Member{member("i", 0, inner), member("v", 4, vax)}}
	sequence := &Datatype{Class: VariableLength, Version: 1, Size: 16, Base: inner}
	around := &Datatype{Class: Compound, Version: 1, Size: 20, Members: []Member{member("s", 0, sequence), member("v", 16, vax)}}
	for _, tc := range []struct {
		d    *Datatype
		want string
	}{
		{vax, "31611f00 04000000 0000 2000 17 08 00 17 7f000000"},
		{&Datatype{Class: Reference, Version: 1, Size: 18, RefKind: ObjectReference2, RefVersion: 1}, "17120000 12000000"},
		{&Datatype{Class: Complex, Version: 1, Size: 8, Base: floatType(4, LittleEndian, float32Bits)}, "5b010000 08000000" + float32LE},
		{&Datatype{Class: Array, Version: 1, Size: 8, Dims: []uint32{2}, Base: vax},
			"3a000000 08000000 01 02000000 31611f00 04000000 0000 2000 17 08 00 17 7f000000"},
		{outer, "36020000 08000000 6900 00 36010000 04000000 7800 00" + int32LE +
			"7600 04 31611f00 04000000 0000 2000 17 08 00 17 7f000000"},
		{around, "36020000 14000000 7300 00 39000000 10000000 36010000 04000000 7800 00" + int32LE +
			"7600 10 31611f00 04000000 0000 2000 17 08 00 17 7f000000"},
	} {
		if got := AppendDatatype(nil, tc.d); !bytes.Equal(got, unhex(t, tc.want)) {
			t.Errorf("got  %x\nwant %s", got, tc.want)
		}
	}
}

func TestEncodedDatatypesHaveTheirOwnHeader(t *testing.T) {
	decode := func(hex string) (*Datatype, error) {
		return DecodeEncodedDatatype(cursor.New(unhex(t, hex), 0), wide)
	}
	d, err := decode("0300" + int32LE + "ffff")
	if err != nil || !reflect.DeepEqual(*d, func() Datatype { d := *intType(4, true); d.Committed = Undefined; return d }()) {
		t.Errorf("%+v, %v", d, err)
	}
	if got := AppendEncodedDatatype(nil, d); !bytes.Equal(got, unhex(t, "0300"+int32LE)) {
		t.Errorf("%x", got)
	}
	for hex, kind := range map[string]h5err.Kind{"0100" + int32LE: h5err.Corrupt, "0301" + int32LE: h5err.Unsupported, "03": h5err.Corrupt} {
		if _, err := decode(hex); !errors.Is(err, kind) {
			t.Errorf("%s: %v", hex, err)
		}
	}
	p := unhex(t, "0300"+float64LE)
	checkTruncations(t, p, 0, func(p []byte) error {
		_, err := DecodeEncodedDatatype(cursor.New(p, 0), wide)
		return err
	})
}

func FuzzDatatypeRoundTrip(f *testing.F) {
	for _, tc := range datatypeCases {
		f.Add(unhex(f, tc.hex))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		d, err := decodeDatatypeBytes(p)
		if err != nil {
			return
		}
		encoded := AppendDatatype(nil, d)
		again, err := decodeDatatypeBytes(encoded)
		if err != nil {
			t.Fatalf("%x: %v", encoded, err)
		}
		if twice := AppendDatatype(nil, again); !bytes.Equal(twice, encoded) {
			t.Errorf("%x is encoded again as %x", encoded, twice)
		}
	})
}
