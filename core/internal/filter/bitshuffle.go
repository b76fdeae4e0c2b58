package filter

import (
	"encoding/binary"
	"errors"
	"sync"

	lz4block "github.com/pierrec/lz4/v4"
)

// bitshuffle is filter 32008: bits of equal weight of the elements of a block
// lie together, and each block may be compressed. The parameters are two numbers
// of a version, the size of an element, the elements of a block (0: as many as
// defaultBitBlock says) and the compression. What is compressed is, in big-endian,
//
//	8 bytes  size of the data
//	4 bytes  size of a block
//	then for each block
//	4 bytes  size as stored
//	         an LZ4 block or a Zstandard frame
//
// The last block has as many elements as are left, less those that make no eight
// of them, which follow as they are.
type bitshuffle struct{}

const (
	bitsPlain = 0
	bitsLZ4   = 2
	bitsZstd  = 3

	bitsHeader = 12
)

var (
	errBitsShort = errors.New("ends in the middle of a block")
	errBitsLZ4   = errors.New("not a valid LZ4 block")
	errBitsEight = errors.New("blocks of elements that are not a multiple of 8")
)

// bitBlocks says how a chunk is cut into blocks.
type bitBlocks struct {
	elem   int    // bytes of an element
	block  uint64 // bytes of a block
	expand func(room, src []byte) error
}

func (bitshuffle) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	if len(params) < 3 || params[2] == 0 || params[2] > 1<<30 {
		return nil, corrupt(Bitshuffle, "parameters %v do not hold the size of an element", params)
	}
	b := bitBlocks{elem: int(params[2])}
	compression := uint32(bitsPlain)
	if len(params) > 4 {
		compression = params[4]
	}
	total := uint64(len(src))
	switch compression {
	case bitsPlain:
		if len(params) > 3 {
			b.block = uint64(params[3]) * uint64(b.elem)
		}
	case bitsLZ4, bitsZstd:
		if len(src) < bitsHeader {
			return nil, corrupt(Bitshuffle, "%d bytes do not hold a header", len(src))
		}
		total, b.block = binary.BigEndian.Uint64(src), uint64(binary.BigEndian.Uint32(src[8:]))
		src = src[bitsHeader:]
		b.expand = expandBitsLZ4
		if compression == bitsZstd {
			b.expand = expandBitsZstd
		}
	default:
		return nil, corrupt(Bitshuffle, "compression %d is not defined", compression)
	}
	if total > uint64(limit) {
		return nil, corrupt(Bitshuffle, "decodes to %d bytes, more than %d", total, limit)
	}
	if total%uint64(b.elem) != 0 {
		return nil, corrupt(Bitshuffle, "%d bytes are not elements of %d", total, b.elem)
	}
	n := int(total)
	dst = grow(dst, n)
	if err := b.decode(dst[len(dst):len(dst)+n:len(dst)+n], src); err != nil {
		return nil, corrupt(Bitshuffle, "%v", err)
	}
	return dst[:len(dst)+n], nil
}

// decode fills room, which holds whole elements.
func (b bitBlocks) decode(room, src []byte) error {
	elements := b.block / uint64(b.elem)
	if elements == 0 {
		elements = defaultBitBlock(uint64(b.elem))
	}
	if elements%8 != 0 {
		return errBitsEight
	}
	eight := uint64(8 * b.elem)
	tmp := borrow(int(min(elements*uint64(b.elem), uint64(len(room)))))
	defer tmp.release()
	for uint64(len(room)) >= eight {
		left := uint64(len(room))
		n := int(min(elements*uint64(b.elem), left-left%eight))
		rows := room[:n:n]
		if b.expand == nil {
			rows, src = src[:n], src[n:]
		} else {
			stored, rest, ok := sized(src)
			if !ok {
				return errBitsShort
			}
			if err := b.expand(rows, stored); err != nil {
				return err
			}
			src = rest
		}
		bitUnshuffle(room[:n], rows, tmp.bytes[:n], b.elem)
		room = room[n:]
	}
	if len(src) < len(room) {
		return errBitsShort
	}
	copy(room, src)
	return nil
}

// defaultBitBlock returns the elements of a block whose size is not given. It is
// part of the format.
func defaultBitBlock(elem uint64) uint64 {
	const bytes, least = 8192, 128
	return max(bytes/elem/8*8, least)
}

// sized cuts a part from src whose big-endian size comes first.
func sized(src []byte) (part, rest []byte, ok bool) {
	if len(src) < 4 {
		return nil, nil, false
	}
	n := uint64(binary.BigEndian.Uint32(src))
	src = src[4:]
	if n > uint64(len(src)) {
		return nil, nil, false
	}
	return src[:n], src[n:], true
}

func expandBitsLZ4(room, src []byte) error {
	if n, err := lz4block.UncompressBlock(src, room); err != nil || n != len(room) {
		return errBitsLZ4
	}
	return nil
}

func expandBitsZstd(room, src []byte) error {
	if n, err := expandZstd(room, src); err != nil || n != len(room) {
		return errZstd
	}
	return nil
}

// A loan is room for one decode that is used again by a later one.
type loan struct{ bytes []byte }

var loans = sync.Pool{New: func() any { return new(loan) }}

func borrow(n int) *loan {
	l := loans.Get().(*loan)
	if cap(l.bytes) < n {
		l.bytes = make([]byte, n)
	}
	l.bytes = l.bytes[:n]
	return l
}

func (l *loan) release() { loans.Put(l) }
