package filter

import (
	"encoding/binary"
	"errors"

	lz4block "github.com/pierrec/lz4/v4"
)

// lz4 is filter 32004. All numbers are big-endian:
//
//	8 bytes  size of the data
//	4 bytes  size of a block, the last one may be shorter
//	then for each block
//	4 bytes  size as stored; equal to the block's size: stored as it is
//	         an LZ4 block, without a frame
type lz4 struct{}

const lz4Header = 12

var (
	errLZ4Short = errors.New("ends in the middle of a block")
	errLZ4Block = errors.New("not a valid LZ4 block")
	errLZ4Size  = errors.New("blocks of no bytes")
)

func (lz4) Decode(dst, src []byte, _ []uint32, _, limit int) ([]byte, error) {
	if len(src) < lz4Header {
		return nil, corrupt(LZ4, "%d bytes do not hold a header", len(src))
	}
	total := binary.BigEndian.Uint64(src)
	if total > uint64(limit) {
		return nil, corrupt(LZ4, "decodes to %d bytes, more than %d", total, limit)
	}
	// The header says the size, which src cannot make larger than it lets.
	if total > 256*uint64(len(src)) {
		return nil, corrupt(LZ4, "%d bytes cannot hold %d", len(src), total)
	}
	return decodeInto(LZ4, dst, src, int(total), limit, expandLZ4)
}

// expandLZ4 fills room, whose length is the size that the header says.
func expandLZ4(room, src []byte) (int, error) {
	block := uint64(binary.BigEndian.Uint32(src[8:]))
	src = src[lz4Header:]
	if block == 0 && len(room) > 0 {
		return 0, errLZ4Size
	}
	n := 0
	for n < len(room) {
		want := int(min(block, uint64(len(room)-n)))
		if len(src) < 4 {
			return 0, errLZ4Short
		}
		stored := binary.BigEndian.Uint32(src)
		src = src[4:]
		if uint64(stored) > uint64(len(src)) {
			return 0, errLZ4Short
		}
		if err := expandLZ4Block(room[n:n+want:n+want], src[:stored]); err != nil {
			return 0, err
		}
		src = src[stored:]
		n += want
	}
	return n, nil
}

func expandLZ4Block(room, src []byte) error {
	if len(src) == len(room) {
		copy(room, src)
		return nil
	}
	if n, err := lz4block.UncompressBlock(src, room); err != nil || n != len(room) {
		return errLZ4Block
	}
	return nil
}
