// Package zfp decodes arrays that zfp compressed (P. Lindstrom, Fixed-Rate
// Compressed Floating-Point Arrays, 2014; codec version 5 of the library, which
// is that of versions 0.5 to 1.0).
//
// An array of one to four dimensions is cut into blocks of four values along
// each. A block of floating-point numbers becomes integers of one exponent; a
// transform takes the likeness out of neighbours; what is left is written by
// planes of bits, the most significant first, for as long as the parameters of
// the stream allow. So a stream may be lossy, but what it decodes to is exact.
package zfp

import "errors"

// Type is the type of the values.
type Type int

const (
	Int32 Type = iota
	Int64
	Float32
	Float64
)

// Size returns the bytes of a value.
func (t Type) Size() int {
	if t == Int32 || t == Float32 {
		return 4
	}
	return 8
}

// Header says what a stream holds and how it was made.
type Header struct {
	Type Type
	Rank int       // 1 to 4
	Dims [4]uint64 // values along each dimension, the one that varies fastest first; 1 after Rank

	minBits, maxBits uint32 // bits of a block
	maxPrec          int    // planes of a block
	minExp           int    // exponent of the last plane, or less than minExponent
}

// ErrCodec is the error of a header of another version of the codec.
var ErrCodec = errors.New("a header of another version of the codec")

var (
	errMagic  = errors.New("a header that does not begin as one of zfp")
	errShort  = errors.New("a header that is cut")
	errParams = errors.New("a header whose limits of a block contradict each other")
)

const (
	codecVersion = 5

	magicBits = 32
	metaBits  = 52
	modeBits  = 12 // of a mode in its short form
	longBits  = 64 // in its long form, which begins with twelve bits set

	anyBits     = 16658 // more than any block has
	anyPrec     = 64
	minExponent = -1074 // of a number of 64 bits; a smaller one says that nothing is lost
)

// ParseHeader decodes a full header: the mark of the format, what the array is,
// and the parameters of the coder.
func ParseHeader(src []byte) (Header, error) {
	r := bitReader{src: src}
	magic := r.read(magicBits)
	switch {
	case !r.holds():
		return Header{}, errShort
	case magic&0xffffff != 'z'|'f'<<8|'p'<<16:
		return Header{}, errMagic
	case magic>>24 != codecVersion:
		return Header{}, ErrCodec
	}
	h := array(r.read(metaBits))
	mode := r.read(modeBits)
	if mode == 1<<modeBits-1 {
		h.long(r.read(longBits - modeBits))
	} else {
		h.short(int(mode))
	}
	switch {
	case !r.holds():
		return Header{}, errShort
	case h.minBits > h.maxBits || h.maxPrec > anyPrec:
		return Header{}, errParams
	}
	return h, nil
}

// array decodes the type and the dimensions.
func array(meta uint64) Header {
	h := Header{Type: Type(meta & 3), Rank: int(meta>>2&3) + 1, Dims: [4]uint64{1, 1, 1, 1}}
	meta >>= 4
	width := 48 / h.Rank
	for i := range h.Rank {
		h.Dims[i] = meta&(1<<width-1) + 1
		meta >>= width
	}
	if h.Rank == 1 {
		h.Dims[0] = (h.Dims[0]-1)&(1<<32-1) + 1
	}
	return h
}

// short decodes a mode that sets one parameter: the bits of a block, its planes,
// that nothing is lost, or the exponent of the last plane.
func (h *Header) short(mode int) {
	const (
		rates      = 2048
		precisions = 128
		reversible = rates + precisions
	)
	h.minBits, h.maxBits, h.maxPrec, h.minExp = 1, anyBits, anyPrec, minExponent
	switch {
	case mode < rates:
		h.minBits, h.maxBits = uint32(mode+1), uint32(mode+1)
	case mode < reversible:
		h.maxPrec = mode + 1 - rates
	case mode == reversible:
		h.minExp = minExponent - 1
	default:
		h.minExp += mode - reversible - 1
	}
}

// long decodes a mode that sets all parameters.
func (h *Header) long(mode uint64) {
	const leastExp = 16495
	h.minBits = uint32(mode&0x7fff) + 1
	h.maxBits = uint32(mode>>15&0x7fff) + 1
	h.maxPrec = int(mode>>30&0x7f) + 1
	h.minExp = int(mode>>37&0x7fff) - leastExp
}

// reversible reports whether nothing was lost.
func (h *Header) reversible() bool { return h.minExp < minExponent }

// Bytes returns the size of the array, or false if it is more than limit.
func (h *Header) Bytes(limit int) (int, bool) {
	size := uint64(h.Type.Size())
	for _, n := range h.Dims {
		if n > uint64(limit)/size {
			return 0, false
		}
		size *= n
	}
	return int(size), true
}
