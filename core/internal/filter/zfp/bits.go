package zfp

import "encoding/binary"

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
	if at := r.pos >> 3; at+8 <= uint64(len(r.src)) {
		return binary.LittleEndian.Uint64(r.src[at:]) >> (r.pos & 7)
	}
	return r.tail()
}

// tail is peek near the end.
func (r *bitReader) tail() uint64 {
	var rest [8]byte
	if at := r.pos >> 3; at < uint64(len(r.src)) {
		copy(rest[:], r.src[at:])
	}
	return binary.LittleEndian.Uint64(rest[:]) >> (r.pos & 7)
}

// read returns the following n bits, at most peekBits, as a number.
func (r *bitReader) read(n uint) uint64 {
	v := r.peek() & (1<<n - 1)
	r.pos += uint64(n)
	return v
}

// holds reports whether all bits that were read were there.
func (r *bitReader) holds() bool { return r.pos <= uint64(len(r.src))*8 }
