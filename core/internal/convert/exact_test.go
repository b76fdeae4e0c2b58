package convert

import (
	"bytes"
	"math/big"

	"clawh5/core/internal/format"
)

// exactly is a number by arithmetic on math/big: what an element means.
type exactly struct {
	nan, inf, negative bool
	m                  *big.Int // |value| = m * 2^e
	e                  int
	subnormal          bool // as stored in its type
	unnormal           bool // the leading bit of the mantissa is stored and clear
}

// bitsOf are the bits of an element as one number.
func bitsOf(d *format.Datatype, b []byte) *big.Int {
	be := bytes.Clone(b)
	switch d.Order {
	case format.LittleEndian:
		be = turned(be, len(be))
	case format.VAX:
		for i := 0; i < len(be); i += 2 {
			be[i], be[i+1] = be[i+1], be[i]
		}
	}
	return new(big.Int).SetBytes(be)
}

func bitRange(x *big.Int, at, n int) *big.Int {
	y := new(big.Int).Rsh(x, uint(at))
	return y.And(y, ones(n))
}

func ones(n int) *big.Int {
	x := new(big.Int).Lsh(big.NewInt(1), uint(n))
	return x.Sub(x, big.NewInt(1))
}

func meaning(d *format.Datatype, b []byte) (v exactly) {
	x := bitsOf(d, b)
	if d.Class != format.FloatingPoint {
		v.m = bitRange(x, int(d.BitOffset), int(d.Precision))
		if d.Signed && v.m.Bit(int(d.Precision)-1) == 1 {
			v.negative = true
			v.m.Sub(new(big.Int).Lsh(big.NewInt(1), uint(d.Precision)), v.m)
		}
		return v
	}
	f := d.Float
	v.negative = x.Bit(int(f.SignLocation)) == 1
	exponent := bitRange(x, int(f.ExponentLocation), int(f.ExponentSize))
	v.m = bitRange(x, int(f.MantissaLocation), int(f.MantissaSize))
	fraction, behind := v.m, int(f.MantissaSize)
	implied := f.Normalization == format.MSBImplied
	if !implied {
		behind--
		fraction = bitRange(v.m, 0, behind)
	}
	if exponent.Cmp(ones(int(f.ExponentSize))) == 0 {
		v.nan = fraction.Sign() != 0
		v.inf = !v.nan
		return v
	}
	e := int(exponent.Int64())
	v.subnormal = e == 0 && v.m.Sign() != 0
	v.unnormal = !implied && e > 0 && v.m.BitLen() <= behind
	if e == 0 {
		e = 1
	} else if implied {
		v.m.SetBit(v.m, behind, 1)
	}
	v.e = e - int(f.ExponentBias) - behind
	return v
}

// expected is an element of dst by the rules of the package documentation.
func expected(src, dst *format.Datatype, in []byte) *big.Int {
	v := meaning(src, in)
	out := new(big.Int)
	switch dst.Class {
	case format.FloatingPoint:
		out = expectedFloat(src, dst, v)
	case format.Bitfield:
		out.Lsh(bitRange(v.m, 0, int(dst.Precision)), uint(dst.BitOffset))
	default:
		out.Lsh(expectedInteger(dst, v), uint(dst.BitOffset))
	}
	return padded(dst, out)
}

func padded(d *format.Datatype, x *big.Int) *big.Int {
	at, n := int(d.BitOffset), int(d.Precision)
	for i := range 8 * int(d.Size) {
		if i < at {
			x.SetBit(x, i, uint(d.LowPad))
		} else if i >= at+n {
			x.SetBit(x, i, uint(d.HighPad))
		}
	}
	return x
}

func expectedInteger(d *format.Datatype, v exactly) *big.Int {
	lo, hi := rangeOf(d)
	x := new(big.Int)
	switch {
	case v.nan:
	case v.inf && v.negative:
		x = lo
	case v.inf:
		x = hi
	default:
		x = truncated(v)
	}
	if x.Cmp(hi) > 0 {
		x = hi
	} else if x.Cmp(lo) < 0 {
		x = lo
	}
	return new(big.Int).And(x, ones(int(d.Precision)))
}

func rangeOf(d *format.Datatype) (lo, hi *big.Int) {
	if d.Signed {
		hi = ones(int(d.Precision) - 1)
		return new(big.Int).Not(hi), hi
	}
	return new(big.Int), ones(int(d.Precision))
}

// truncated is the integer part of a finite number.
func truncated(v exactly) *big.Int {
	x := new(big.Int)
	if v.e >= 0 {
		x.Lsh(v.m, uint(v.e))
	} else {
		x.Rsh(v.m, uint(-v.e))
	}
	if v.negative {
		x.Neg(x)
	}
	return x
}

func expectedFloat(src, dst *format.Datatype, v exactly) *big.Int {
	f := dst.Float
	p, kept := int(f.MantissaSize)+1, int(f.MantissaSize)
	implied := f.Normalization == format.MSBImplied
	if !implied {
		p--
	}
	exponent, mantissa := int64(0), new(big.Int)
	top := int64(1)<<f.ExponentSize - 1
	machine := src.Class == format.FloatingPoint && machineFloat(src) && machineFloat(dst)
	infinity := func() {
		exponent = top
		if mantissa.SetInt64(0); !implied {
			mantissa.SetBit(mantissa, kept-1, 1)
		}
	}
	switch {
	case v.nan:
		exponent, mantissa = top, ones(kept)
	case v.inf:
		infinity()
	case v.m.Sign() == 0:
	default:
		// In units of the last place, of the largest numbers first.
		largest := new(big.Int).Lsh(ones(p), uint(0))
		unit := int(top) - 1 - int(f.ExponentBias) - (p - 1) // exponent of the last place of the largest numbers
		lead := v.e + v.m.BitLen() - 1
		place := lead - (p - 1)
		if lowest := 1 - int(f.ExponentBias) - (p - 1); place < lowest {
			place = lowest
		}
		beyond := compareScaled(v.m, v.e, largest, unit) > 0
		mantissa = roundScaled(v.m, v.e-place, src.Class == format.FloatingPoint && !machine)
		if mantissa.BitLen() > p {
			mantissa.Rsh(mantissa, 1)
			place++
		}
		exponent = int64(place) + int64(f.ExponentBias) + int64(p-1)
		if mantissa.BitLen() < p {
			exponent = 0
		}
		switch {
		case beyond && src.Class == format.FloatingPoint && !machine && int64(lead)+int64(f.ExponentBias) < top:
			exponent, mantissa = top-1, largest
		case beyond && machine, exponent >= top:
			infinity()
		}
	}
	x := new(big.Int)
	if v.negative {
		x.SetBit(x, int(f.SignLocation), 1)
	}
	x.Or(x, new(big.Int).Lsh(big.NewInt(exponent), uint(f.ExponentLocation)))
	return x.Or(x, new(big.Int).Lsh(bitRange(mantissa, 0, kept), uint(f.MantissaLocation)))
}

// compareScaled compares a * 2^ea with b * 2^eb.
func compareScaled(a *big.Int, ea int, b *big.Int, eb int) int {
	low := min(ea, eb)
	return new(big.Int).Lsh(a, uint(ea-low)).Cmp(new(big.Int).Lsh(b, uint(eb-low)))
}

// roundScaled rounds m * 2^e to an integer.
func roundScaled(m *big.Int, e int, away bool) *big.Int {
	if e >= 0 {
		return new(big.Int).Lsh(m, uint(e))
	}
	unit := new(big.Int).Lsh(big.NewInt(1), uint(-e))
	q, rest := new(big.Int).QuoRem(m, unit, new(big.Int))
	c := rest.Lsh(rest, 1).Cmp(unit)
	if c > 0 || c == 0 && (away || q.Bit(0) == 1) {
		q.Add(q, big.NewInt(1))
	}
	return q
}
