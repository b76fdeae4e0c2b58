package format

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
)

const (
	float32LE = "11201f00 04000000 0000 2000 17 08 00 17 7f000000"
	float64LE = "11203f00 08000000 0000 4000 34 0b 00 34 ff030000"
	int8LE    = "10080000 01000000 0000 0800"
)

func floatType(size uint32, order Order, f FloatProperties) *Datatype {
	return &Datatype{Class: FloatingPoint, Version: 1, Size: size, Order: order, Precision: uint16(8 * size), Float: &f, Committed: Undefined}
}

var (
	float32Bits = FloatProperties{31, 23, 8, 0, 23, 127, MSBImplied, 0}
	float64Bits = FloatProperties{63, 52, 11, 0, 52, 1023, MSBImplied, 0}
)

// The bytes are what libhdf5 2.0 writes unless a note says that they are made
// after the specification.
var datatypeCases = []struct {
	name string
	hex  string
	want Datatype
}{
	{"int32", int32LE, *intType(4, true)},
	{"big-endian uint16", "10010000 02000000 0000 1000", Datatype{Class: FixedPoint, Size: 2, Order: BigEndian, Precision: 16}},
	{"12 bits of 16, padded with ones", "100e0000 02000000 0200 0c00",
		Datatype{Class: FixedPoint, Size: 2, BitOffset: 2, Precision: 12, Signed: true, LowPad: 1, HighPad: 1}},
	{"float32", float32LE, *floatType(4, LittleEndian, float32Bits)},
	{"big-endian float64", "11213f00 08000000 0000 4000 34 0b 00 34 ff030000", *floatType(8, BigEndian, float64Bits)},
	{"VAX float32 (specification)", "31611f00 04000000 0000 2000 17 08 00 17 81000000",
		Datatype{Class: FloatingPoint, Version: 3, Size: 4, Order: VAX, Precision: 32, Float: &FloatProperties{31, 23, 8, 0, 23, 129, MSBImplied, 0}}},
	{"x87 extended in 16 bytes (specification)", "11084f00 10000000 0000 5000 40 0f 00 40 ff3f0000",
		Datatype{Class: FloatingPoint, Size: 16, Precision: 80, Float: &FloatProperties{79, 64, 15, 0, 64, 16383, NoNormalization, 1}}},
	{"time", "12000000 04000000 2000", Datatype{Class: Time, Size: 4, Precision: 32}},
	{"space-padded UTF-8 string", "13120000 05000000", Datatype{Class: String, Size: 5, Pad: SpacePadded, Charset: UTF8}},
	{"bitfield", "14000000 01000000 0000 0800", Datatype{Class: Bitfield, Size: 1, Precision: 8}},
	{"opaque", "15100000 03000000 68656c6c6f2074616700000000000000", Datatype{Class: Opaque, Size: 3, Tag: "hello tag"}},
	{"compound version 1",
		"16020000 10000000" +
			"6100000000000000 00000000 00 000000 00000000 00000000 00000000 00000000 00000000 00000000" + int32LE +
			"6c6f6e676e616d650000000000000000 08000000 00 000000 00000000 00000000 00000000 00000000 00000000 00000000" + float64LE,
		Datatype{Class: Compound, Size: 16, Members: []Member{{"a", 0, intType(4, true)}, {"longname", 8, floatType(8, LittleEndian, float64Bits)}}}},
	{"compound version 1 with a member of two dimensions (specification)",
		"16010000 1a000000" +
			"6100000000000000 02000000 02 000000 00000000 00000000 02000000 03000000 00000000 00000000" + int32LE,
		Datatype{Class: Compound, Size: 26, Members: []Member{{"a", 2,
			&Datatype{Class: Array, Version: 1, Size: 24, Dims: []uint32{2, 3}, Base: intType(4, true), Committed: Undefined}}}}},
	{"compound version 2 (specification)", "26010000 06000000 6100000000000000 02000000" + int32LE,
		Datatype{Class: Compound, Version: 2, Size: 6, Members: []Member{{"a", 2, intType(4, true)}}}},
	{"compound version 5", "56020000 10000000 6100 00" + int32LE + "6c6f6e676e616d6500 08" + float64LE,
		Datatype{Class: Compound, Version: 5, Size: 16, Members: []Member{{"a", 0, intType(4, true)}, {"longname", 8, floatType(8, LittleEndian, float64Bits)}}}},
	{"compound version 3 of 256 bytes has offsets of two (specification)", "36010000 00010000 6100 fc00" + int32LE,
		Datatype{Class: Compound, Version: 3, Size: 256, Members: []Member{{"a", 252, intType(4, true)}}}},
	{"object reference", "17000000 08000000", Datatype{Class: Reference, Size: 8}},
	{"dataset region reference", "17010000 0c000000", Datatype{Class: Reference, Size: 12, RefKind: RegionReference1}},
	{"attribute reference (specification)", "47140000 12000000",
		Datatype{Class: Reference, Version: 4, Size: 18, RefKind: AttributeReference, RefVersion: 1}},
	{"enumeration version 1", "18020000 01000000" + int8LE + "5245440000000000 475245454e313200 00 05",
		Datatype{Class: Enumeration, Size: 1, Base: intType(1, true), Names: []string{"RED", "GREEN12"}, Values: []byte{0, 5}}},
	{"enumeration version 5", "58020000 01000000" + int8LE + "52454400 475245454e313200 00 05",
		Datatype{Class: Enumeration, Version: 5, Size: 1, Base: intType(1, true), Names: []string{"RED", "GREEN12"}, Values: []byte{0, 5}}},
	{"variable-length sequence", "19000000 10000000" + int32LE, Datatype{Class: VariableLength, Size: 16, Base: intType(4, true)}},
	{"variable-length string", "19010100 10000000 10000000 01000000 0000 0800",
		Datatype{Class: VariableLength, Size: 16, VariableString: true, Charset: UTF8, Base: intType(1, false)}},
	{"array version 2", "2a000000 0c000000 02 000000 02000000 03000000 00000000 01000000 10080000 02000000 0000 1000",
		Datatype{Class: Array, Version: 2, Size: 12, Dims: []uint32{2, 3}, Base: intType(2, true)}},
	{"array version 5", "5a000000 0c000000 02 02000000 03000000 10080000 02000000 0000 1000",
		Datatype{Class: Array, Version: 5, Size: 12, Dims: []uint32{2, 3}, Base: intType(2, true)}},
	{"complex", "5b010000 08000000" + float32LE,
		Datatype{Class: Complex, Version: 5, Size: 8, Base: floatType(4, LittleEndian, float32Bits)}},
}

func decodeDatatypeBytes(p []byte) (*Datatype, error) { return DecodeDatatype(cursor.New(p, 0), wide) }

func TestDatatypesDecode(t *testing.T) {
	for _, tc := range datatypeCases {
		t.Run(tc.name, func(t *testing.T) {
			want := tc.want
			want.Version = max(want.Version, 1)
			want.Committed = Undefined
			p := unhex(t, tc.hex)
			got, err := decodeDatatypeBytes(p)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(*got, want) {
				t.Errorf("got\n%+v, want\n%+v", *got, want)
			}
			checkTruncations(t, p, 0, func(p []byte) error { _, err := decodeDatatypeBytes(p); return err })
		})
	}
}

func TestDatatypesThatContradictThemselvesAreRefused(t *testing.T) {
	for _, tc := range []struct {
		name, hex string
		kind      h5err.Kind
	}{
		{"no size", "10080000 00000000 0000 2000", h5err.Corrupt},
		{"bits past the size", "10080000 04000000 0100 2000", h5err.Corrupt},
		{"no bits", "10080000 04000000 0000 0000", h5err.Corrupt},
		{"exponent over the sign", "11201f00 04000000 0000 2000 18 08 00 17 7f000000", h5err.Corrupt},
		{"mantissa over the exponent", "11201f00 04000000 0000 2000 17 08 00 18 7f000000", h5err.Corrupt},
		{"sign past the size", "11202000 04000000 0000 2000 17 08 00 17 7f000000", h5err.Corrupt},
		{"normalization 3", "11301f00 04000000 0000 2000 17 08 00 17 7f000000", h5err.Unsupported},
		{"member past the end", "36010000 06000000 6100 03" + int32LE, h5err.Corrupt},
		{"members overlap", "36020000 08000000 6100 00" + int32LE + "6200 03" + int32LE, h5err.Corrupt},
		{"members of one name", "36020000 08000000 6100 00" + int32LE + "6100 04" + int32LE, h5err.Corrupt},
		{"no members", "36000000 08000000", h5err.Corrupt},
		{"65535 members in few bytes", "36ffff00 08000000 6100 00" + int32LE, h5err.Corrupt},
		{"enumeration of another size", "38010000 02000000" + int8LE + "4100 0000", h5err.Corrupt},
		{"enumeration of floats", "38010000 04000000" + float32LE + "4100 00000000", h5err.Unsupported},
		{"array of another size", "3a000000 0d000000 01 03000000" + int32LE, h5err.Corrupt},
		{"array above 4 GiB", "3a000000 01000000 02 00000100 00000100" + int32LE, h5err.Corrupt},
		{"array of rank 33", "3a000000 04000000 21" + strings.Repeat("01000000", 33) + int32LE, h5err.Corrupt},
		{"reference of type 5", "17050000 08000000", h5err.Unsupported},
		{"complex in polar form", "5b030000 08000000" + float32LE, h5err.Unsupported},
		{"complex of integers", "5b010000 08000000" + int32LE, h5err.Corrupt},
		{"class 12", "1c000000 08000000", h5err.Unsupported},
		{"version 6", "60080000 04000000 0000 2000", h5err.Unsupported},
		{"version 0", "00080000 04000000 0000 2000", h5err.Corrupt},
		{"string padding 3", "13030000 05000000", h5err.Unsupported},
		{"tag of 5 bytes", "15050000 03000000 68656c6c6f", h5err.Corrupt},
		{"nested without end", strings.Repeat("19000000 10000000", 8000), h5err.Unsupported},
	} {
		if _, err := decodeDatatypeBytes(unhex(t, tc.hex)); !errors.Is(err, tc.kind) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.kind)
		}
	}
}

// libhdf5's H5T_set_loc gives the types of memory the sizes of the file.
func TestTypesOfMemoryGetTheSizesOfTheFile(t *testing.T) {
	vlen := "19000000 08000000" + int32LE
	d, err := decodeDatatypeBytes(unhex(t, "36030000 1c000000 6100 14"+int32LE+"6200 00 3a000000 10000000 01 02000000"+vlen+"6300 18"+int32LE))
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := d.Members[0], d.Members[1], d.Members[2]
	if d.Size != 0x1c+16 || a.Offset != 0x14+16 || b.Offset != 0 || c.Offset != 0x18+16 || b.Type.Size != 32 || b.Type.Base.Size != 16 {
		t.Errorf("%+v", d)
	}
	for hex, want := range map[string]uint32{
		"17000000 04000000":        8,
		"17010000 10000000":        12,
		"47120000 40000000":        18,
		vlen:                       16,
		"19000000 10000000" + vlen: 16,
	} {
		if d, err := decodeDatatypeBytes(unhex(t, hex)); err != nil || d.Size != want || d.Base != nil && d.Base.Class == VariableLength && d.Base.Size != 16 {
			t.Errorf("%s: %+v, %v", hex, d, err)
		}
	}
	// In sequences, references of the old kinds keep theirs; revised ones lie as
	// in a file, as the files of make_references.py show.
	for hex, want := range map[string]uint32{"17000000 04000000": 4, "47120000 40000000": 18} {
		d, err = decodeDatatypeBytes(unhex(t, "19000000 10000000"+hex))
		if err != nil || d.Base.Size != want {
			t.Errorf("%s in a sequence: %+v, %v", hex, d, err)
		}
	}
}

func TestHasVariableLengthLooksIntoMembersAndArrays(t *testing.T) {
	vlen := "19000000 10000000" + int32LE
	for hex, want := range map[string]bool{
		int32LE: false, vlen: true,
		"36020000 14000000 6100 00" + int32LE + "6200 04" + vlen: true,
		"3a000000 20000000 01 02000000" + vlen:                   true,
		"36010000 04000000 6100 00" + int32LE:                    false,
	} {
		d, err := decodeDatatypeBytes(unhex(t, hex))
		if err != nil || d.HasVariableLength() != want {
			t.Errorf("%s: %v, %v", hex, d, err)
		}
	}
}
