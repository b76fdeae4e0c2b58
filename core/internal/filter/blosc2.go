package filter

import "encoding/binary"

// blosc2 is filter 32026: a contiguous frame of Blosc 2. The numbers of the
// frame are big-endian, those of the chunks in it little-endian, each with a
// byte before it that says its type:
//
//	0x00  magic "b2frame"
//	0x0b  4 bytes  size of the header
//	0x10  8 bytes  size of the frame
//	0x19  1 byte   version of the frame, and flags
//	0x1a  1 byte   type of the frame, 0: contiguous
//	0x1e  8 bytes  size of the data
//	0x27  8 bytes  size of the chunks as stored
//	0x30  4 bytes  size of an element
//	0x35  4 bytes  size of a block
//	0x3a  4 bytes  size of a chunk
//	0x57  metalayers: an index of names and offsets, and their contents
//
// The chunks follow the header, then a chunk of their offsets from there as
// 8-byte numbers, then a trailer that nothing is needed of. A metalayer b2nd, or
// caterva as it was called first, says that the chunk is an array that is cut
// into blocks along all its dimensions.
//
// The parameters are version, size of a block, of an element and of the chunk,
// level, shuffle and codec; then, of an array, its rank and dimensions.
type blosc2 struct{}

const (
	frameMagic  = "b2frame\x00"
	frameHeader = 0x57 // without metalayers
	frameLatest = 3    // version of the frame
	frameChunks = 1 << 6
	frameBlocks = 1 << 7

	blosc2Rank = 7 // parameter
)

type blosc2Frame struct {
	bytes  []byte // whole, with its header
	header int
	data   int64 // size of the data
	stored int64 // size of the chunks
	elem   int
	block  int
	chunk  int
}

func (blosc2) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	f, err := parseBlosc2Frame(src)
	if err != nil {
		return nil, err
	}
	if f.data == 0 {
		return dst, nil
	}
	c, err := f.onlyChunk()
	if err != nil {
		return nil, err
	}
	meta, err := f.metalayer("b2nd", "caterva")
	if err != nil {
		return nil, err
	}
	if meta != nil {
		return c.appendArray(dst, meta, f.elem, params, limit)
	}
	if c.size > limit {
		return nil, corrupt(Blosc2, "decodes to %d bytes, more than %d", c.size, limit)
	}
	dst = grow(dst, c.size)
	if err := c.decode(dst[len(dst) : len(dst)+c.size : len(dst)+c.size]); err != nil {
		return nil, corrupt(Blosc2, "%v", err)
	}
	return dst[:len(dst)+c.size], nil
}

func parseBlosc2Frame(src []byte) (f blosc2Frame, err error) {
	if len(src) < frameHeader {
		return f, corrupt(Blosc2, "%d bytes do not hold a header", len(src))
	}
	if string(src[2:10]) != frameMagic {
		return f, corrupt(Blosc2, "the bytes %q are not the magic of a frame", src[2:10])
	}
	be := binary.BigEndian
	header, total := uint64(be.Uint32(src[0x0b:])), be.Uint64(src[0x10:])
	flags, kind := src[0x19], src[0x1a]
	switch {
	case flags&0xf > frameLatest:
		return f, unsupported(Blosc2, "a frame of version %d", flags&0xf)
	case kind != 0:
		return f, unsupported(Blosc2, "a frame of type %d", kind)
	case flags&(frameChunks|frameBlocks) != 0:
		return f, unsupported(Blosc2, "chunks or blocks of different sizes (flags %#x)", flags)
	case header < frameHeader || header > total || total > uint64(len(src)):
		return f, corrupt(Blosc2, "a frame of %d bytes and its header of %d in %d", total, header, len(src))
	}
	data, stored := be.Uint64(src[0x1e:]), be.Uint64(src[0x27:])
	elem, block, chunk := be.Uint32(src[0x30:]), be.Uint32(src[0x35:]), be.Uint32(src[0x3a:])
	if stored > total-header || elem == 0 || max(elem, block, chunk) > blosc2Most {
		return f, corrupt(Blosc2, "%d bytes of chunks in a frame of %d, elements of %d, blocks of %d, chunks of %d",
			stored, total, elem, block, chunk)
	}
	if data > uint64(chunk) {
		return f, unsupported(Blosc2, "a frame of more than one chunk")
	}
	return blosc2Frame{
		bytes: src[:total], header: int(header), data: int64(data), stored: int64(stored),
		elem: int(elem), block: int(block), chunk: int(chunk),
	}, nil
}

// onlyChunk returns the chunk of the frame, which has one.
func (f *blosc2Frame) onlyChunk() (*blosc2Chunk, error) {
	chunks := f.bytes[f.header : f.header+int(f.stored)]
	offsets, err := parseBlosc2Chunk(f.bytes[f.header+int(f.stored):])
	if err != nil {
		return nil, err
	}
	var at [8]byte
	if offsets.size != len(at) {
		return nil, corrupt(Blosc2, "%d bytes are not the offset of a chunk", offsets.size)
	}
	if err := offsets.decode(at[:]); err != nil {
		return nil, corrupt(Blosc2, "offsets: %v", err)
	}
	offset := int64(binary.LittleEndian.Uint64(at[:]))
	if offset < 0 {
		return f.specialChunk(byte(uint64(offset) >> 56))
	}
	if offset > f.stored {
		return nil, corrupt(Blosc2, "a chunk at %d of %d bytes", offset, f.stored)
	}
	c, err := parseBlosc2Chunk(chunks[offset:])
	if err == nil && int64(c.size) != f.data {
		err = corrupt(Blosc2, "a chunk of %d bytes in a frame of %d", c.size, f.data)
	}
	return c, err
}

// specialChunk returns a chunk that is nothing but what its offset says.
func (f *blosc2Frame) specialChunk(kind byte) (*blosc2Chunk, error) {
	c := &blosc2Chunk{size: int(f.data), elem: f.elem, block: int(f.data)}
	if f.block > 0 { // it may not have been chosen yet
		c.block = min(f.block, c.block)
	}
	switch {
	case kind&blosc2Zeros != 0:
		c.special = blosc2Zeros
	case kind&blosc2NotSet != 0:
		c.special = blosc2NotSet
	case kind&blosc2NaNs != 0:
		c.special = blosc2NaNs
	default:
		return nil, corrupt(Blosc2, "a chunk of special values %#x", kind)
	}
	return c, c.check()
}

// metalayer returns the contents of the first metalayer of one of the names, nil
// if there is none.
func (f *blosc2Frame) metalayer(names ...string) ([]byte, error) {
	const index = 7 // array of 3, size of the index, map, number of its entries
	header := f.bytes[:f.header]
	if len(header) < frameHeader+index {
		return nil, nil
	}
	be := binary.BigEndian
	rest := header[frameHeader+index:]
	for range be.Uint16(header[frameHeader+index-2:]) {
		if len(rest) == 0 || len(rest) < 1+int(rest[0]&0x1f)+5 {
			return nil, corrupt(Blosc2, "the index of metalayers ends in the middle of an entry")
		}
		name := string(rest[1 : 1+int(rest[0]&0x1f)])
		rest = rest[1+len(name):]
		at := uint64(be.Uint32(rest[1:]))
		rest = rest[5:]
		if name != names[0] && name != names[1] {
			continue
		}
		if at+5 > uint64(len(header)) || at+5+uint64(be.Uint32(header[at+1:])) > uint64(len(header)) {
			return nil, corrupt(Blosc2, "metalayer %s lies outside of the header", name)
		}
		return header[at+5:][:be.Uint32(header[at+1:])], nil
	}
	return nil, nil
}
