package filter

import "encoding/binary"

// bitReader reads a row of bits, the most significant of each byte first. Its
// user has made sure that the bits are there.
type bitReader struct {
	src []byte
	pos uint64 // in bits
}

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

// putUint stores the low bytes of v, as many as dst has, at most 8.
func putUint(dst []byte, v uint64, bigEndian bool) {
	switch {
	case len(dst) == 4 && !bigEndian:
		binary.LittleEndian.PutUint32(dst, uint32(v))
	case len(dst) == 8 && !bigEndian:
		binary.LittleEndian.PutUint64(dst, v)
	case bigEndian:
		for i := len(dst) - 1; i >= 0; i-- {
			dst[i] = byte(v)
			v >>= 8
		}
	default:
		for i := range dst {
			dst[i] = byte(v)
			v >>= 8
		}
	}
}
