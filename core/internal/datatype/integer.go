package datatype

import (
	"math/big"
	"slices"

	"clawh5/core/internal/format"
)

// Integer returns the value of p, an element of the integer type d.
func Integer(d *format.Datatype, p []byte) *big.Int {
	v := new(big.Int).SetBytes(bigEndian(d, p))
	v.Rsh(v, uint(d.BitOffset))
	v.And(v, ones(uint(d.Precision)))
	if d.Signed && v.Bit(int(d.Precision)-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(d.Precision)))
	}
	return v
}

// AppendInteger appends the element of the integer type d that has a value, the
// nearest one that the type holds. Bits without meaning are as its padding says.
func AppendInteger(dst []byte, d *format.Datatype, v *big.Int) []byte {
	low, high := limits(d)
	switch {
	case v.Cmp(low) < 0:
		v = low
	case v.Cmp(high) > 0:
		v = high
	}
	bits := new(big.Int).And(v, ones(uint(d.Precision))) // two's complement of negative values
	bits.Lsh(bits, uint(d.BitOffset))
	if d.LowPad == 1 {
		bits.Or(bits, ones(uint(d.BitOffset)))
	}
	if end := uint(d.BitOffset) + uint(d.Precision); d.HighPad == 1 {
		bits.Or(bits, new(big.Int).Lsh(ones(8*uint(d.Size)-end), end))
	}
	p := bits.FillBytes(make([]byte, d.Size))
	return append(dst, bigEndian(d, p)...)
}

// Holds reports whether the integer type d has a value.
func Holds(d *format.Datatype, v *big.Int) bool {
	low, high := limits(d)
	return v.Cmp(low) >= 0 && v.Cmp(high) <= 0
}

func limits(d *format.Datatype) (low, high *big.Int) {
	if !d.Signed {
		return new(big.Int), ones(uint(d.Precision))
	}
	high = ones(uint(d.Precision) - 1)
	return new(big.Int).Not(high), high
}

// ones returns 2^n - 1.
func ones(n uint) *big.Int {
	one := big.NewInt(1)
	return new(big.Int).Sub(new(big.Int).Lsh(one, n), one)
}

// bigEndian turns an element of d between its byte order and big-endian.
func bigEndian(d *format.Datatype, p []byte) []byte {
	if d.Order != format.BigEndian {
		p = slices.Clone(p)
		slices.Reverse(p)
	}
	return p
}
