package render

import (
	"encoding/binary"
	"strings"
	"testing"

	"clawh5/cmd/clawh5/tooltest"
	"clawh5/core"
)

// lines prints elements as h5dump does inside of DATA on a level.
func lines(f Format, level int, dims []uint64, typ core.Datatype, data, heap []byte) string {
	var b strings.Builder
	f = f.WithIndex(true)
	l := Layout{Indent: level, Break: true}
	l.SetShape(dims)
	l.Rows(&b, &f, typ, data, heap, true)
	return b.String()
}

// From tall-2A.ddl: an attribute of one dimension, whose lines are filled up to
// column 80.
func TestLinesAreFilledAndIndexed(t *testing.T) {
	got := lines(Dump(), 6, []uint64{27}, tooltest.Predefined(t, "H5T_STD_I8LE"), []byte("1st attribute of dset1.1.1\x00"), nil)
	want := `               (0): 49, 115, 116, 32, 97, 116, 116, 114, 105, 98, 117, 116,
               (12): 101, 32, 111, 102, 32, 100, 115, 101, 116, 49, 46, 49,
               (24): 46, 49, 0`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// From tarray and twidedisplay: rows begin on lines of their own, however wide
// the lines are.
func TestRowsBeginNewLines(t *testing.T) {
	f := Dump()
	f.Columns = 65535
	got := lines(f, 1, []uint64{2, 3}, tooltest.Predefined(t, "H5T_STD_U8LE"), []byte{1, 2, 3, 4, 5, 6}, nil)
	if want := "(0,0): 1, 2, 3,\n(1,0): 4, 5, 6"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// From tfpformat.ddl: one element a line.
func TestElementsPerLineAreLimited(t *testing.T) {
	f := Dump()
	f.Columns, f.PerLine = 65535, 1
	got := lines(f, 1, []uint64{3}, tooltest.Predefined(t, "H5T_STD_U8LE"), []byte{1, 2, 3}, nil)
	if want := "(0): 1,\n(1): 2,\n(2): 3"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// From charsets.ddl and tattr2.ddl.
func TestCompoundsAndArraysNest(t *testing.T) {
	i8 := tooltest.Predefined(t, "H5T_STD_I8LE")
	array := tooltest.Made(t)(core.NewArray(i8, 2, 2))
	compound := tooltest.Made(t)(core.NewCompound(6))
	compound = tooltest.Made(t)(compound.Insert("a", 0, i8))
	compound = tooltest.Made(t)(compound.Insert("b", 1, array))
	compound = tooltest.Made(t)(compound.Insert("c", 5, i8))
	got := lines(Dump(), 2, []uint64{1}, compound, []byte{1, 2, 3, 4, 5, 0xff}, nil)
	want := `   (0): {
         1,
         [ 2, 3,
            4, 5 ],
         -1
      }`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestElementsOfAllClasses(t *testing.T) {
	slot := func(at, n uint64) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, at), n)
	}
	u8 := tooltest.Predefined(t, "H5T_STD_U8LE")
	enum := tooltest.Made(t)(core.NewEnum(u8))
	enum = tooltest.Made(t)(enum.EnumInsert("RED", []byte{0}))
	enum = tooltest.Made(t)(enum.EnumInsert(`it's`, []byte{1}))
	padded := tooltest.Made(t)(tooltest.Made(t)(core.NewString(4)).WithStringPad(core.SpacePadded))
	for name, c := range map[string]struct {
		typ        core.Datatype
		data, heap []byte
		want       string
	}{
		"signed":             {tooltest.Predefined(t, "H5T_STD_I16LE"), []byte{0xfe, 0xff}, nil, "-2"},
		"unsigned":           {tooltest.Predefined(t, "H5T_STD_U64LE"), []byte{255, 255, 255, 255, 255, 255, 255, 255}, nil, "18446744073709551615"},
		"half":               {tooltest.Predefined(t, "H5T_IEEE_F16LE"), []byte{0x00, 0x38}, nil, "0.5"},
		"half infinity":      {tooltest.Predefined(t, "H5T_IEEE_F16LE"), []byte{0x00, 0xfc}, nil, "-inf"},
		"single":             {tooltest.Predefined(t, "H5T_IEEE_F32LE"), []byte{0, 0, 0x80, 0x3f}, nil, "1"},
		"bitfield of 1 byte": {tooltest.Predefined(t, "H5T_STD_B8LE"), []byte{5}, nil, "0x05"},
		"bitfield":           {tooltest.Predefined(t, "H5T_STD_B16LE"), []byte{5, 0xab}, nil, "05:ab"},
		"opaque":             {tooltest.Made(t)(core.NewOpaque(3, "tag")), []byte{1, 2, 3}, nil, "01:02:03"},
		"name":               {enum, []byte{0}, nil, "RED"},
		"name with a quote":  {enum, []byte{1}, nil, `it\'s`},
		"value without name": {enum, []byte{9}, nil, "0x09"},
		"string":             {tooltest.Made(t)(core.NewString(6)), []byte("ab\x00cde"), nil, `"ab"`},
		"empty string":       {tooltest.Made(t)(core.NewString(2)), []byte{0, 0}, nil, `""`},
		"string of spaces":   {padded, []byte("a   "), nil, `"a   "`},
		"sequence":           {tooltest.Made(t)(core.NewVlen(u8)), slot(1, 2), []byte{9, 8, 7}, "(8, 7)"},
		"empty sequence":     {tooltest.Made(t)(core.NewVlen(u8)), slot(0, 0), nil, "()"},
		"sequence beyond":    {tooltest.Made(t)(core.NewVlen(u8)), slot(2, 2), []byte{9, 8, 7}, "()"},
		"variable string":    {core.NewVariableString(), slot(1, 2), []byte("xyz"), `"yz"`},
		"complex":            {tooltest.Made(t)(core.NewComplex(tooltest.Predefined(t, "H5T_IEEE_F32LE"))), []byte{0, 0, 0x20, 0x41, 0, 0, 0, 0}, nil, "10.000000+0.000000i"},
		"null reference":     {tooltest.Predefined(t, "H5T_STD_REF_OBJ"), make([]byte, 8), nil, "NULL"},
	} {
		f := Dump()
		if got := string(f.Append(nil, &Layout{}, c.typ, c.data, c.heap)); got != c.want {
			t.Errorf("%s is printed as %s, not %s", name, got, c.want)
		}
	}
}

func TestCharactersAreEscapedAndCounted(t *testing.T) {
	s := tooltest.Made(t)(core.NewString(12))
	data := []byte("a\n\"\\\xc3zzzz\x01\x00\x00")
	f := Dump()
	f.Escape, f.Repeat = true, 3
	// The tools print the codes of other characters as negative numbers.
	want := `"a\n\"\\\37777777703" 'z' repeats 3 times "\001"`
	if got := string(f.Append(nil, &Layout{}, s, data, nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	f = Dump()
	if got := string(f.Append(nil, &Layout{}, s, []byte("a\nb\x00"), nil)); got != "\"a\n           b\"" {
		t.Errorf("not escaped, a line break is %q", got)
	}
}

// From tpbitsSignedIntWhole, tpbitsSignedInt and tpbitsCharOffsetExceeded.
func TestBitsAreNumbersOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		typ  string
		data []byte
		bits PackedBits
		want string
	}{
		{"H5T_STD_I16LE", []byte{0xff, 0xff}, PackedBits{0, 16, 0xffff}, "-1"},
		{"H5T_STD_U16LE", []byte{0xff, 0xff}, PackedBits{0, 16, 0xffff}, "65535"},
		{"H5T_STD_I16LE", []byte{0xff, 0xff}, PackedBits{10, 6, 0x3f}, "63"},
		{"H5T_STD_I8LE", []byte{0xff}, PackedBits{8, 1, 1}, "0"},
		{"H5T_STD_U8LE", []byte{0xb4}, PackedBits{2, 3, 7}, "5"},
	} {
		f := Dump()
		f.Packed = &c.bits
		if got := string(f.Append(nil, &Layout{}, tooltest.Predefined(t, c.typ), c.data, nil)); got != c.want {
			t.Errorf("bits %v of %x as %s are %s, not %s", c.bits, c.data, c.typ, got, c.want)
		}
	}
}

func FuzzElementsNeverPanic(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, []byte("heap"))
	f.Add(make([]byte, 16), []byte{})
	u8, _ := core.Predefined("H5T_STD_U8LE")
	ext, _ := core.Predefined("H5T_NATIVE_LDOUBLE")
	inner, _ := core.NewVlen(u8)
	outer, _ := core.NewVlen(inner)
	types := []core.Datatype{u8, ext, inner, outer, core.NewVariableString()}
	f.Fuzz(func(t *testing.T, data, heap []byte) {
		format := Dump()
		for _, typ := range types {
			if typ.IsValid() && uint64(len(data)) >= typ.Size() {
				format.Append(nil, &Layout{}, typ, data[:typ.Size()], heap)
			}
		}
	})
}
