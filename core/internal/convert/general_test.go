package convert

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"testing"

	"clawh5/core/internal/format"
)

// TestFastWaysGiveWhatTheGeneralOneGives: between the machine's types, and from
// the others that have a way of their own.
func TestFastWaysGiveWhatTheGeneralOneGives(t *testing.T) {
	t.Parallel()
	v := layoutVectors(t)
	rng := rand.New(rand.NewPCG(1, 2))
	checked := 0
	for i := range v.Types {
		from := &v.Types[i]
		src := from.datatype()
		in := bytes.Clone(from.In)
		for range 50 * from.Size {
			in = append(in, byte(rng.Uint32()))
		}
		if from.Size == 2 && from.Class == "float" && from.Order == "le" && i < 30 {
			for x := 0; x < 1<<16; x += 29 {
				in = binary.LittleEndian.AppendUint16(in, uint16(x))
			}
		}
		for k := int8s; k <= float16s; k++ {
			if src.Class == format.Bitfield || src.Class == format.FixedPoint && k == float16s {
				continue // the machine's integers beyond the largest half are infinite
			}
			for _, order := range []format.Order{le, be} {
				dst := number(k, order)
				fast, ok := byMachine(src, dst)
				plain, fits := general(src, dst)
				if !ok || !fits || same(src, dst) || sameButOrder(src, dst) { // those keep their bits
					continue
				}
				checked++
				n := len(in) / from.Size
				got, want := make([]byte, n*fast.DstSize), make([]byte, n*fast.DstSize)
				fast.Run(got, in, n)
				plain.Run(want, in, n)
				for e := range n {
					if g, w := got[e*fast.DstSize:(e+1)*fast.DstSize], want[e*fast.DstSize:(e+1)*fast.DstSize]; !bytes.Equal(g, w) {
						t.Fatalf("%s to %s: %x gives %x, generally %x", from, describe(dst), in[e*from.Size:(e+1)*from.Size], g, w)
					}
				}
			}
		}
	}
	if checked < 250 {
		t.Errorf("%d pairs have a fast way", checked)
	}
}

// TestIntegersRoundOnceToFloats: the way of 32-bit machines, on all.
func TestIntegersRoundOnceToFloats(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 20000 {
		v := rng.Uint64() >> rng.IntN(40)
		if i%3 == 0 { // close to a tie
			v = v&^(1<<40-1) | 1<<39 + uint64(rng.IntN(3)) - 1
		}
		in := binary.LittleEndian.AppendUint64(nil, v)
		got := make([]byte, 4)
		roundOnce[uint64](got, in, 1)
		if want := byRule(uint64s, float32s, in); !bytes.Equal(got, want) {
			t.Fatalf("%d gives %x, want %x", v, got, want)
		}
		roundOnce[int64](got, in, 1)
		if want := byRule(int64s, float32s, in); !bytes.Equal(got, want) {
			t.Fatalf("%d gives %x, want %x", int64(v), got, want)
		}
	}
}

// TestFloatsOfSomeValuesAreKnown: layouts by their specifications, not by
// libhdf5 and not by our own arithmetic.
func TestFloatsOfSomeValuesAreKnown(t *testing.T) {
	v := layoutVectors(t)
	find := func(size, exponent, mantissa int, order string) *format.Datatype {
		for i := range v.Types {
			l := &v.Types[i]
			if l.Class == "float" && l.Size == size && l.Fields[2] == exponent && l.Fields[4] == mantissa && l.Order == order {
				return l.datatype()
			}
		}
		t.Fatal("no such type")
		return nil
	}
	leading := find(4, 8, 23, "le")
	leading.Float.Normalization = format.MSBSet // 23 bits, the first of which is always set
	for _, c := range []struct {
		name string
		d    *format.Datatype
		in   []byte
		want float64
	}{
		{"a leading bit that is set: 1.5", leading, []byte{0, 0, 0xe0, 0x3f}, 1.5},
		{"VAX F 1", find(4, 8, 23, "vax"), []byte{0x80, 0x40, 0, 0}, 1},
		{"VAX F -10", find(4, 8, 23, "vax"), []byte{0x20, 0xc2, 0, 0}, -10},
		{"VAX F pi", find(4, 8, 23, "vax"), []byte{0x49, 0x41, 0xdb, 0x0f}, 3.1415927410125732},
		{"VAX D 1", find(8, 8, 55, "vax"), []byte{0x80, 0x40, 0, 0, 0, 0, 0, 0}, 1},
		{"bfloat16 pi", find(2, 8, 7, "le"), []byte{0x49, 0x40}, 3.140625},
		{"E5M2 largest", find(1, 5, 2, "le"), []byte{0x7b}, 57344},
		{"E4M3 1.125", find(1, 4, 3, "le"), []byte{0x39}, 1.125},
		{"x86 extended 1", find(12, 15, 64, "le"), []byte{0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f, 0, 0}, 1},
		{"x86 extended -2.5", find(12, 15, 64, "le"), []byte{0, 0, 0, 0, 0, 0, 0, 0xa0, 0, 0xc0, 0, 0}, -2.5},
		{"quad 1.5", find(16, 15, 112, "be"), []byte{0x3f, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1.5},
	} {
		got := convert(t, c.d, number(float64s, le), c.in)
		if x := exact(float64s, got); x == nil || x.Cmp(big.NewFloat(c.want)) != 0 {
			t.Errorf("%s is %v, want %v", c.name, x, c.want)
		}
	}
}
