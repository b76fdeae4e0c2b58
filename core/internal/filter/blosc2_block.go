package filter

import (
	"crypto/subtle"
	"encoding/binary"
	"errors"
)

var (
	errBlosc2Repeat = errors.New("elements of a size that a repeated value does not fill")
	errBlosc2Run    = errors.New("a stream of an undefined kind")
)

// decode fills room, which has the size of the chunk.
func (c *blosc2Chunk) decode(room []byte) error {
	w := c.borrow()
	defer w.release()
	for i := 0; len(room) > 0; i++ {
		n := min(c.block, len(room))
		if err := c.decodeBlock(i, room[:n:n], w); err != nil {
			return err
		}
		if i == 0 {
			c.first = room[:n]
		}
		room = room[n:]
	}
	return nil
}

// blosc2Work is what lies between the filters of a block.
type blosc2Work struct{ tmp, planes *loan }

func (c *blosc2Chunk) borrow() blosc2Work {
	if c.special != 0 || c.copied || len(c.filters) == 0 {
		return blosc2Work{borrow(0), borrow(0)}
	}
	return blosc2Work{borrow(c.block), borrow(c.block)}
}

func (w blosc2Work) release() {
	w.tmp.release()
	w.planes.release()
}

// decodeBlock fills room with block i. Where the chunk has differences, first
// has to be set after block 0.
func (c *blosc2Chunk) decodeBlock(i int, room []byte, w blosc2Work) error {
	switch {
	case c.special != 0:
		return fillWith(room, c.value)
	case c.copied:
		copy(room, c.streams[c.starts+i*c.block:])
		return nil
	}
	at := c.starts + 4*i
	if len(c.streams)-at < 4 {
		return errBloscShort
	}
	c.budget -= 4
	start := uint64(binary.LittleEndian.Uint32(c.streams[at:]))
	if start > uint64(len(c.streams)) {
		return errBloscShort
	}
	return c.unfilter(i, room, c.streams[start:], w)
}

// unfilter undoes codec and filters of block i, which begins with src. Each
// filter but delta needs another place for what it gives.
func (c *blosc2Chunk) unfilter(i int, room, src []byte, w blosc2Work) error {
	passes := len(c.filters)
	if c.delta {
		passes--
	}
	from, to := room, w.tmp.bytes[:min(len(room), len(w.tmp.bytes))]
	if passes%2 == 1 {
		from, to = to, from
	}
	if err := c.undoStreams(from, src); err != nil {
		return err
	}
	for k := len(c.filters) - 1; k >= 0; k-- {
		f := c.filters[k]
		switch f.id {
		case blosc2Delta:
			c.undoDelta(i, from)
			continue
		case blosc2Shuffle:
			c.undoShuffle(to, from, f.meta)
		case blosc2BitShuffle:
			c.undoBitShuffle(to, from, w.planes.bytes)
		}
		from, to = to, from
	}
	return nil
}

func (c *blosc2Chunk) undoShuffle(dst, src []byte, group byte) {
	elem := c.elem
	if group != 0 {
		elem = int(group)
	}
	if elem == 1 || elem > len(src) {
		copy(dst, src)
		return
	}
	unshuffle(dst, src, elem)
}

func (c *blosc2Chunk) undoBitShuffle(dst, src, planes []byte) {
	n := len(src) / c.elem
	if c.version == bloscVersion && n%8 != 0 {
		n = 0
	}
	n = n / 8 * 8 * c.elem
	if n > 0 {
		bitUnshuffle(dst[:n], src[:n], planes[:n], c.elem)
	}
	copy(dst[n:], src[n:])
}

// undoDelta makes elements of the differences, which are bits that are not
// equal: of the first block to the element before, of others to the first block.
func (c *blosc2Chunk) undoDelta(i int, b []byte) {
	unit := 1
	switch {
	case c.elem == 2 || c.elem == 4:
		unit = c.elem
	case c.elem%8 == 0:
		unit = 8
	}
	b = b[:len(b)/unit*unit]
	if i > 0 {
		subtle.XORBytes(b, b, c.first)
		return
	}
	for k := unit; k < len(b); k++ {
		b[k] ^= b[k-unit]
	}
}

// undoStreams fills room with the streams of a block.
func (c *blosc2Chunk) undoStreams(room, src []byte) error {
	parts := 1
	if c.split && len(room) == c.block {
		parts = c.elem
	}
	size := len(room) / parts
	if size*parts != len(room) {
		return errBloscSplit
	}
	for i := range parts {
		used, err := c.undoStream(room[i*size:(i+1)*size:(i+1)*size], src)
		if err != nil {
			return err
		}
		if c.budget -= used; c.budget < 0 {
			return errBloscLap
		}
		src = src[used:]
	}
	return nil
}

// undoStream fills room with the stream that src begins with, and returns its
// size.
func (c *blosc2Chunk) undoStream(room, src []byte) (int, error) {
	const sign, least = 4, -255
	if len(src) < sign {
		return 0, errBloscShort
	}
	size := int32(binary.LittleEndian.Uint32(src))
	src = src[sign:]
	switch {
	case size == 0:
		clear(room)
		return sign, nil
	case size < 0:
		if len(src) == 0 {
			return 0, errBloscShort
		}
		if size < least || src[0]&1 == 0 {
			return 0, errBlosc2Run
		}
		return sign + 1, fillWith(room, []byte{byte(-size)})
	case int(size) > len(src):
		return 0, errBloscShort
	}
	return sign + int(size), expandStream(c.expand, room, src[:size])
}

// fillWith fills room with values.
func fillWith(room, value []byte) error {
	if len(room)%len(value) != 0 {
		return errBlosc2Repeat
	}
	for n := copy(room, value); n < len(room); {
		n += copy(room[n:], room[:n])
	}
	return nil
}
