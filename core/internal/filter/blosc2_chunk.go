package filter

import (
	"encoding/binary"
)

// A chunk of Blosc 2 begins as a frame of Blosc 1 does (see blosc), and goes on,
// where both flags of shuffles are set, with
//
//	6 bytes  filters, in the order in which they were applied
//	1 byte   codec, where the flags say that it is none of the common ones
//	1 byte   for the codec
//	6 bytes  a number for each filter
//	1 byte   bit 0: blocks of different sizes
//	1 byte   flags, of which three bits say that all elements are alike
//
// Then follow where the blocks begin, and the blocks. The size of a stream is
// signed: 0 is a stream of zeros, and less than 0 one of its low byte negated,
// if bit 0 of the byte that follows is set.
const (
	blosc2Header = 32
	blosc2Alpha  = 3             // version of a chunk with five filters only
	blosc2Latest = 6             // version of a chunk
	blosc2Most   = 1<<31 - 1     // bytes, of anything
	blosc2Wide   = 1<<29 - 1<<12 // bytes of a block

	blosc2Dictionary   = 1 << 0
	blosc2Lazy         = 1 << 3
	blosc2Instrumented = 1 << 7

	// what all elements of a chunk are
	blosc2Zeros  = 1
	blosc2NaNs   = 2
	blosc2Repeat = 3
	blosc2NotSet = 4

	// filters
	blosc2Shuffle    = 1
	blosc2BitShuffle = 2
	blosc2Delta      = 3
	blosc2Truncate   = 4 // nothing to undo
)

// blosc2Codecs names the codecs that are not undone.
var blosc2Codecs = map[byte]string{
	32: "NDLZ", 33: "ZFP of fixed accuracy", 34: "ZFP of fixed precision", 35: "ZFP of fixed rate",
	36: "OpenHTJ2K", 37: "Grok", 38: "OpenZL", 39: "J2K", 40: "HTJ2K",
}

type blosc2Filter struct{ id, meta byte }

type blosc2Chunk struct {
	streams []byte // where blocks begin is counted from here
	starts  int    // where the offsets of the blocks lie
	size    int    // bytes of elements
	block   int    // bytes of a block, the last one may have less
	elem    int
	version byte
	split   bool
	copied  bool
	special byte
	value   []byte // of blosc2Repeat
	filters []blosc2Filter
	delta   bool   // one of filters is blosc2Delta
	first   []byte // the first block, which others are differences to
	budget  int    // stored bytes that the streams may still have
	expand  func(room, src []byte) (int, error)
}

// parseBlosc2Chunk reads the header of the chunk that src begins with.
func parseBlosc2Chunk(src []byte) (*blosc2Chunk, error) {
	if len(src) < bloscHeader {
		return nil, corrupt(Blosc2, "%d bytes do not hold the header of a chunk", len(src))
	}
	le := binary.LittleEndian
	flags := src[2]
	size, block, stored := le.Uint32(src[4:]), le.Uint32(src[8:]), le.Uint32(src[12:])
	header := bloscHeader
	if flags&bloscShuffle != 0 && flags&bloscBitShuffle != 0 {
		header = blosc2Header
	}
	if uint64(stored) > uint64(len(src)) || stored < uint32(header) {
		return nil, corrupt(Blosc2, "a chunk of %d bytes in %d", stored, len(src))
	}
	if size > blosc2Most || block == 0 || block > blosc2Wide || src[3] == 0 {
		return nil, corrupt(Blosc2, "a chunk of %d bytes, blocks of %d, elements of %d", size, block, src[3])
	}
	if src[0] > blosc2Latest {
		return nil, unsupported(Blosc2, "a chunk of version %d", src[0])
	}
	c := &blosc2Chunk{
		streams: src[:stored], starts: header, size: int(size), block: int(min(block, max(size, 1))), elem: int(src[3]),
		version: src[0], split: flags&bloscUnsplit == 0, copied: flags&bloscCopied != 0, budget: int(stored) - header,
	}
	if header == blosc2Header {
		if err := c.extended(); err != nil {
			return nil, err
		}
	} else {
		c.oldFilters(flags)
	}
	if c.special == 0 && !c.copied {
		if err := c.codec(flags >> bloscCodecShift); err != nil {
			return nil, err
		}
	}
	return c, c.check()
}

// extended reads what only Blosc 2 has in its header.
func (c *blosc2Chunk) extended() error {
	h := c.streams
	flags := h[31]
	c.special = flags >> 4 & 7
	c.value = h[blosc2Header:]
	switch {
	case h[30] != 0:
		return unsupported(Blosc2, "blocks of different sizes (flags %#x)", h[30])
	case flags&blosc2Lazy != 0 && c.special == 0:
		return corrupt(Blosc2, "a chunk without its blocks")
	case c.special != 0 || c.copied:
		return nil
	case flags&blosc2Dictionary != 0:
		return unsupported(Blosc2, "a dictionary")
	case flags&blosc2Instrumented != 0:
		return unsupported(Blosc2, "an instrumented codec")
	}
	n := 6
	if c.version == blosc2Alpha {
		n = 5
	}
	for i, id := range h[16 : 16+n] {
		if err := c.filter(blosc2Filter{id: id, meta: h[24+i]}); err != nil {
			return err
		}
	}
	return nil
}

// filter adds a filter to those that were applied.
func (c *blosc2Chunk) filter(f blosc2Filter) error {
	switch f.id {
	case 0, blosc2Truncate:
		return nil
	case blosc2Shuffle, blosc2BitShuffle:
	case blosc2Delta:
		// Differences are to elements, which another filter has made something else of.
		if len(c.filters) > 0 {
			return unsupported(Blosc2, "delta after another filter")
		}
		c.delta = true
	default:
		return unsupported(Blosc2, "filter %d", f.id)
	}
	c.filters = append(c.filters, f)
	return nil
}

// oldFilters are those that the flags of Blosc 1 say.
func (c *blosc2Chunk) oldFilters(flags byte) {
	const delta = 1 << 3
	if c.delta = flags&delta != 0; c.delta {
		c.filters = append(c.filters, blosc2Filter{id: blosc2Delta})
	}
	if flags&bloscShuffle != 0 {
		c.filters = append(c.filters, blosc2Filter{id: blosc2Shuffle})
	}
	if flags&bloscBitShuffle != 0 {
		c.filters = append(c.filters, blosc2Filter{id: blosc2BitShuffle})
	}
}

func (c *blosc2Chunk) codec(number byte) error {
	const user = 6
	if number == user && c.starts == blosc2Header {
		id := c.streams[22]
		if name := blosc2Codecs[id]; name != "" {
			return unsupported(Blosc2, "codec %d (%s)", id, name)
		}
		return unsupported(Blosc2, "codec %d", id)
	}
	if c.expand = bloscCodecs[number]; c.expand == nil {
		return corrupt(Blosc2, "codec %d is not defined", number)
	}
	return nil
}

// check is for what header and special value have to fit each other in.
func (c *blosc2Chunk) check() error {
	switch c.special {
	case 0:
		if c.copied && c.size != len(c.streams)-c.starts {
			return corrupt(Blosc2, "%d bytes stored as they are, not %d", len(c.streams)-c.starts, c.size)
		}
		return nil
	case blosc2Zeros, blosc2NotSet:
		c.value = []byte{0}
	case blosc2NaNs:
		c.value = map[int][]byte{4: {0, 0, 0xc0, 0x7f}, 8: {0, 0, 0, 0, 0, 0, 0xf8, 0x7f}}[c.elem]
	case blosc2Repeat:
	default:
		return corrupt(Blosc2, "special values %d are not defined", c.special)
	}
	if len(c.value) == 0 || c.size%len(c.value) != 0 {
		return corrupt(Blosc2, "%d bytes are not values of %d", c.size, len(c.value))
	}
	return nil
}
