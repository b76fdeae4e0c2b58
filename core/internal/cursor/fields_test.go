package cursor

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"clawh5/core/h5err"
)

func TestFieldsAreLittleEndianOneBehindTheOther(t *testing.T) {
	c := New([]byte("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x11\x22\x33text\x00SIGN!"), 1000)
	for i, got := range []uint64{uint64(c.U8()), uint64(c.U16()), uint64(c.U32()), c.U64(), c.Uint(3)} {
		if want := []uint64{1, 0x0302, 0x07060504, 0x0f0e0d0c0b0a0908, 0x332211}[i]; got != want {
			t.Errorf("field %d is %#x, want %#x", i, got, want)
		}
	}
	if text := c.CString(); string(text) != "text" || c.Offset() != 1023 {
		t.Errorf("%q up to %d", text, c.Offset())
	}
	if c.Signature("SIGN"); c.Failed() || string(c.Rest()) != "!" || c.Len() != 0 {
		t.Error(c.Err("x"))
	}
}

// A failure names the place where the field began to be read.
func TestFailuresNameWhatAndWhere(t *testing.T) {
	for _, c := range []struct {
		name string
		read func(c *Cursor)
		at   int64
		says string
	}{
		{"signature", func(c *Cursor) { c.Skip(2); c.Signature("ABCD") }, 102, `"ABCD"`},
		{"string without end", func(c *Cursor) { c.Skip(4); c.CString() }, 104, "NUL"},
		{"more than is there", func(c *Cursor) { c.Skip(1); c.Bytes(8) }, 101, "8 bytes are needed, 7 are left"},
		{"a negative length", func(c *Cursor) { c.Bytes(-1) }, 100, "-1 bytes"},
		{"a part longer than the whole", func(c *Cursor) { c.Fail(c.Sub(9).Err("part")) }, 100, "9 bytes are needed"},
		{"checksum", func(c *Cursor) { c.Skip(4); c.Checksum() }, 104, "checksum"},
		{"checksum cut off", func(c *Cursor) { c.Skip(6); c.Checksum() }, 106, "4 bytes are needed"},
		{"an address cut off", func(c *Cursor) { c.Skip(3); c.Addr(8) }, 103, "8 bytes are needed"},
	} {
		cur := New([]byte("12345678"), 100)
		c.read(cur)
		err := cur.Err("thing")
		var e *h5err.Error
		if !errors.As(err, &e) || e.Kind != h5err.Corrupt || e.Offset != c.at || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestAlignCountsFromTheStartAndStopsAtTheEnd(t *testing.T) {
	c := New(make([]byte, 13), 3)
	for _, step := range []struct{ skip, want int }{{0, 0}, {1, 8}, {0, 8}, {1, 13}} {
		c.Skip(step.skip)
		if c.Align(8); c.Pos() != step.want || c.Failed() {
			t.Errorf("at %d, want %d", c.Pos(), step.want)
		}
	}
}

func TestPartsCannotReachBeyondThemselves(t *testing.T) {
	c := New([]byte{1, 2, 3, 4}, 50)
	s := c.Sub(2)
	if s.U8() != 1 || s.Offset() != 51 || s.U16() != 0 || !s.Failed() {
		t.Error("a field across the end of the part was read")
	}
	if c.U8() != 3 || c.Failed() {
		t.Error("the failure of a part is its own")
	}
	p := c.Rest()
	if len(p) != 1 || cap(p) != 1 {
		t.Errorf("bytes of length %d and capacity %d", len(p), cap(p))
	}
}

func TestChecksumIsOfAllBytesBefore(t *testing.T) {
	p := []byte("BTHD....")
	sum := Lookup3(p, 0)
	c := New(append(p, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)), 0)
	c.Skip(8)
	if c.Checksum(); c.Failed() || c.Len() != 0 {
		t.Error(c.Err("x"))
	}
}

// The sums and products of math/big.
func TestCheckedArithmeticAgreesWithBigNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	edge := []uint64{0, 1, 2, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64 - 1, math.MaxUint64, 1 << 32, 1<<32 - 1}
	number := func() uint64 {
		if rng.IntN(3) == 0 {
			return edge[rng.IntN(len(edge))]
		}
		return rng.Uint64() >> rng.IntN(64)
	}
	check := func(what string, got uint64, ok bool, want *big.Int) {
		t.Helper()
		if ok != want.IsUint64() || ok && got != want.Uint64() {
			t.Fatalf("%s: %d, %v, want %s", what, got, ok, want)
		}
	}
	for range 5000 {
		a, b, c := number(), number(), number()
		x, y, z := new(big.Int).SetUint64(a), new(big.Int).SetUint64(b), new(big.Int).SetUint64(c)
		sum, ok := Add(a, b)
		check("sum", sum, ok, new(big.Int).Add(x, y))
		product, ok := Mul(a, b)
		check("product", product, ok, new(big.Int).Mul(x, y))
		product, ok = Product([]uint64{a, b, c})
		check("product of three", product, ok, x.Mul(x, y).Mul(x, z))
	}
}

// FuzzFields reads fields of kinds and widths that the input chooses.
func FuzzFields(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, []byte("some bytes with a NUL\x00 and more of them than the fields need"))
	f.Fuzz(func(t *testing.T, fields, data []byte) {
		c := New(data, 7)
		for _, k := range fields {
			n := int(k >> 4)
			before, failed := c.Pos(), c.Failed()
			switch k % 13 {
			case 0:
				c.U8()
			case 1:
				c.U16()
			case 2:
				c.U32()
			case 3:
				c.U64()
			case 4:
				c.Uint(n)
			case 5:
				c.Addr(n)
			case 6:
				c.CString()
			case 7:
				c.Skip(n - 2)
			case 8:
				c.Align(1 + n)
			case 9:
				c.Version(1, k>>4)
			case 10:
				c.Checksum()
			case 11:
				c.Fail(c.Sub(n).Err("part"))
			case 12:
				c.Signature("a NUL"[:n%6])
			}
			if c.Pos() < before || c.Pos()+c.Len() > len(data) || failed && c.Pos() != before {
				t.Fatalf("field %d moved from %d to %d of %d", k%13, before, c.Pos(), len(data))
			}
		}
	})
}
