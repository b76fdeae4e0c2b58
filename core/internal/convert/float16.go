package convert

import "math"

func halvesToFloats(dst, src []byte, n int) {
	d := view[uint32](dst, n)
	for i, h := range view[uint16](src, n) {
		d[i] = floatBits(h)
	}
}

func doublesToHalves(dst, src []byte, n int) {
	d := view[uint16](dst, n)
	for i, v := range view[float64](src, n) {
		d[i] = halfBits(v)
	}
}

// floatBits are the bits of a half-precision number as a float32.
func floatBits(h uint16) uint32 {
	sign, abs := uint32(h&0x8000)<<16, uint32(h&0x7fff)
	switch {
	case abs > 0x7c00:
		return sign | 0x7fc00000 | abs<<13 // a signalling NaN becomes a quiet one
	case abs == 0x7c00:
		return sign | 0x7f800000
	case abs < 0x0400:
		return sign | math.Float32bits(float32(abs)/(1<<24))
	}
	return sign | (abs<<13 + (127-15)<<23)
}

// halfBits are the bits of the half-precision number nearest to v, infinity for
// all that is beyond the largest finite one.
func halfBits(v float64) uint16 {
	const (
		dropped  = 52 - 10 // bits of the mantissa
		infinity = 0x7ff << 52
		largest  = 65504
		smallest = 1.0 / (1 << 14) // normal number
	)
	bits := math.Float64bits(v)
	sign, abs := uint16(bits>>48)&0x8000, bits&^(1<<63)
	switch x := math.Abs(v); {
	case abs > infinity:
		return sign | 0x7e00 | uint16(abs>>dropped)&0x3ff
	case x > largest:
		return sign | 0x7c00
	case x < smallest:
		return sign | uint16(math.RoundToEven(x*(1<<24)))
	}
	abs += 1<<(dropped-1) - 1 + abs>>dropped&1
	return sign | uint16(abs>>dropped-(1023-15)<<10)
}
