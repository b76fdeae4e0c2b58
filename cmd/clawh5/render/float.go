package render

import (
	"encoding/binary"
	"math"
	"math/big"

	"clawh5/core"
)

// extended is the format of numbers longer than a double, which have none of
// their own in the tools.
const extended = "%g"

// float appends a floating-point number of any size and layout.
func (f *Format) float(dst []byte, t core.Datatype, p []byte) []byte {
	fields, ok := t.Float()
	if !ok {
		return hexBytes(dst, p)
	}
	switch {
	case len(p) == 8 && fields.MantissaBits == 52:
		return appendFloat(dst, f.Double, math.Float64frombits(binary.LittleEndian.Uint64(p)))
	case len(p) == 4 && fields.MantissaBits == 23:
		return appendFloat(dst, f.Float, float64(math.Float32frombits(binary.LittleEndian.Uint32(p))))
	}
	format := f.Float
	switch {
	case len(p) > 8:
		format = extended
	case len(p) > 4:
		format = f.Double
	}
	x, special := decodeFloat(fields, p)
	if x == nil {
		return appendFloat(dst, format, special)
	}
	return appendBig(dst, format, x)
}

// decodeFloat returns a number in any layout; nil and the value for infinities
// and NaN.
func decodeFloat(l core.FloatFields, p []byte) (*big.Float, float64) {
	bits := new(big.Int)
	be := make([]byte, len(p))
	for i, b := range p {
		be[len(p)-1-i] = b
	}
	bits.SetBytes(be)
	field := func(at, n uint64) *big.Int {
		mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(n)), big.NewInt(1))
		return mask.And(mask, new(big.Int).Rsh(bits, uint(at)))
	}
	negative := bits.Bit(int(l.Sign)) == 1
	mantissa, exponent := field(l.MantissaAt, l.MantissaBits), field(l.ExponentAt, l.ExponentBits)
	sign := 1
	if negative {
		sign = -1
	}
	top := uint64(1)<<min(l.ExponentBits, 63) - 1
	if exponent.Uint64() == top {
		fraction := new(big.Int).Set(mantissa)
		if l.Normalization != core.NormImplied && l.MantissaBits > 0 {
			fraction.SetBit(fraction, int(l.MantissaBits-1), 0)
		}
		if fraction.Sign() == 0 {
			return nil, math.Inf(sign)
		}
		return nil, math.Copysign(math.NaN(), float64(sign))
	}
	scale := int64(exponent.Uint64()) - int64(l.Bias) - int64(l.MantissaBits)
	switch l.Normalization {
	case core.NormImplied:
		if exponent.Sign() == 0 {
			scale++
		} else {
			mantissa.SetBit(mantissa, int(l.MantissaBits), 1)
		}
	default: // an x87 number, whose normalization libhdf5 calls none, has its highest bit too
		if exponent.Sign() == 0 {
			scale++
		}
		scale++ // the highest bit stands before the point
	}
	x := new(big.Float).SetPrec(uint(l.MantissaBits) + 1).SetInt(mantissa)
	x.SetMantExp(x, int(scale))
	if negative {
		x.Neg(x)
	}
	return x, 0
}

// complex appends a complex number, as the sum of its parts.
func (f *Format) complex(dst []byte, t core.Datatype, p []byte) []byte {
	part := t.Super()
	re, im := p[:len(p)/2], p[len(p)/2:]
	sum := *f
	sum.Float, sum.Double = "%f", "%f"
	dst = sum.float(dst, part, re)
	sum.Float, sum.Double = "%+f", "%+f"
	return append(sum.float(dst, part, im), 'i')
}
