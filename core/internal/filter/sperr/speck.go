package sperr

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

var errCoeffs = errors.New("coefficients that are no code")

// bitReader reads a row of bits, the least significant of each byte first. After
// the end there are zeros.
type bitReader struct {
	src []byte
	pos uint64 // in bits
	end uint64
}

func (r *bitReader) bit() uint32 {
	at := r.pos
	r.pos++
	if at >= r.end {
		return 0
	}
	return uint32(r.src[at>>3]>>(at&7)) & 1
}

// bitset is a set of coefficients.
type bitset []uint64

// of returns a set of n coefficients, none or all in it.
func (b bitset) of(n int, all bool) bitset {
	words := (n + 63) / 64
	if cap(b) < words {
		b = make(bitset, words)
	}
	b = b[:words]
	clear(b)
	if all {
		for i := range b {
			b[i] = ^uint64(0)
		}
	}
	return b
}

func (b bitset) bit(i int) uint64 { return b[i>>6] >> (i & 63) & 1 }
func (b bitset) add(i int)        { b[i>>6] |= 1 << (i & 63) }
func (b bitset) remove(i int)     { b[i>>6] &^= 1 << (i & 63) }

// speck decodes integers that were coded by planes of bits with sets of them
// that have none (SPECK, W. Pearlman et al. 2004):
//
//	1 byte   planes
//	8 bytes  bits that follow
//
// For each plane, from the highest on, come in this order: for each coefficient
// that stands alone and has no bit so far, whether it has one here, and if so
// its sign; for each set likewise, and if so its parts; for each coefficient
// that had a bit before, the next one.
type speck struct {
	coeffs   []uint64
	positive bitset

	r     bitReader
	shape shape
	lists [maxLevel][]set
	alone bitset // with no bit so far
	known bitset // with a bit in an earlier plane
	found []int  // with the first bit in this one
	rest  restSet
}

const (
	speckHeader = 9
	maxLevel    = 64
)

// decode decodes the coefficients of a shape and returns what comes after them.
// If cut is set, bits may be missing at the end of src.
func (s *speck) decode(src []byte, sh shape, cut bool) ([]byte, error) {
	if len(src) < speckHeader {
		return nil, errShort
	}
	planes, total := int(src[0]), binary.LittleEndian.Uint64(src[1:])
	body := src[speckHeader:]
	given := uint64(len(body)) * 8
	if planes > 64 || total > given && !cut || planes == 0 && total != 0 {
		return nil, errCoeffs
	}
	size := min(total/8+min(total%8, 1), uint64(len(body)))
	s.r = bitReader{src: body, end: min(total, given)}
	s.begin(sh)
	s.readPlanes(planes)
	if total <= given && s.r.pos != total {
		return nil, errCoeffs
	}
	return body[size:], nil
}

// begin puts all coefficients into sets.
func (s *speck) begin(sh shape) {
	n := sh.count()
	if cap(s.coeffs) < n {
		s.coeffs = make([]uint64, n)
	}
	s.coeffs = s.coeffs[:n]
	clear(s.coeffs)
	s.positive = s.positive.of(n, true)
	s.alone, s.known = s.alone.of(n, false), s.known.of(n, false)
	s.found = s.found[:0]
	for i := range s.lists {
		s.lists[i] = s.lists[i][:0]
	}
	s.shape, s.rest = sh, restSet{}
	s.start()
}

func (s *speck) readPlanes(planes int) {
	for k := planes - 1; k >= 0; k-- {
		s.sort()
		if s.r.pos < s.r.end {
			s.refine(k)
		}
		// The middle of what a coefficient may be now; of two, the lower one.
		middle := uint64(1)<<k + uint64(1)<<k>>1 - 1
		if k == 0 {
			middle = 1
		}
		for _, i := range s.found {
			s.coeffs[i] = middle
			s.known.add(i)
		}
		s.found = s.found[:0]
		if s.r.pos >= s.r.end {
			return
		}
	}
}

// refine reads a bit of each coefficient that had one before.
func (s *speck) refine(k int) {
	half := uint64(1) << k >> 1
	for i, word := range s.known {
		for ; word != 0; word &= word - 1 {
			c := &s.coeffs[i*64+bits.TrailingZeros64(word)]
			switch bit := s.r.bit(); {
			case half == 0:
				*c += uint64(bit)
			case bit != 0:
				*c += half
			default:
				*c -= half
			}
			if s.r.pos == s.r.end {
				return
			}
		}
	}
}

// sort finds the coefficients that have their first bit in a plane.
func (s *speck) sort() {
	for i, word := range s.alone {
		for ; word != 0; word &= word - 1 {
			if at := i*64 + bits.TrailingZeros64(word); s.point(at, true) {
				s.alone.remove(at)
			}
		}
	}
	for level := maxLevel - 1; level >= 0; level-- {
		kept := s.lists[level][:0]
		for _, part := range s.lists[level] {
			if s.r.bit() != 0 {
				s.split(part, level)
			} else {
				kept = append(kept, part)
			}
		}
		s.lists[level] = kept
	}
	s.sortRest(true)
}

// point reports whether a coefficient has its first bit here: it says so itself
// unless that is certain.
func (s *speck) point(at int, asked bool) bool {
	if asked && s.r.bit() == 0 {
		return false
	}
	if s.r.bit() == 0 {
		s.positive.remove(at)
	}
	s.found = append(s.found, at)
	return true
}

// part is point for a set of a level.
func (s *speck) part(p set, level int, asked bool) bool {
	if p.count() == 1 {
		at := s.shape.index(p)
		if s.point(at, asked) {
			return true
		}
		s.alone.add(at)
		return false
	}
	if asked && s.r.bit() == 0 {
		s.lists[level] = append(s.lists[level], p)
		return false
	}
	s.split(p, level)
	return true
}

// split decodes the parts of a set. One of them has a bit, so that the last one
// need not say so if none of the others has.
func (s *speck) split(p set, level int) {
	parts, n, next := s.shape.parts(p, level)
	any := false
	for i, q := range parts[:n] {
		if s.part(q, next, any || i+1 < n) {
			any = true
		}
	}
}
