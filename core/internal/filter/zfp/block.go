package zfp

import (
	"math"
	"math/bits"
)

// block decodes the blocks of one stream.
type block[U word, I signed] struct {
	r     bitReader
	h     *Header
	order *[256]uint8

	planes planes
	coeffs [256]U
	values [256]U // in two's complement, or the bits of floating-point numbers
}

// float describes the numbers of as many bits as a word has.
type float struct {
	exponent uint // bits
	bias     int
}

var floats = map[uint]float{32: {8, 127}, 64: {11, 1023}}

// next decodes the following block into values.
func (b *block[U, I]) next(f *float) bool {
	start := b.r.pos
	if f == nil {
		b.integers(start)
	} else {
		b.reals(start, f)
	}
	b.r.pos = max(b.r.pos, start+uint64(b.h.minBits))
	return b.r.holds()
}

func (b *block[U, I]) integers(start uint64) {
	if b.h.reversible() {
		b.lossless(start)
		return
	}
	b.lossy(start, b.h.maxPrec)
}

// reals decodes a block of floating-point numbers: a bit that says whether any
// is not 0, their exponent, and integers.
func (b *block[U, I]) reals(start uint64, f *float) {
	if b.r.read(1) == 0 {
		clear(b.values[:b.planes.size])
		return
	}
	if !b.h.reversible() {
		exp := int(b.r.read(f.exponent)) - f.bias
		b.lossy(start, min(b.h.maxPrec, max(0, exp-b.h.minExp+2*b.h.Rank+2)))
		b.scale(exp)
		return
	}
	if b.r.read(1) != 0 {
		b.lossless(start)
		b.fromOrdered()
		return
	}
	exp := int(b.r.read(f.exponent)) - f.bias
	b.lossless(start)
	if exp == -f.bias {
		clear(b.values[:b.planes.size])
		return
	}
	b.scale(exp)
}

func (b *block[U, I]) lossy(start uint64, prec int) {
	b.coefficients(start, prec)
	unliftBlock[U, I](b.values[:b.planes.size])
}

func (b *block[U, I]) lossless(start uint64) {
	prec := b.r.read(uint(bits.Len(bitsOf[U]()-1))) + 1
	b.coefficients(start, int(prec))
	undiffBlock(b.values[:b.planes.size])
}

// coefficients decodes prec planes of bits of a block that began at start, as far
// as its bits suffice, and puts what they make into place. Where a block has
// fewer bits than what comes before the planes, they are not limited.
func (b *block[U, I]) coefficients(start uint64, prec int) {
	width := int(bitsOf[U]())
	b.planes.read(&b.r, b.h.maxBits-uint32(b.r.pos-start), width, max(0, width-prec))
	values := b.values[:b.planes.size]
	if b.planes.used < len(values) {
		clear(values)
	}
	coeffs, order := b.coeffs[:len(values)], b.order[:b.planes.used]
	gather(coeffs, &b.planes)
	for i, at := range order {
		b.values[at] = fromNegabinary(coeffs[i])
	}
}

// fromOrdered turns integers that are ordered as floating-point numbers are into
// those.
func (b *block[U, I]) fromOrdered() {
	for i, v := range b.values[:b.planes.size] {
		if I(v) < 0 {
			b.values[i] = v ^ ^U(0)>>1
		}
	}
}

// scale turns integers into floating-point numbers of which none reaches 2^exp.
func (b *block[U, I]) scale(exp int) {
	values := b.values[:b.planes.size]
	if bitsOf[U]() == 32 {
		factor := float32(power(exp - 30))
		for i, v := range values {
			values[i] = U(math.Float32bits(factor * float32(I(v))))
		}
		return
	}
	factor := power(exp - 62)
	for i, v := range values {
		values[i] = U(math.Float64bits(factor * float64(I(v))))
	}
}

// power returns 2^exp, or 0 where that is too small.
func power(exp int) float64 {
	const least, bias, fraction = -1022, 1023, 52
	if exp < least {
		return math.Ldexp(1, exp)
	}
	return math.Float64frombits(uint64(exp+bias) << fraction)
}
