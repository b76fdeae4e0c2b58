package cursor

import (
	"math"
	"math/bits"
)

// Add returns a+b and whether it fits 64 bits.
func Add(a, b uint64) (uint64, bool) {
	s, carry := bits.Add64(a, b, 0)
	return s, carry == 0
}

// Mul returns a*b and whether it fits 64 bits.
func Mul(a, b uint64) (uint64, bool) {
	hi, lo := bits.Mul64(a, b)
	return lo, hi == 0
}

// Product returns the product of dims, 1 for none, and whether it fits 64 bits.
func Product(dims []uint64) (uint64, bool) {
	n, ok := uint64(1), true
	for _, d := range dims {
		if d == 0 {
			return 0, true
		}
		var fits bool
		n, fits = Mul(n, d)
		ok = ok && fits
	}
	return n, ok
}

// ToInt returns v as an int and whether it fits one on this platform.
func ToInt(v uint64) (int, bool) { return int(v), v <= math.MaxInt }
