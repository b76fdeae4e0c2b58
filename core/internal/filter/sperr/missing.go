package sperr

import (
	"encoding/binary"
	"errors"
	"fmt"

	"clawh5/core/internal/filter/codec"
)

var errMask = errors.New("a mask of missing values of a wrong size")

// gaps are the values that were missing, and what they are.
type gaps struct {
	fill []byte
	mask []uint32 // a bit for each value; none: nothing is missing
}

// missing takes the marks of missing values: how they are marked and, where they
// are,
//
//	4 or 8 bytes  the value that stood for them, unless it was not a number
//	4 bytes       bits of what follows and of this
//	              the mask, in words of 32 bits
//
// The mask begins with a bit that says which word is the usual one: all zeros
// or all ones. Then a word is 0 if it is the usual one, 1 and 0 if it is its
// opposite, and otherwise 1, 1 and its bits.
func (l *Layout) missing(src []byte, n int) (gaps, []byte, error) {
	const none, notANumber, value = 0, 1, 2
	if l.plain {
		return gaps{}, src, nil
	}
	if len(src) == 0 {
		return gaps{}, nil, errShort
	}
	mode := src[0]
	src = src[1:]
	var g gaps
	switch mode {
	case none:
		return gaps{}, src, nil
	case notANumber:
		g.fill = []byte{1, 0, 0, 0, 0, 0, 0xf8, 0x7f}
		if l.Float32 {
			g.fill = []byte{1, 0, 0xc0, 0x7f}
		}
	case value:
		if len(src) < l.valueBytes() {
			return gaps{}, nil, errShort
		}
		g.fill = src[:l.valueBytes()]
		src = src[l.valueBytes():]
	default:
		return gaps{}, nil, codec.Unsupported(fmt.Sprintf("missing values of mode %d", mode))
	}
	rest, err := g.readMask(src, n)
	return g, rest, err
}

func (g *gaps) readMask(src []byte, n int) ([]byte, error) {
	const word = 32
	if len(src) < 4 {
		return nil, errShort
	}
	total := uint64(binary.LittleEndian.Uint32(src))
	size := (total + 7) / 8
	if total <= word || size > uint64(len(src)) {
		return nil, errMask
	}
	r := bitReader{src: src[:size], pos: word, end: total}
	usual := -r.bit()
	words := (n + word - 1) / word
	g.mask = make([]uint32, 0, words)
	for r.pos < r.end && len(g.mask) < words+1 {
		w := usual
		if r.bit() != 0 {
			w = ^usual
			if r.bit() != 0 {
				w = 0
				for i := range word {
					w |= r.bit() << i
				}
			}
		}
		g.mask = append(g.mask, w)
	}
	// The mask is made of whole words of 64 bits.
	if r.pos != r.end || len(g.mask) < words || len(g.mask) > words+1 {
		return nil, errMask
	}
	return src[size:], nil
}

// put stores the missing ones of n values.
func (g *gaps) put(dst []byte, n int) {
	if g.mask == nil {
		return
	}
	for i := range n {
		if g.mask[i/32]>>(i%32)&1 != 0 {
			copy(dst[i*len(g.fill):], g.fill)
		}
	}
}
