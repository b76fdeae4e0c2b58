package convert

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"clawh5/core/internal/format"
)

// exact is the value of a little-endian number, nil for NaN.
func exact(k kind, b []byte) *big.Float {
	var w [8]byte
	copy(w[:], b)
	u := binary.LittleEndian.Uint64(w[:])
	switch k {
	case float16s:
		e, m := int(u>>10&31), float64(u&1023)
		v := math.Ldexp(1024+m, e-25)
		switch {
		case e == 31 && m != 0:
			return nil
		case e == 31:
			v = math.Inf(1)
		case e == 0:
			v = math.Ldexp(m, -24)
		}
		if u>>15 == 1 {
			v = -v
		}
		return big.NewFloat(v)
	case float32s, float64s:
		v := math.Float64frombits(u)
		if k == float32s {
			v = float64(math.Float32frombits(uint32(u)))
		}
		if v != v {
			return nil
		}
		return big.NewFloat(v)
	}
	if k < uint8s {
		shift := 64 - 8*kindSize[k]
		return new(big.Float).SetInt64(int64(u<<shift) >> shift)
	}
	return new(big.Float).SetUint64(u)
}

// byRule converts a little-endian number with exact arithmetic.
func byRule(from, to kind, in []byte) []byte {
	v := exact(from, in)
	out := make([]byte, 8)
	switch to {
	case float16s, float32s, float64s:
		binary.LittleEndian.PutUint64(out, floatByRule(to, v))
	default:
		binary.LittleEndian.PutUint64(out, integerByRule(to, v))
	}
	return out[:kindSize[to]]
}

func integerByRule(to kind, v *big.Float) uint64 {
	if v == nil {
		return 0
	}
	bits := uint(8 * kindSize[to])
	lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), bits)
	if to < uint8s {
		hi.Lsh(big.NewInt(1), bits-1)
		lo.Neg(hi)
	}
	hi.Sub(hi, big.NewInt(1))
	x := lo
	if v.IsInf() {
		if v.Sign() > 0 {
			x = hi
		}
	} else {
		x, _ = v.Int(nil)
		if x.Cmp(lo) < 0 {
			x = lo
		}
		if x.Cmp(hi) > 0 {
			x = hi
		}
	}
	if x.Sign() < 0 {
		return uint64(x.Int64())
	}
	return x.Uint64()
}

// floatByRule must not be asked for NaN, of which there are many.
func floatByRule(to kind, v *big.Float) uint64 {
	abs := new(big.Float).Abs(v)
	most := map[kind]float64{float16s: 65504, float32s: math.MaxFloat32, float64s: math.MaxFloat64}[to]
	if abs.Cmp(big.NewFloat(most)) > 0 {
		abs.SetInf(false)
	}
	var u uint64
	switch to {
	case float64s:
		x, _ := abs.Float64()
		u = math.Float64bits(x)
	case float32s:
		x, _ := abs.Float32()
		u = uint64(math.Float32bits(x))
	default:
		u = halfByRule(abs)
	}
	if v.Signbit() {
		u |= 1 << (8*kindSize[to] - 1)
	}
	return u
}

// halfByRule looks for the neighbours of v among all finite halves.
func halfByRule(v *big.Float) uint64 {
	if v.IsInf() {
		return 0x7c00
	}
	lo, hi := uint64(0), uint64(0x7bff)
	half := func(h uint64) *big.Float { return exact(float16s, binary.LittleEndian.AppendUint16(nil, uint16(h))) }
	for lo < hi { // the largest half that is not above v
		if mid := (lo + hi + 1) / 2; half(mid).Cmp(v) <= 0 {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0x7bff {
		return lo
	}
	below, above := new(big.Float).Sub(v, half(lo)), new(big.Float).Sub(half(lo+1), v)
	if c := below.Cmp(above); c > 0 || c == 0 && lo&1 == 1 {
		return lo + 1
	}
	return lo
}

func FuzzNumbers(f *testing.F) {
	for _, bits := range []uint64{0, 1, 0x3c01, 0x7bff, 0xfbff, 0x3f800001, 0x7f7fffff, 0x40effdffae147ae1, 1 << 63, math.MaxUint64} {
		f.Add(bits, uint8(9), uint8(10))
		f.Add(bits, uint8(3), uint8(8))
	}
	f.Fuzz(func(t *testing.T, bits uint64, s, d uint8) {
		from, to := kind(s%uint8(len(kindSize))), kind(d%uint8(len(kindSize)))
		in := binary.LittleEndian.AppendUint64(nil, bits)[:kindSize[from]]
		got := convert(t, number(from, format.LittleEndian), number(to, format.LittleEndian), in)
		switch {
		case from == to:
			if !bytes.Equal(got, in) {
				t.Fatalf("%x became %x", in, got)
			}
		case to >= float32s && exact(from, in) == nil:
			if exact(to, got) != nil {
				t.Fatalf("NaN %x became %x", in, got)
			}
		default:
			if want := byRule(from, to, in); !bytes.Equal(got, want) {
				t.Fatalf("kind %d to %d: %x gives %x, want %x", from, to, in, got, want)
			}
		}
	})
}
