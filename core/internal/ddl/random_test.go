package ddl

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

func TestRandomTypesSurviveTheirText(t *testing.T) {
	for seed := range uint64(2000) {
		checkRoundTrip(t, maker{rand.New(rand.NewPCG(seed, 1))}.datatype(4))
	}
}

// maker makes random types, with any properties that a message can hold.
type maker struct{ *rand.Rand }

func (m maker) datatype(depth int) *format.Datatype {
	d := &format.Datatype{Committed: format.Undefined}
	classes := 8
	if depth > 0 {
		classes = 12
	}
	switch format.Class(m.IntN(classes)) {
	case 0:
		m.number(d, format.FixedPoint, 20)
		d.Signed = m.IntN(2) == 0
	case 1:
		return m.float()
	case 2:
		m.number(d, format.Time, 8)
		d.BitOffset, d.LowPad, d.HighPad = 0, 0, 0
	case 3:
		d.Class, d.Size = format.String, 1+m.Uint32N(50)
		if m.IntN(3) == 0 {
			d = datatype.NewVariableString()
		}
		d.Pad, d.Charset = format.Pad(m.IntN(3)), format.CharacterSet(m.IntN(2))
	case 4:
		m.number(d, format.Bitfield, 20)
	case 5:
		d.Class, d.Size, d.Tag = format.Opaque, 1+m.Uint32N(100), m.text(60)
	case 6:
		return datatype.NewReference(format.ReferenceKind(m.IntN(5)))
	case 7:
		return m.enumeration()
	case 8, 9:
		return m.compound(depth)
	case 10:
		dims := make([]uint64, 1+m.IntN(4))
		for i := range dims {
			dims[i] = 1 + m.Uint64N(4)
		}
		return must(datatype.NewArray(m.datatype(depth-1), dims))
	case 11:
		if m.IntN(2) == 0 {
			return must(datatype.NewComplex(m.float()))
		}
		return must(datatype.NewSequence(m.datatype(depth - 1)))
	}
	return d
}

func must(d *format.Datatype, err error) *format.Datatype {
	if err != nil {
		panic(err)
	}
	return d
}

func (m maker) number(d *format.Datatype, class format.Class, maxSize uint32) {
	d.Class, d.Size = class, 1+m.Uint32N(maxSize)
	d.Precision = uint16(1 + m.Uint32N(8*d.Size))
	d.BitOffset = uint16(m.Uint32N(8*d.Size - uint32(d.Precision) + 1))
	d.Order = format.Order(m.IntN(2))
	d.LowPad, d.HighPad = uint8(m.IntN(2)), uint8(m.IntN(2))
}

func (m maker) float() *format.Datatype {
	if m.IntN(2) == 0 {
		names := []string{"H5T_IEEE_F32LE", "H5T_IEEE_F64BE", "H5T_FLOAT_BFLOAT16BE", "H5T_VAX_F64", "H5T_NATIVE_LDOUBLE", "H5T_FLOAT_F4E2M1"}
		d, _ := datatype.Predefined(names[m.IntN(len(names))])
		return d
	}
	d := &format.Datatype{Committed: format.Undefined}
	m.number(d, format.FloatingPoint, 16)
	d.Size = max(d.Size, 2)
	d.Order = format.Order(m.IntN(3))
	exponent := uint8(1 + m.IntN(6))
	mantissa := uint8(1 + m.IntN(8))
	d.Float = &format.FloatProperties{SignLocation: exponent + mantissa, ExponentLocation: mantissa, ExponentSize: exponent,
		MantissaSize: mantissa, ExponentBias: m.Uint32(), Normalization: format.Normalization(m.IntN(3)), InternalPad: uint8(m.IntN(2))}
	return d
}

func (m maker) text(n int) string {
	b := make([]byte, 1+m.IntN(n))
	for i := range b {
		b[i] = "abc \"\\\n;{}:é\x80E"[m.IntN(15)]
	}
	return string(b)
}

func (m maker) enumeration() *format.Datatype {
	base := &format.Datatype{Committed: format.Undefined}
	m.number(base, format.FixedPoint, 12)
	base.Signed = m.IntN(2) == 0
	d := must(datatype.NewEnum(base))
	for i := range m.IntN(6) {
		value := make([]byte, base.Size)
		for j := range value {
			value[j] = byte(m.Uint32())
		}
		if next, err := datatype.InsertEnum(d, m.text(30)+fmt.Sprint(i), value); err == nil {
			d = next
		}
	}
	return d
}

func (m maker) compound(depth int) *format.Datatype {
	var members []format.Member
	end := uint32(0)
	for i := range m.IntN(5) {
		t := m.datatype(depth - 1)
		end += m.Uint32N(4)
		members = append(members, format.Member{Name: m.text(20) + fmt.Sprint(i), Offset: end, Type: t})
		end += t.Size
	}
	m.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	d := must(datatype.NewCompound(uint64(1 + end + m.Uint32N(4))))
	return must(datatype.Extend(d, members))
}
