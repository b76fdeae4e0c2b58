package datatype

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

func named(t *testing.T, name string) *format.Datatype {
	t.Helper()
	d, ok := Predefined(name)
	if !ok {
		t.Fatal(name)
	}
	return d
}

func bitsOf(d *format.Datatype) string {
	return fmt.Sprintf("size %d, %d bits at %d", d.Size, d.Precision, d.BitOffset)
}

// The reference manual of H5Tset_size, H5Tset_precision and H5Tset_offset: what is
// set stays, the others give way.
func TestSizePrecisionAndOffsetGiveWay(t *testing.T) {
	set := func(d *format.Datatype, f func(*format.Datatype, uint64) (*format.Datatype, error), n uint64) *format.Datatype {
		c, err := f(d, n)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	i32 := named(t, "H5T_STD_I32LE")
	partial := set(set(i32, WithPrecision, 12), WithOffset, 10)
	for _, tc := range []struct {
		got  *format.Datatype
		want string
	}{
		{partial, "size 4, 12 bits at 10"},
		{set(partial, WithSize, 2), "size 2, 12 bits at 4"},
		{set(partial, WithSize, 1), "size 1, 8 bits at 0"},
		{set(partial, WithSize, 8), "size 8, 12 bits at 10"},
		{set(partial, WithPrecision, 30), "size 4, 30 bits at 2"},
		{set(partial, WithPrecision, 33), "size 5, 33 bits at 0"},
		{set(partial, WithOffset, 25), "size 5, 12 bits at 25"},
		{i32, "size 4, 32 bits at 0"},
	} {
		if got := bitsOf(tc.got); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
}

func TestTypesMadeOfOthersChangeWithThem(t *testing.T) {
	array, err := NewArray(named(t, "H5T_STD_I16LE"), []uint64{2, 3})
	if err != nil {
		t.Fatal(err)
	}
	wide, err := WithSize(array, 4)
	if err != nil || wide.Size != 24 || wide.Base.Size != 4 || array.Size != 12 {
		t.Errorf("%+v, %v", wide, err)
	}
	order, err := WithOrder(wide, format.BigEndian)
	if err != nil || order.Base.Order != format.BigEndian {
		t.Errorf("%+v, %v", order, err)
	}
	texts, _ := NewSequence(NewVariableString())
	utf8, err := WithCharset(texts, format.UTF8)
	if err != nil || utf8.Base.Charset != format.UTF8 || texts.Base.Charset != format.ASCII {
		t.Errorf("%+v, %v", utf8, err)
	}
	enum, _ := NewEnum(named(t, "H5T_STD_I16LE"))
	if enum, err = WithSize(enum, 1); err != nil || enum.Size != 1 {
		t.Errorf("%+v, %v", enum, err)
	}
}

func TestWhatLibhdf5RefusesIsRefused(t *testing.T) {
	f32, i8, vlen := named(t, "H5T_IEEE_F32LE"), named(t, "H5T_STD_I8LE"), NewVariableString()
	enum, _ := NewEnum(i8)
	enum, _ = InsertEnum(enum, "A", []byte{1})
	compound, _ := NewCompound(4)
	compound, _ = Insert(compound, "a", 2, i8)
	deep := i8
	for range format.MaxDatatypeDepth - 1 {
		deep = sequence(deep)
	}
	for what, f := range map[string]func() (*format.Datatype, error){
		"no size":                  func() (*format.Datatype, error) { return WithSize(i8, 0) },
		"a float that is cut":      func() (*format.Datatype, error) { return WithSize(f32, 3) },
		"a float of 31 bits":       func() (*format.Datatype, error) { return WithPrecision(f32, 31) },
		"size of a sequence text":  func() (*format.Datatype, error) { return WithSize(vlen, 3) },
		"size of a reference":      func() (*format.Datatype, error) { return WithSize(named(t, "H5T_STD_REF_OBJ"), 9) },
		"precision of a string":    func() (*format.Datatype, error) { return WithPrecision(named(t, "H5T_C_S1"), 3) },
		"precision of 0":           func() (*format.Datatype, error) { return WithPrecision(i8, 0) },
		"sign of a float":          func() (*format.Datatype, error) { return WithSign(f32, true) },
		"fields of an integer":     func() (*format.Datatype, error) { return WithFields(i8, Fields{}) },
		"no mantissa":              func() (*format.Datatype, error) { return WithFields(f32, Fields{31, 23, 8, 0, 0}) },
		"background padding":       func() (*format.Datatype, error) { return WithPads(i8, 2, 0) },
		"VAX integers":             func() (*format.Datatype, error) { return WithOrder(i8, format.VAX) },
		"character set of numbers": func() (*format.Datatype, error) { return WithCharset(i8, format.UTF8) },
		"a long tag":               func() (*format.Datatype, error) { return NewOpaque(1, string(make([]byte, 300))) },
		"tag of a number":          func() (*format.Datatype, error) { return WithTag(i8, "t") },
		"enum with members":        func() (*format.Datatype, error) { return WithOrder(enum, format.BigEndian) },
		"one name":                 func() (*format.Datatype, error) { return InsertEnum(enum, "A", []byte{2}) },
		"one value":                func() (*format.Datatype, error) { return InsertEnum(enum, "B", []byte{1}) },
		"names twice":              func() (*format.Datatype, error) { return ExtendEnum(enum, []string{"B", "B"}, []byte{2, 3}) },
		"no name":                  func() (*format.Datatype, error) { return InsertEnum(enum, "", []byte{2}) },
		"enum of floats":           func() (*format.Datatype, error) { return NewEnum(f32) },
		"member over another":      func() (*format.Datatype, error) { return Insert(compound, "b", 0, f32) },
		"member past the end":      func() (*format.Datatype, error) { return Insert(compound, "b", 4, i8) },
		"member far away":          func() (*format.Datatype, error) { return Insert(compound, "b", 1<<40, i8) },
		"member of a known name":   func() (*format.Datatype, error) { return Insert(compound, "a", 0, i8) },
		"member of a number":       func() (*format.Datatype, error) { return Insert(i8, "a", 0, i8) },
		"a member cut off":         func() (*format.Datatype, error) { return WithSize(compound, 2) },
		"complex integers":         func() (*format.Datatype, error) { return NewComplex(i8) },
		"array of 4 GiB":           func() (*format.Datatype, error) { return NewArray(f32, []uint64{1 << 15, 1 << 15}) },
		"array that overflows":     func() (*format.Datatype, error) { return NewArray(f32, []uint64{1 << 63, 8}) },
		"deeper than can be read":  func() (*format.Datatype, error) { return NewSequence(deep) },
	} {
		if d, err := f(); !errors.Is(err, h5err.Type) || d != nil {
			t.Errorf("%s: %+v, %v", what, d, err)
		}
	}
}

func TestIntegersOfAnyLayout(t *testing.T) {
	d := plain(format.FixedPoint, 16)
	d.Order, d.Precision, d.BitOffset, d.Signed, d.LowPad, d.HighPad = format.BigEndian, 5, 3, true, 1, 1
	for _, tc := range []struct {
		value int64
		bytes string
		got   int64 // what the nearest value of 5 bits is
	}{
		// high pad 1111 1111, value, low pad 111
		{0, "ff07", 0}, {-1, "ffff", -1}, {5, "ff2f", 5}, {-16, "ff87", -16}, {15, "ff7f", 15}, {99, "ff7f", 15}, {-99, "ff87", -16},
	} {
		p := AppendInteger(nil, d, big.NewInt(tc.value))
		if got := fmt.Sprintf("%x", p); got != tc.bytes {
			t.Errorf("%d: %s, want %s", tc.value, got, tc.bytes)
		}
		if got := Integer(d, p); got.Int64() != tc.got {
			t.Errorf("%s: %d, want %d", tc.bytes, got, tc.got)
		}
		if Holds(d, big.NewInt(tc.value)) != (tc.value == tc.got) {
			t.Errorf("%d", tc.value)
		}
	}
}

func TestPackedCompoundsHaveNoGaps(t *testing.T) {
	inner, _ := NewCompound(7)
	inner, _ = Insert(inner, "x", 3, named(t, "H5T_STD_I16LE"))
	array, _ := NewArray(inner, []uint64{2})
	outer, _ := NewCompound(40)
	outer, _ = Insert(outer, "late", 20, array)
	outer, _ = Insert(outer, "early", 4, named(t, "H5T_STD_I8LE"))
	p := Pack(outer)
	if p.Size != 5 || p.Members[0].Name != "early" || p.Members[1].Offset != 1 || p.Members[1].Type.Size != 4 || outer.Size != 40 {
		t.Errorf("%+v", p)
	}
}
