package core

import (
	"errors"
	"os"
	"slices"
	"testing"

	"clawh5/core/h5err"
)

func openCore(t *testing.T, name string) *File {
	t.Helper()
	image, err := os.ReadFile("../testdata/files/core/" + name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenMemory(t.Context(), image, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func openPath(t *testing.T, f *File, path string) *Object {
	t.Helper()
	o, err := f.Root().Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestDatatypesOfFilesAreFound(t *testing.T) {
	f := openCore(t, "attributes_latest.h5")
	group := openPath(t, f, "few")
	info, err := group.AttributeInfo(t.Context(), "numbers")
	if err != nil || info.Name != "numbers" || info.Null {
		t.Fatalf("%+v, %v", info, err)
	}
	if name, ok := info.Type.PredefinedName(); !ok || name != "H5T_STD_I16BE" {
		t.Errorf("%s", name)
	}
	if info, err := group.AttributeInfo(t.Context(), "nothing"); err != nil || !info.Null {
		t.Errorf("%+v, %v", info, err)
	}
	if _, err := group.AttributeInfo(t.Context(), "none"); !errors.Is(err, h5err.NotFound) {
		t.Errorf("%v", err)
	}
	committed := openPath(t, f, "committed")
	d, err := committed.Datatype(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if at, ok := d.Committed(); !ok || at != committed.Address() {
		t.Errorf("%d, %v", at, ok)
	}
	if _, err := group.Datatype(t.Context()); !errors.Is(err, h5err.Type) {
		t.Errorf("%v", err)
	}
	data := openPath(t, openCore(t, "datatypes_latest.h5"), "compound")
	d, err = data.Datatype(t.Context())
	if err != nil || d.Class() != ClassCompound || d.NumMembers() != 3 {
		t.Fatalf("%v, %v", d.Class(), err)
	}
	// [('n', '<i2'), ('x', '>f8'), ('s', 'S3')]
	if name, offset, x := d.Member(1); name != "x" || offset != 2 || x.Order() != OrderBE || x.Precision() != 64 {
		t.Errorf("%s at %d", name, offset)
	}
	if d.Order() != OrderMixed || d.Size() != 13 {
		t.Errorf("order %d, %d bytes", d.Order(), d.Size())
	}
	again, err := ParseDatatype(d.Text())
	if err != nil || !again.Equal(d) {
		t.Errorf("%s: %v", d.Text(), err)
	}
	again, err = DecodeDatatype(d.AppendEncoded(nil))
	if err != nil || !again.Equal(d) {
		t.Errorf("%v", err)
	}
	if n, err := d.Native(); err != nil || n.Size() != 24 || n.Order() != OrderLE {
		t.Errorf("native: %d bytes, %v", n.Size(), err)
	}
}

func TestPropertiesAreThoseThatAClassHas(t *testing.T) {
	has := map[string][]Property{
		"H5T_STD_I8LE":    {PropertyPrecision, PropertyBitOffset, PropertyLowPad, PropertyHighPad, PropertySign},
		"H5T_STD_B8LE":    {PropertyPrecision, PropertyBitOffset, PropertyLowPad, PropertyHighPad},
		"H5T_STD_REF_OBJ": {PropertyReferenceKind},
		"H5T_C_S1":        {PropertyPrecision, PropertyBitOffset, PropertyLowPad, PropertyHighPad, PropertyCharset, PropertyStringPad},
		"H5T_IEEE_F32LE": {PropertyPrecision, PropertyBitOffset, PropertyLowPad, PropertyHighPad, PropertySignAt,
			PropertyExponentAt, PropertyExponentBits, PropertyMantissaAt, PropertyMantissaBits, PropertyBias, PropertyNormalization,
			PropertyInternalPad},
		"H5T_NATIVE_OPAQUE": nil,
	}
	all := []Property{PropertyClass, PropertySize, PropertyOrder, PropertyVariable, PropertyHasVariable, PropertyCommitted}
	for name, own := range has {
		d, ok := Predefined(name)
		if !ok {
			t.Fatal(name)
		}
		for p := PropertyClass; p <= PropertyAddress; p++ {
			_, err := d.Property(p)
			if want := slices.Contains(own, p) || slices.Contains(all, p); (err == nil) != want || err != nil && !errors.Is(err, h5err.Type) {
				t.Errorf("%s: property %d: %v", name, p, err)
			}
		}
	}
	d, _ := Predefined("H5T_IEEE_F32LE")
	for p, v := range map[Property]uint64{PropertyOrder: 1, PropertyBias: 100, PropertyNormalization: 2, PropertyInternalPad: 1, PropertyHighPad: 1} {
		changed, err := d.WithProperty(p, v)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := changed.Property(p); got != v || changed.Equal(d) {
			t.Errorf("property %d: %d, want %d", p, got, v)
		}
		if _, err := d.WithProperty(p, 1<<40); !errors.Is(err, h5err.Type) {
			t.Errorf("property %d: %v", p, err)
		}
	}
	for _, p := range []Property{-1, 25, PropertyClass, PropertySignAt} {
		if _, err := d.WithProperty(p, 1); !errors.Is(err, h5err.Handle) {
			t.Errorf("property %d: %v", p, err)
		}
	}
}

func TestEnumerationsNameTheirValues(t *testing.T) {
	base, _ := Predefined("H5T_STD_I16BE")
	d, err := NewEnum(base)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string][]byte{"A": {0, 1}, "B": {0xff, 0xfe}} {
		if d, err = d.EnumInsert(name, v); err != nil {
			t.Fatal(err)
		}
	}
	if name, ok := d.NameOf([]byte{0xff, 0xfe}); !ok || name != "B" {
		t.Errorf("%q", name)
	}
	if v, ok := d.ValueOf("A"); !ok || string(v) != "\x00\x01" {
		t.Errorf("%x", v)
	}
	if _, ok := d.NameOf([]byte{0, 2}); ok {
		t.Error("a name for a value that has none")
	}
	if _, err := d.MemberAt(2); !errors.Is(err, h5err.NotFound) {
		t.Errorf("%v", err)
	}
	if _, err := base.MemberAt(0); !errors.Is(err, h5err.Type) {
		t.Errorf("%v", err)
	}
	i := slices.Index([]string{d.MemberName(0), d.MemberName(1)}, "B")
	if at, ok := d.MemberIndex("B"); !ok || at != i {
		t.Errorf("%d", at)
	}
}

func TestConvertChecksItsBuffers(t *testing.T) {
	from, _ := Predefined("H5T_STD_I16BE")
	to, _ := Predefined("H5T_IEEE_F32LE")
	dst := make([]byte, 8)
	if err := from.Convert(to, dst, []byte{0, 1, 0xff, 0xff}, 2); err != nil || string(dst) != "\x00\x00\x80\x3f\x00\x00\x80\xbf" {
		t.Errorf("%x, %v", dst, err)
	}
	for n, src := range map[uint64][]byte{2: {0, 1, 2}, 3: make([]byte, 6), 1 << 63: nil} {
		if err := from.Convert(to, dst, src, n); !errors.Is(err, h5err.Space) {
			t.Errorf("%d: %v", n, err)
		}
	}
	if err := from.Convert(NewVariableString(), dst, nil, 0); !errors.Is(err, h5err.Type) {
		t.Errorf("%v", err)
	}
}
