package convert

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

const le, be = format.LittleEndian, format.BigEndian

func text(size uint32, pad format.Pad) *format.Datatype {
	return &format.Datatype{Class: format.String, Size: size, Pad: pad}
}

func compound(size uint32, members ...format.Member) *format.Datatype {
	return &format.Datatype{Class: format.Compound, Size: size, Members: members}
}

func array(base *format.Datatype, dims ...uint32) *format.Datatype {
	n := base.Size
	for _, d := range dims {
		n *= d
	}
	return &format.Datatype{Class: format.Array, Size: n, Dims: dims, Base: base}
}

func enum(base *format.Datatype, names []string, values ...byte) *format.Datatype {
	return &format.Datatype{Class: format.Enumeration, Size: base.Size, Base: base, Names: names, Values: values}
}

func TestStringsConvertAsLibhdf5Does(t *testing.T) {
	pads := map[string]format.Pad{
		"null-terminated": format.NullTerminated, "null-padded": format.NullPadded, "space-padded": format.SpacePadded,
	}
	for _, c := range vectors(t).Strings {
		src, dst := text(6, pads[c.From]), text(c.Size, pads[c.To])
		if got := convert(t, src, dst, c.In); !bytes.Equal(got, c.Out) {
			t.Errorf("%s to %s of %d bytes: %q gives %q, want %q", c.From, c.To, c.Size, c.In, got, c.Out)
		}
	}
}

func TestSameTypesAreAnIdentity(t *testing.T) {
	tag := &format.Datatype{Class: format.Opaque, Size: 5, Tag: "x"}
	record := compound(13, format.Member{Name: "a", Offset: 1, Type: number(int32s, be)}, format.Member{Name: "b", Offset: 8, Type: tag})
	for _, d := range []*format.Datatype{
		number(int8s, le), number(float16s, be), tag, text(3, format.SpacePadded), record, array(record, 2, 3),
		enum(number(int16s, be), []string{"A"}, 0, 1),
		{Class: format.Bitfield, Size: 2, Precision: 16}, {Class: format.Time, Size: 4, Precision: 32},
		{Class: format.Complex, Size: 8, Base: number(float32s, le)}, {Class: format.Reference, Size: 8},
	} {
		twin := *d
		c := compiled(t, d, &twin)
		if !c.Identity || !c.InPlace {
			t.Errorf("%s: not an identity", describe(d))
		}
		in := random(3 * int(d.Size))
		if got := convert(t, d, &twin, in); !bytes.Equal(got, in) {
			t.Errorf("%s: %x became %x", describe(d), in, got)
		}
	}
	if one := number(int8s, be); !compiled(t, one, number(int8s, le)).Identity {
		t.Error("the byte order of one byte matters")
	}
}

func TestByteOrderAlone(t *testing.T) {
	bits := func(order format.Order) *format.Datatype {
		return &format.Datatype{Class: format.Bitfield, Size: 2, Precision: 16, Order: order}
	}
	complexOf := func(order format.Order) *format.Datatype {
		return &format.Datatype{Class: format.Complex, Size: 8, Base: number(float32s, order)}
	}
	long := func(order format.Order) *format.Datatype { // 80 bits of an x87 in 16 bytes
		return &format.Datatype{Class: format.FloatingPoint, Size: 16, Precision: 80, Order: order, Float: &format.FloatProperties{
			SignLocation: 79, ExponentLocation: 64, ExponentSize: 15, MantissaSize: 64, ExponentBias: 16383, Normalization: format.MSBSet}}
	}
	in := random(48)
	for _, c := range []struct {
		src, dst *format.Datatype
		size     int
	}{
		{bits(be), bits(le), 2}, {bits(be), number(uint16s, le), 2}, {complexOf(be), complexOf(le), 4}, {long(be), long(le), 16},
		{array(number(int64s, le), 2), array(number(int64s, be), 2), 8},
		{enum(number(int16s, be), []string{"A"}, 0, 1), number(int16s, le), 2},
		{number(int16s, be), enum(number(int16s, le), []string{"A"}, 1, 0), 2},
	} {
		if got, want := convert(t, c.src, c.dst, in), turned(in, c.size); !bytes.Equal(got, want) {
			t.Errorf("%s to %s: got %x, want %x", describe(c.src), describe(c.dst), got, want)
		}
	}
}

func complexOf(k kind) *format.Datatype {
	base := number(k, le)
	return &format.Datatype{Class: format.Complex, Size: 2 * base.Size, Base: base}
}

func TestEnumerationBecomesAnyNumber(t *testing.T) {
	boolean := enum(number(int8s, le), []string{"FALSE", "TRUE"}, 0, 1)
	got := convert(t, boolean, number(float64s, le), []byte{1, 0, 0xff})
	want := binary.LittleEndian.AppendUint64(nil, math.Float64bits(1))
	want = binary.LittleEndian.AppendUint64(want, 0)
	want = binary.LittleEndian.AppendUint64(want, math.Float64bits(-1))
	if !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// TestCompoundTakesFieldsByName: another order, a subset, other types, nested.
func TestCompoundTakesFieldsByName(t *testing.T) {
	inner := compound(6, format.Member{Name: "x", Offset: 0, Type: number(int32s, be)}, format.Member{Name: "y", Offset: 4, Type: number(int16s, le)})
	src := compound(24,
		format.Member{Name: "a", Offset: 0, Type: number(int32s, le)},
		format.Member{Name: "b", Offset: 4, Type: number(int32s, le)},
		format.Member{Name: "in", Offset: 8, Type: inner},
		format.Member{Name: "s", Offset: 14, Type: text(3, format.NullPadded)},
		format.Member{Name: "v", Offset: 17, Type: array(number(uint16s, be), 3)})
	dst := compound(32,
		format.Member{Name: "v", Offset: 1, Type: array(number(float32s, le), 3)},
		format.Member{Name: "in", Offset: 13, Type: compound(4, format.Member{Name: "x", Offset: 0, Type: number(int32s, le)})},
		format.Member{Name: "b", Offset: 20, Type: number(int32s, le)},
		format.Member{Name: "s", Offset: 24, Type: text(4, format.NullTerminated)})
	for _, n := range []int{1, 2, 3, 1000} {
		in, want := make([]byte, n*24), bytes.Repeat([]byte{0xee}, n*32)
		for i := range n {
			e, w := in[24*i:], want[32*i:]
			binary.LittleEndian.PutUint32(e, uint32(i))
			binary.LittleEndian.PutUint32(e[4:], uint32(2*i))
			binary.BigEndian.PutUint32(e[8:], uint32(3*i))
			binary.LittleEndian.PutUint16(e[12:], uint16(4*i))
			copy(e[14:], fmt.Sprintf("%03d", i))
			for k := range 3 {
				binary.BigEndian.PutUint16(e[17+2*k:], uint16(5*i+k))
				binary.LittleEndian.PutUint32(w[1+4*k:], math.Float32bits(float32(uint16(5*i+k))))
			}
			binary.LittleEndian.PutUint32(w[13:], uint32(3*i))
			binary.LittleEndian.PutUint32(w[20:], uint32(2*i))
			copy(w[24:], fmt.Sprintf("%03d\x00", i))
		}
		got := bytes.Repeat([]byte{0xee}, n*32)
		compiled(t, src, dst).Run(got, in, n)
		if !bytes.Equal(got, want) {
			t.Fatalf("%d elements: got %x, want %x", n, got, want)
		}
	}
}

func TestLargeElementsOfACompound(t *testing.T) {
	src := compound(40004, format.Member{Name: "v", Offset: 4, Type: array(number(int16s, be), 20000)})
	dst := compound(80000, format.Member{Name: "v", Offset: 0, Type: array(number(int32s, le), 20000)})
	in := make([]byte, 2*40004)
	for e := range 2 {
		for i := range 20000 {
			binary.BigEndian.PutUint16(in[e*40004+4+2*i:], uint16(i-10000))
		}
	}
	got := convert(t, src, dst, in)
	for i := range 40000 {
		if v := int32(binary.LittleEndian.Uint32(got[4*i:])); v != int32(i%20000-10000) {
			t.Fatalf("element %d is %d", i, v)
		}
	}
}

func TestFieldsSideBySideAreCopiedAtOnce(t *testing.T) {
	src := compound(13, format.Member{Name: "a", Offset: 1, Type: number(int32s, be)},
		format.Member{Name: "b", Offset: 5, Type: number(int64s, be)})
	dst := compound(12, format.Member{Name: "a", Offset: 0, Type: number(int32s, be)},
		format.Member{Name: "b", Offset: 4, Type: number(int64s, be)})
	if got := convert(t, src, dst, []byte("xABCDabcdefghyEFGHijklmnop")); string(got) != "ABCDabcdefghEFGHijklmnop" {
		t.Errorf("got %q", got)
	}
}

func TestWhatHasNoConversionIsATypeErrorThatNamesBoth(t *testing.T) {
	vlen := &format.Datatype{Class: format.VariableLength, Size: 16, Base: number(int32s, le)}
	ref := &format.Datatype{Class: format.Reference, Size: 8}
	opaque := &format.Datatype{Class: format.Opaque, Size: 4}
	one := compound(4, format.Member{Name: "a", Type: number(int32s, le)})
	utf8 := text(5, 0)
	utf8.Charset = format.UTF8
	holds := compound(20, format.Member{Name: "v", Offset: 4, Type: vlen})
	colours := enum(number(int8s, le), []string{"RED"}, 1)
	for _, c := range []struct {
		src, dst *format.Datatype
		want     []string
	}{
		{text(4, 0), number(int32s, be), []string{"string of 4 bytes", "32-bit big-endian integer"}},
		{number(uint16s, le), text(4, 0), []string{"16-bit little-endian unsigned integer", "string of 4 bytes"}},
		{vlen, vlen, []string{"vlen of 32-bit little-endian integer"}},
		{ref, &format.Datatype{Class: format.Reference, Size: 8, RefKind: format.RegionReference1}, []string{"reference of 8 bytes"}},
		{opaque, number(int32s, le), []string{"opaque of 4 bytes"}},
		{opaque, &format.Datatype{Class: format.Opaque, Size: 5}, []string{"opaque of 5 bytes"}},
		{number(float32s, le), &format.Datatype{Class: format.Bitfield, Size: 4, Precision: 32}, []string{"float", "bitfield"}},
		{opaque, &format.Datatype{Class: format.Opaque, Size: 4, Tag: "x"}, []string{"opaque of 4 bytes"}},
		{text(4, 0), utf8, []string{"string of 4 bytes"}},
		{number(float32s, le), colours, []string{"float", "enum"}},
		{colours, complexOf(float32s), []string{"enum", "complex"}},
		{holds, holds, []string{`field "v"`, "vlen"}},
		{one, number(int32s, le), []string{"compound"}},
		{array(number(int8s, le), 2), array(number(int8s, le), 3), []string{"array of 8-bit"}},
		{colours, enum(number(int8s, le), []string{"BLUE"}, 1), []string{"enum of 8-bit"}},
	} {
		_, err := Compile(c.src, c.dst)
		if !errors.Is(err, h5err.Type) {
			t.Errorf("%s to %s: %v", describe(c.src), describe(c.dst), err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v does not name %q", err, want)
			}
		}
	}
}

func TestImpossibleTypesAreCorrupt(t *testing.T) {
	i4 := number(int32s, le)
	for name, d := range map[string]*format.Datatype{
		"no bytes":            {Class: format.FixedPoint},
		"two gigabytes":       {Class: format.Opaque, Size: 1 << 31},
		"field outside":       compound(7, format.Member{Name: "a", Offset: 4, Type: i4}),
		"field far outside":   compound(7, format.Member{Name: "a", Offset: math.MaxUint32, Type: i4}),
		"array too short":     {Class: format.Array, Size: 7, Dims: []uint32{2}, Base: i4},
		"array of nothing":    {Class: format.Array, Size: 4, Dims: []uint32{1}},
		"array that wraps":    {Class: format.Array, Size: 4, Dims: []uint32{1 << 31, 1 << 31, 1 << 31}, Base: i4},
		"enumeration":         {Class: format.Enumeration, Size: 4, Base: number(int8s, le)},
		"enumeration, values": {Class: format.Enumeration, Size: 4, Base: i4, Names: []string{"A"}, Values: []byte{1}},
		"complex":             {Class: format.Complex, Size: 4, Base: i4},
		"float":               {Class: format.FloatingPoint, Size: 4},
	} {
		if _, err := Compile(d, i4); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
