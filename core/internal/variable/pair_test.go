package variable

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// record is a compound of members at offsets.
func record(size uint32, members ...format.Member) *format.Datatype {
	return &format.Datatype{Class: format.Compound, Version: 3, Size: size, Members: members, Committed: format.Undefined}
}

func member(name string, offset uint32, d *format.Datatype) format.Member {
	return format.Member{Name: name, Offset: offset, Type: d}
}

func TestElementsBecomeTheMemoryDatatype(t *testing.T) {
	signed := func(size uint32) *format.Datatype {
		d := integer(size, little)
		d.Signed = true
		return d
	}
	inner := record(20, member("n", 0, integer(2, big)), member("s", 2, text(8)), member("z", 18, integer(2, big)))
	src := record(50, member("a", 0, integer(2, big)), member("s", 2, text(8)), member("q", 18, sequence(8, integer(2, big))), member("in", 30, inner))
	src.Members[3].Offset = 34 // behind the sequence
	src.Size = 54
	element1 := slices.Concat([]byte{1, 2}, element(8, 5, 64, 1), element(8, 3, 128, 1), []byte{0, 9}, element(8, 5, 64, 2), []byte{0, 8})
	for _, c := range []struct {
		name      string
		src, dst  *format.Datatype
		in        []byte
		out, heap string // of a memory of 0xee bytes
		partial   bool
	}{
		{"sequences of converted numbers", sequence(8, integer(2, big)), sequence(8, signed(1)),
			element(8, 3, 128, 1), slotHex(0, 3), "7f7f7f", false},
		{"sequences of wider numbers", sequence(8, integer(2, big)), sequence(8, integer(4, little)),
			element(8, 2, 128, 1), slotHex(0, 2), "02010000" + "04030000", false},
		{"a subset in another order", src, record(40, member("q", 4, sequence(8, integer(4, little))), member("a", 24, signed(4))),
			element1, "eeeeeeee" + slotHex(0, 3) + "eeeeeeee" + "02010000" + strings.Repeat("ee", 12), "02010000" + "04030000" + "06050000", true},
		{"a member that the file has not", src, record(20, member("none", 0, integer(4, little)), member("s", 4, text(8))),
			element1, "eeeeeeee" + slotHex(0, 5), "68656c6c6f", true},
		{"a slot that the file has not", src, record(18, member("none", 0, text(8)), member("a", 16, integer(2, little))),
			element1, strings.Repeat("ee", 16) + "0201", "", true},
		{"nested members", src, record(18, member("in", 0, record(18, member("s", 2, text(8)), member("z", 0, integer(2, little))))),
			element1, "0800" + slotHex(0, 2), "6162", false},
		{"sequences of a subset", sequence(8, compound(0, integer(1, little), integer(1, little))), sequence(8, record(3, member("m1", 1, integer(1, little)))),
			element(8, 3, 128, 1), slotHex(0, 3), "000200" + "000400" + "000600", false},
		{"arrays in another order of bytes", array(compound(0, integer(2, big), text(8)), 2), array(record(18, member("m1", 0, text(8)), member("m0", 16, integer(2, little))), 2),
			slices.Concat([]byte{0, 1}, element(8, 1, 64, 1), []byte{0, 2}, element(8, 2, 64, 2)),
			slotHex(0, 1) + "0100" + slotHex(1, 2) + "0200", "68" + "6162", false},
	} {
		p, err := Compile(c.src, c.dst, 8)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if file, memory := p.Sizes(); file != len(c.in) || 2*memory != len(c.out) {
			t.Fatalf("%s: sizes %d and %d", c.name, file, memory)
		}
		dst := bytes.Repeat([]byte{0xee}, len(c.out)/2)
		heap, err := p.Run(background, sample(), dst, c.in, 1, 1000)
		if err != nil || hex.EncodeToString(dst) != c.out || hex.EncodeToString(heap) != c.heap || p.Partial() != c.partial {
			t.Errorf("%s: %x, heap %x, partial %v (%v), want\n%s, heap %s", c.name, dst, heap, p.Partial(), err, c.out, c.heap)
		}
	}
}

func TestOnlyProgramsThatMoveNothingRunInPlace(t *testing.T) {
	src := compound(0, integer(2, big), integer(2, big), text(8))
	swapped := record(20, member("m1", 0, integer(2, big)), member("m0", 2, integer(2, big)), member("m2", 4, text(8)))
	for _, c := range []struct {
		src, dst   *format.Datatype
		offsetSize int
		want       bool
	}{{src, native(src), 8, true}, {src, swapped, 8, false}, {text(4), text(8), 4, false}, {text(8), text(8), 8, true}} {
		p, err := Compile(c.src, c.dst, c.offsetSize)
		if err != nil || p.InPlace() != c.want {
			t.Errorf("%v, want %v (%v)", p.InPlace(), c.want, err)
		}
	}
}

func TestVariableLengthDataWithoutAConversionIsATypeError(t *testing.T) {
	utf8 := text(8)
	utf8.Charset = format.UTF8
	for _, c := range []struct{ src, dst *format.Datatype }{
		{text(8), utf8}, {text(8), sequence(8, integer(1, little))}, {sequence(8, integer(1, little)), text(8)},
		{fixedText(4), text(8)}, {text(8), fixedText(4)}, {text(8), integer(4, little)}, {integer(4, little), text(8)},
		{sequence(8, integer(1, little)), sequence(8, fixedText(1))}, {array(text(8), 2), array(text(8), 3)},
		{compound(0, text(8)), text(8)}, {compound(0, text(8)), compound(0, integer(4, little), text(8))},
		{sequence(8, text(8)), sequence(8, sequence(8, integer(1, little)))},
	} {
		if _, err := Compile(c.src, c.dst, 8); !errors.Is(err, h5err.Type) {
			t.Errorf("%v to %v: %v", c.src.Class, c.dst.Class, err)
		}
	}
}
