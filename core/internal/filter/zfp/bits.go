package zfp

import (
	"encoding/binary"
	"math/bits"
)

// bitReader reads a row of bits, the least significant of each byte first. After
// the end there are zeros: see holds.
type bitReader struct {
	src []byte
	pos uint64 // in bits
}

// peekBits is how many bits peek gives at least.
const peekBits = 57

// peek returns the following bits.
func (r *bitReader) peek() uint64 {
	return load(r.src, r.pos>>3) >> (r.pos & 7)
}

// load returns the eight bytes of src from at on.
func load(src []byte, at uint64) uint64 {
	if at+8 <= uint64(len(src)) {
		return binary.LittleEndian.Uint64(src[at:])
	}
	return loadEnd(src, at)
}

//go:noinline
func loadEnd(src []byte, at uint64) uint64 {
	var rest [8]byte
	if at < uint64(len(src)) {
		copy(rest[:], src[at:])
	}
	return binary.LittleEndian.Uint64(rest[:])
}

// read returns the following n bits, at most peekBits, as a number.
func (r *bitReader) read(n uint) uint64 {
	v := r.peek() & (1<<n - 1)
	r.pos += uint64(n)
	return v
}

// zeros reads zeros up to a one, which it reads too, or most of them. It returns
// how many there are and how many bits it read.
func (r *bitReader) zeros(most uint32) (run, used uint32) {
	for {
		got := uint32(bits.TrailingZeros64(r.peek() | 1<<(peekBits-1)))
		if got >= most-run {
			r.pos += uint64(most - run)
			return most, most
		}
		r.pos += uint64(got)
		run += got
		if got < peekBits-1 {
			r.pos++
			return run, run + 1
		}
	}
}

// holds reports whether all bits that were read were there.
func (r *bitReader) holds() bool { return r.pos <= uint64(len(r.src))*8 }
