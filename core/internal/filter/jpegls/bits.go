package jpegls

import (
	"encoding/binary"
	"math/bits"
)

// bitReader reads the bits of a scan, the most significant of each byte first.
// After a byte of ones comes one whose first bit is 0 and does not count; if it
// is 1 the scan has ended (T.87 A.1).
type bitReader struct {
	src  []byte
	pos  int
	buf  uint64 // bits at hand, in the upper end; zeros follow
	have int    // of them, or less than 0 after more was read than there is
}

// load makes sure of more than 56 bits at hand, if there are as many.
func (r *bitReader) load() {
	if r.pos > 0 && r.pos+8 <= len(r.src) && r.src[r.pos-1] != 0xff {
		v := binary.BigEndian.Uint64(r.src[r.pos:])
		if ones := ^v; (ones-0x0101010101010101)&^ones&0x8080808080808080 == 0 && r.have >= 0 {
			r.buf |= v >> r.have
			n := (64 - r.have) / 8
			r.pos += n
			r.have += 8 * n
			r.buf &= ^uint64(0) << (64 - r.have)
			return
		}
	}
	for r.have >= 0 && r.have <= 56 && r.pos < len(r.src) {
		b, n := r.src[r.pos], r.width(r.pos)
		if b == 0xff && (r.pos+1 == len(r.src) || r.src[r.pos+1] >= 0x80) {
			return
		}
		r.buf |= uint64(b) << (64 - n - r.have)
		r.pos++
		r.have += n
	}
}

// width returns the bits of the byte at a position that count.
func (r *bitReader) width(pos int) int {
	if pos > 0 && r.src[pos-1] == 0xff {
		return 7
	}
	return 8
}

// take returns the following n bits, at most 32.
func (r *bitReader) take(n int) int32 {
	if r.have < n {
		r.load()
	}
	v := int32(r.buf >> 32 >> (32 - n))
	r.buf <<= n
	r.have -= n
	return v
}

// zeros takes zeros and the one that follows, and returns how many zeros there
// are: at most 63, of which some may lie after the end.
func (r *bitReader) zeros() int32 {
	if r.have <= 56 { // the most zeros of a code are 55
		r.load()
	}
	n := min(bits.LeadingZeros64(r.buf), 63)
	r.buf <<= n + 1
	r.have -= n + 1
	return int32(n)
}

// end leaves the bits and returns what comes after them, which begins with a
// marker.
func (r *bitReader) end() ([]byte, bool) {
	if r.have < 0 {
		return nil, false
	}
	for r.have > 0 && r.have >= r.width(r.pos-1) {
		r.pos--
		r.have -= r.width(r.pos)
	}
	if r.have > 0 && r.buf>>(64-r.have) != 0 {
		return nil, false
	}
	rest := r.src[r.pos:]
	if len(rest) > 0 && rest[0] < 0x80 && r.width(r.pos) == 7 {
		rest = rest[1:]
	}
	return rest, len(rest) > 0 && rest[0] == 0xff
}
