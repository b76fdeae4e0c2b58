package filter

import "encoding/binary"

// bitReader reads a row of bits, the most significant of each byte first. Its
// user has made sure that the bits are there.
type bitReader struct {
	src []byte
	pos uint64 // in bits

	block [codeBlock]uint64 // for unpack
}

// codeBlock is how many numbers are unpacked at once: few enough to stay in the
// first cache.
const codeBlock = 256

// next returns the following n bits, 1 to 64, as a number.
func (r *bitReader) next(n uint) uint64 {
	rest := r.src[r.pos>>3:]
	if len(rest) < 9 {
		var tail [9]byte
		copy(tail[:], rest)
		rest = tail[:]
	}
	skip := uint(r.pos & 7)
	v := binary.BigEndian.Uint64(rest)<<skip | uint64(rest[8])>>(8-skip)
	r.pos += uint64(n)
	return v >> (64 - n)
}

// fill sets each of codes to the following n bits, 1 to 64.
func (r *bitReader) fill(codes []uint64, n uint) {
	for i := range codes {
		at, skip := r.pos>>3, uint(r.pos&7)
		if at+9 > uint64(len(r.src)) {
			codes[i] = r.next(n)
			continue
		}
		bytes := r.src[at : at+9 : at+9]
		v := binary.BigEndian.Uint64(bytes)<<skip | uint64(bytes[8])>>(8-skip)
		codes[i] = v >> (64 - n)
		r.pos += uint64(n)
	}
}

// putUint stores the low bytes of v, as many as dst has, at most 8.
func putUint(dst []byte, v uint64, bigEndian bool) {
	if bigEndian {
		for i := len(dst) - 1; i >= 0; i-- {
			dst[i] = byte(v)
			v >>= 8
		}
		return
	}
	for i := range dst {
		dst[i] = byte(v)
		v >>= 8
	}
}

// putUints stores the low size bytes of each of values, one after the other.
func putUints(dst []byte, values []uint64, size int, bigEndian bool) {
	switch {
	case size == 2 && !bigEndian:
		for i, v := range values {
			binary.LittleEndian.PutUint16(dst[2*i:], uint16(v))
		}
	case size == 4 && !bigEndian:
		for i, v := range values {
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(v))
		}
	case size == 8 && !bigEndian:
		for i, v := range values {
			binary.LittleEndian.PutUint64(dst[8*i:], v)
		}
	default:
		for i, v := range values {
			putUint(dst[size*i:size*(i+1)], v, bigEndian)
		}
	}
}

// unpack fills dst with numbers of size bytes, at most 8, each of which value
// makes of n bits of r, 0 to 64. It makes them in place, some at once.
func unpack(dst []byte, r *bitReader, n uint, size int, bigEndian bool, value func(codes []uint64)) {
	for len(dst) > 0 {
		codes := r.block[:min(codeBlock, len(dst)/size)]
		if n == 0 {
			clear(codes)
		} else {
			r.fill(codes, n)
		}
		value(codes)
		putUints(dst, codes, size, bigEndian)
		dst = dst[len(codes)*size:]
	}
}
