package convert

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// names are the numeric types as testdata/make/make_convert.py writes them.
var names = map[string]kind{
	"i1": int8s, "i2": int16s, "i4": int32s, "i8": int64s, "u1": uint8s, "u2": uint16s, "u4": uint32s, "u8": uint64s,
	"f2": float16s, "f4": float32s, "f8": float64s,
}

func number(k kind, order format.Order) *format.Datatype {
	size := uint32(kindSize[k])
	d := &format.Datatype{Class: format.FixedPoint, Size: size, Order: order, Precision: uint16(8 * size), Signed: k < uint8s}
	if k >= float32s {
		layout := ieee[k]
		layout.Normalization = format.MSBImplied
		d.Class, d.Float, d.Signed = format.FloatingPoint, &layout, false
	}
	return d
}

func compiled(t testing.TB, src, dst *format.Datatype) Conversion {
	t.Helper()
	c, err := Compile(src, dst)
	if err != nil {
		t.Fatal(err)
	}
	if c.SrcSize != int(src.Size) || c.DstSize != int(dst.Size) {
		t.Fatalf("sizes %d and %d of types of %d and %d bytes", c.SrcSize, c.DstSize, src.Size, dst.Size)
	}
	return c
}

func convert(t testing.TB, src, dst *format.Datatype, in []byte) []byte {
	t.Helper()
	c := compiled(t, src, dst)
	n := len(in) / c.SrcSize
	out := make([]byte, n*c.DstSize+1)
	out[n*c.DstSize] = 0xa5
	before := bytes.Clone(in)
	c.Run(out, in, n)
	if out[n*c.DstSize] != 0xa5 {
		t.Fatal("wrote after the last element")
	}
	if !bytes.Equal(before, in) {
		t.Fatal("changed its source")
	}
	if c.InPlace {
		same := append(bytes.Clone(in), 0xa5)
		if c.SrcSize != c.DstSize {
			t.Fatal("in place although the sizes differ")
		}
		if c.Run(same, same, n); !bytes.Equal(same, out) {
			t.Fatalf("in place %x, else %x", same, out)
		}
	}
	return out[:n*c.DstSize]
}

// turned reverses the bytes of each element.
func turned(b []byte, size int) []byte {
	out := make([]byte, len(b))
	for i := range b {
		out[i] = b[i/size*size+size-1-i%size]
	}
	return out
}

type numberCase struct {
	From string
	In   []byte
	To   map[string][]byte
}

type stringCase struct {
	From, To string
	Size     uint32
	In, Out  []byte
}

func vectors(t *testing.T) (v struct {
	Numbers []numberCase
	Strings []stringCase
}) {
	t.Helper()
	text, err := os.ReadFile("testdata/numbers.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// undefinedInC reports whether a float has no value in an integer type and
// libhdf5 leaves the result to the machine: of NaN, of half precision, and of a
// power of two just above the range.
func undefinedInC(from, to kind, in []byte) bool {
	if from < float32s || to > uint64s {
		return false
	}
	v := exact(from, in)
	if v == nil || from == float16s {
		return true
	}
	bits := 8 * kindSize[to]
	if to < uint8s {
		bits--
	}
	return v.Cmp(new(big.Float).SetMantExp(big.NewFloat(1), bits)) == 0
}

func TestNumbersConvertAsLibhdf5DoesInEveryByteOrder(t *testing.T) {
	for _, c := range vectors(t).Numbers {
		from := names[c.From]
		for name, want := range c.To {
			to := names[name]
			s, d := kindSize[from], kindSize[to]
			want = bytes.Clone(want)
			for i := range len(c.In) / s {
				if in := c.In[i*s : i*s+s]; undefinedInC(from, to, in) {
					copy(want[i*d:], byRule(from, to, in))
				}
			}
			for _, big := range []struct{ src, dst bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
				src, dst, in, out := number(from, format.LittleEndian), number(to, format.LittleEndian), c.In, want
				if big.src {
					src, in = number(from, format.BigEndian), turned(in, s)
				}
				if big.dst {
					dst, out = number(to, format.BigEndian), turned(out, d)
				}
				got := convert(t, src, dst, in)
				for i := range len(in) / s {
					if g, w := got[i*d:i*d+d], out[i*d:i*d+d]; !bytes.Equal(g, w) {
						t.Errorf("%s to %s, %v: %x gives %x, want %x", c.From, name, big, in[i*s:i*s+s], g, w)
					}
				}
			}
		}
	}
}

func TestManyNumbersConvertAsOne(t *testing.T) {
	const n = 5000 // several blocks
	in := make([]byte, n*2)
	for i := range n {
		binary.BigEndian.PutUint16(in[2*i:], uint16(i*i))
	}
	got := convert(t, number(uint16s, format.BigEndian), number(float64s, format.BigEndian), in)
	for i := range n {
		if v := math.Float64frombits(binary.BigEndian.Uint64(got[8*i:])); v != float64(uint16(i*i)) {
			t.Fatalf("element %d: %v", i, v)
		}
	}
}

func TestIntegersWithBitsToSpare(t *testing.T) {
	for _, c := range []struct {
		name string
		src  format.Datatype
		in   string // base64
		want []int64
	}{
		{"12 bits at 4, signed", format.Datatype{Size: 2, Precision: 12, BitOffset: 4, Signed: true}, "//8PgPB/", []int64{-1, -2048, 2047}},
		{"12 bits, unsigned", format.Datatype{Size: 2, Precision: 12}, "//8A8A==", []int64{4095, 0}},
		{"3 bytes, big-endian, signed", format.Datatype{Size: 3, Precision: 24, Order: format.BigEndian, Signed: true}, "gAAAAAAB", []int64{-1 << 23, 1}},
		{"5 bytes", format.Datatype{Size: 5, Precision: 40}, "AQAAAAA=", []int64{1}},
	} {
		c.src.Class = format.FixedPoint
		in, err := base64.StdEncoding.DecodeString(c.in)
		if err != nil {
			t.Fatal(err)
		}
		got := convert(t, &c.src, number(int64s, format.LittleEndian), in)
		for i, want := range c.want {
			if v := int64(binary.LittleEndian.Uint64(got[8*i:])); v != want {
				t.Errorf("%s: element %d is %d, want %d", c.name, i, v, want)
			}
		}
	}
}

func TestImpossibleLayoutsHaveNoConversion(t *testing.T) {
	for name, change := range map[string]func(d *format.Datatype){
		"a VAX number of odd size":     func(d *format.Datatype) { d.Order, d.Size = format.VAX, 5 },
		"an exponent of 63 bits":       func(d *format.Datatype) { d.Size, d.Float.ExponentSize = 32, 63 },
		"a number of 16 KiB":           func(d *format.Datatype) { d.Size = 1 << 14 },
		"no exponent":                  func(d *format.Datatype) { d.Float.ExponentSize = 0 },
		"no mantissa":                  func(d *format.Datatype) { d.Float.MantissaSize = 0 },
		"a sign outside":               func(d *format.Datatype) { d.Float.SignLocation = 32 },
		"a mantissa that sticks out":   func(d *format.Datatype) { d.Float.MantissaLocation = 10 },
		"an exponent that sticks out":  func(d *format.Datatype) { d.Float.ExponentLocation = 25 },
		"an integer in VAX order":      func(d *format.Datatype) { d.Class, d.Order = format.FixedPoint, format.VAX },
		"an integer without precision": func(d *format.Datatype) { d.Class, d.Precision = format.FixedPoint, 0 },
		"an integer that sticks out":   func(d *format.Datatype) { d.Class, d.BitOffset = format.FixedPoint, 1 },
	} {
		d := number(float32s, format.LittleEndian)
		change(d)
		if _, err := Compile(d, number(float64s, format.LittleEndian)); h5err.KindOf(err) != h5err.Type {
			t.Errorf("from %s: %v", name, err)
		}
		if _, err := Compile(number(float64s, format.LittleEndian), d); h5err.KindOf(err) != h5err.Type {
			t.Errorf("to %s: %v", name, err)
		}
	}
}
