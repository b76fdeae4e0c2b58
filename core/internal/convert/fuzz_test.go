package convert

import (
	"bytes"
	"testing"

	"clawh5/core/internal/format"
)

// typeMaker makes datatypes of bytes, right ones and impossible ones.
type typeMaker struct{ b []byte }

func (m *typeMaker) next() int {
	if len(m.b) == 0 {
		return 0
	}
	x := m.b[0]
	m.b = m.b[1:]
	return int(x)
}

func (m *typeMaker) make(depth int) *format.Datatype {
	d := &format.Datatype{
		Class: format.Class(m.next() % 12), Size: uint32(m.next() % 40), Order: format.Order(m.next() % 3),
		BitOffset: uint16(m.next() % 70), Precision: uint16(m.next()), Signed: m.next()%2 == 0,
		LowPad: uint8(m.next() % 2), HighPad: uint8(m.next() % 2), Pad: format.Pad(m.next() % 3),
	}
	if depth > 3 {
		return d
	}
	switch d.Class {
	case format.FloatingPoint:
		d.Float = &format.FloatProperties{SignLocation: uint8(m.next()), ExponentLocation: uint8(m.next()), ExponentSize: uint8(m.next() % 70),
			MantissaLocation: uint8(m.next()), MantissaSize: uint8(m.next()), ExponentBias: uint32(m.next()) << (m.next() % 25),
			Normalization: format.Normalization(m.next() % 3), InternalPad: uint8(m.next() % 2)}
	case format.Array:
		d.Base = m.make(depth + 1)
		d.Dims = []uint32{uint32(m.next() % 4), uint32(m.next() % 3)}
		d.Size = d.Base.Size * d.Dims[0] * d.Dims[1]
	case format.Complex:
		d.Base = m.make(depth + 1)
		d.Size = 2 * d.Base.Size
	case format.Enumeration:
		d.Base = m.make(depth + 1)
		d.Size = d.Base.Size
		d.Names = []string{"a", "b", "c"}[:m.next()%4]
		for range len(d.Names) * int(d.Size) {
			d.Values = append(d.Values, byte(m.next()))
		}
	case format.Compound:
		for _, name := range []string{"a", "b", "c"}[:m.next()%4] {
			member := format.Member{Name: name, Offset: d.Size, Type: m.make(depth + 1)}
			d.Members = append(d.Members, member)
			d.Size += member.Type.Size
		}
	}
	return d
}

// FuzzTypes: any two types are refused or converted, within their bytes.
func FuzzTypes(f *testing.F) {
	for class := range byte(12) {
		seed := bytes.Repeat([]byte{class, 8, 0, 0, 64, 1, 1, 0, 63, 52, 11, 0, 52, 1, 3, 2}, 8)
		f.Add(seed, seed[3:], []byte{1, 2, 0xff, 0x80})
	}
	f.Add([]byte{1, 4, 0, 0, 32, 0, 0, 0, 0, 31, 23, 8, 0, 23, 127, 0, 2, 0}, []byte{0, 3, 1, 2, 20, 0, 1, 1, 0}, []byte{0xff, 0x7f, 3})
	f.Add([]byte{1, 10, 1, 0, 80, 0, 0, 0, 0, 79, 64, 15, 0, 64, 255, 6, 0, 0}, []byte{1, 2, 0, 0, 16, 0, 1, 1, 0, 15, 7, 8, 0, 7, 127, 0, 2, 0}, []byte{0, 0xff})
	f.Fuzz(func(t *testing.T, a, b, data []byte) {
		src, dst := (&typeMaker{a}).make(0), (&typeMaker{b}).make(0)
		c, err := Compile(src, dst)
		if err != nil {
			return
		}
		if c.SrcSize != int(src.Size) || c.DstSize != int(dst.Size) {
			t.Fatalf("sizes %d and %d, want %d and %d", c.SrcSize, c.DstSize, src.Size, dst.Size)
		}
		const n = 3
		in := make([]byte, n*c.SrcSize)
		for i := range in {
			if len(data) > 0 {
				in[i] = data[i%len(data)]
			}
		}
		convert(t, src, dst, in)
		if !c.Partial && !touchesAll(c, in, n) {
			t.Fatal("bytes of the result are not written")
		}
	})
}
