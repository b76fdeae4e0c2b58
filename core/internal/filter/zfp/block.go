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

	coeffs [256]U
	values [256]U // in two's complement, or the bits of floating-point numbers
	size   int    // values of a block
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
		clear(b.values[:b.size])
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
		clear(b.values[:b.size])
		return
	}
	b.scale(exp)
}

// left returns how many bits of the block that began at start remain.
func (b *block[U, I]) left(start uint64) uint32 {
	return b.h.maxBits - uint32(b.r.pos-start)
}

func (b *block[U, I]) lossy(start uint64, prec int) {
	b.planes(b.left(start), prec)
	b.arrange()
	unliftBlock[U, I](b.values[:b.size])
}

func (b *block[U, I]) lossless(start uint64) {
	prec := b.r.read(uint(bits.Len(bitsOf[U]()-1))) + 1
	b.planes(b.left(start), int(prec))
	b.arrange()
	undiffBlock(b.values[:b.size])
}

// planes decodes at most prec planes of bits of the coefficients in at most
// budget bits. In a plane, the coefficients that had a bit in an earlier one
// come first; then a bit says whether any of the following has its first one
// here, and if so zeros lead to it, and so on.
func (b *block[U, I]) planes(budget uint32, prec int) {
	coeffs := &b.coeffs
	clear(coeffs[:b.size])
	size, n := uint32(b.size), uint32(0)
	width := int(bitsOf[U]())
	r := b.r
	for k, end := width, max(0, width-prec); k > end && budget > 0; {
		k--
		plane := U(1) << k
		known := min(n, budget)
		budget -= known
		for base := uint32(0); base < known; {
			step := min(known-base, peekBits)
			for x := r.read(uint(step)); x != 0; x &= x - 1 {
				coeffs[uint8(base+uint32(bits.TrailingZeros64(x)))] |= plane
			}
			base += step
		}
		for n < size && budget > 0 {
			x := r.peek()
			budget--
			r.pos++
			if x&1 == 0 {
				break
			}
			run, used := zeros(&r, x>>1, min(size-1-n, budget))
			n += run
			budget -= used
			coeffs[uint8(n)] |= plane
			n++
		}
	}
	b.r = r
}

// zeros counts zeros up to a one, which it reads too, or up to most of them. x
// has the first bits.
func zeros(r *bitReader, x uint64, most uint32) (run, used uint32) {
	const step = peekBits - 1
	for {
		got := uint32(bits.TrailingZeros64(x | 1<<step))
		if got >= most-run {
			r.pos += uint64(most - run)
			return most, most
		}
		run += got
		if got < step {
			r.pos += uint64(got) + 1
			return run, run + 1
		}
		r.pos += step
		x = r.peek()
	}
}

// arrange makes values of the coefficients.
func (b *block[U, I]) arrange() {
	coeffs, order := b.coeffs[:b.size], b.order[:b.size]
	for i, c := range coeffs {
		b.values[order[i]] = fromNegabinary(c)
	}
}

// fromOrdered turns integers that are ordered as floating-point numbers are into
// those.
func (b *block[U, I]) fromOrdered() {
	for i, v := range b.values[:b.size] {
		if I(v) < 0 {
			b.values[i] = v ^ ^U(0)>>1
		}
	}
}

// scale turns integers into floating-point numbers of which none reaches 2^exp.
func (b *block[U, I]) scale(exp int) {
	values := b.values[:b.size]
	if bitsOf[U]() == 32 {
		factor := float32(math.Ldexp(1, exp-30))
		for i, v := range values {
			values[i] = U(math.Float32bits(factor * float32(I(v))))
		}
		return
	}
	factor := math.Ldexp(1, exp-62)
	for i, v := range values {
		values[i] = U(math.Float64bits(factor * float64(I(v))))
	}
}
