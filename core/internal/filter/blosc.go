package filter

import (
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/snappy"
	lz4block "github.com/pierrec/lz4/v4"

	"clawh5/core/internal/filter/inflate"
)

// blosc is filter 32001: one frame of Blosc 1, whose numbers are little-endian:
//
//	1 byte   version of the frame, 2
//	1 byte   version of the codec's format, 1
//	1 byte   flags; the upper three bits are the codec
//	1 byte   size of an element
//	4 bytes  size of the data
//	4 bytes  size of a block, the last one may be shorter
//	4 bytes  size of the frame
//	4 bytes  for each block: where it begins in the frame
//	then for each block its streams, in any order of the blocks
//	4 bytes  size as stored; equal to the stream's size: stored as it is
//	         the stream
//
// A block is one stream or, see bloscFrame.streams, one for each byte of an
// element. The parameters only say how the frame was made.
type blosc struct{}

const (
	bloscHeader  = 16
	bloscVersion = 2
	bloscCodec   = 1 // version of each codec's format

	bloscShuffle    = 1 << 0
	bloscCopied     = 1 << 1
	bloscBitShuffle = 1 << 2
	bloscReserved   = 1 << 3
	bloscUnsplit    = 1 << 4
	bloscCodecShift = 5
)

var (
	errBloscShort  = errors.New("a block lies outside of the frame")
	errBloscSplit  = errors.New("a block cannot be cut into one stream for each byte of an element")
	errBloscLap    = errors.New("blocks overlap")
	errBloscLZ4    = errors.New("not a valid LZ4 block")
	errBloscSnappy = errors.New("not a valid Snappy block")
	errBloscStream = errors.New("a stream of a block has a wrong size")
)

// bloscCodecs are the codecs by their number.
var bloscCodecs = [8]func(room, src []byte) (int, error){
	0: expandBloscLZ,
	1: expandBloscLZ4,
	2: expandSnappy,
	3: inflate.Zlib,
	4: expandZstd,
}

type bloscFrame struct {
	frame  []byte // whole, with its header
	flags  byte
	elem   int
	block  int
	budget int // stored bytes that the streams may still have: they do not overlap
	expand func(room, src []byte) (int, error)
}

func (blosc) Decode(dst, src []byte, _ []uint32, _, limit int) ([]byte, error) {
	if len(src) < bloscHeader {
		return nil, corrupt(Blosc, "%d bytes do not hold a header", len(src))
	}
	if src[0] != bloscVersion {
		return nil, corrupt(Blosc, "a frame of version %d, not %d", src[0], bloscVersion)
	}
	total, block := binary.LittleEndian.Uint32(src[4:]), binary.LittleEndian.Uint32(src[8:])
	stored := binary.LittleEndian.Uint32(src[12:])
	if uint64(total) > uint64(limit) {
		return nil, corrupt(Blosc, "decodes to %d bytes, more than %d", total, limit)
	}
	if stored < bloscHeader || uint64(stored) > uint64(len(src)) {
		return nil, corrupt(Blosc, "a frame of %d bytes in %d", stored, len(src))
	}
	f := bloscFrame{frame: src[:stored], flags: src[2], elem: int(src[3]), budget: int(stored) - bloscHeader}
	if f.elem == 0 || f.flags&bloscReserved != 0 {
		return nil, corrupt(Blosc, "flags %#x, elements of %d bytes", f.flags, f.elem)
	}
	n := int(total)
	dst = grow(dst, n)
	room := dst[len(dst) : len(dst)+n : len(dst)+n]
	dst = dst[:len(dst)+n]
	if f.flags&bloscCopied != 0 {
		if len(f.frame)-bloscHeader != n {
			return nil, corrupt(Blosc, "%d bytes stored as they are, not %d", len(f.frame)-bloscHeader, n)
		}
		copy(room, f.frame[bloscHeader:])
		return dst, nil
	}
	if f.expand = bloscCodecs[f.flags>>bloscCodecShift]; f.expand == nil || src[1] != bloscCodec {
		return nil, corrupt(Blosc, "codec %d of version %d is not defined", f.flags>>bloscCodecShift, src[1])
	}
	if n > 0 && block == 0 || block > total {
		return nil, corrupt(Blosc, "blocks of %d bytes of %d", block, total)
	}
	f.block = int(block)
	if err := f.decode(room); err != nil {
		return nil, corrupt(Blosc, "%v", err)
	}
	return dst, nil
}

func (f *bloscFrame) decode(room []byte) error {
	tmp, planes := borrow(f.block), borrow(f.block)
	defer tmp.release()
	defer planes.release()
	for at := bloscHeader; len(room) > 0; at += 4 {
		if len(f.frame)-at < 4 {
			return errBloscShort
		}
		f.budget -= 4
		start := uint64(binary.LittleEndian.Uint32(f.frame[at:]))
		if start > uint64(len(f.frame)) {
			return errBloscShort
		}
		n := min(f.block, len(room))
		if err := f.decodeBlock(room[:n:n], f.frame[start:], tmp.bytes[:n:n], planes.bytes[:n]); err != nil {
			return err
		}
		room = room[n:]
	}
	return nil
}

// decodeBlock fills room with the block that begins with src. tmp and planes are
// as long as room.
func (f *bloscFrame) decodeBlock(room, src, tmp, planes []byte) error {
	n := len(room)
	shuffled := f.flags&bloscShuffle != 0 && f.elem > 1
	// Blosc leaves bits where they are if they make no whole bytes.
	bits := !shuffled && f.flags&bloscBitShuffle != 0 && n >= f.elem && n/f.elem%8 == 0
	switch {
	case shuffled && n >= f.elem:
		if err := f.streams(tmp, src); err != nil {
			return err
		}
		unshuffle(room, tmp, f.elem)
		return nil
	case bits:
		if err := f.streams(tmp, src); err != nil {
			return err
		}
		whole := n / f.elem * f.elem
		bitUnshuffle(room[:whole], tmp[:whole], planes[:whole], f.elem)
		copy(room[whole:], tmp[whole:])
		return nil
	}
	return f.streams(room, src)
}

// streams fills room with the streams of a block. The flag that says that a
// block is not cut came later than frames that did without it, so that the
// conditions hold with and without it.
func (f *bloscFrame) streams(room, src []byte) error {
	const most, least = 16, 128 // streams of a block, bytes of a stream
	parts := 1
	if f.flags&bloscUnsplit == 0 && f.elem <= most && len(room)/f.elem >= least && len(room) == f.block {
		parts = f.elem
	}
	size := len(room) / parts
	if size*parts != len(room) {
		return errBloscSplit
	}
	for i := range parts {
		if len(src) < 4 {
			return errBloscShort
		}
		stored := uint64(binary.LittleEndian.Uint32(src))
		src = src[4:]
		if stored > uint64(len(src)) {
			return errBloscShort
		}
		if f.budget -= int(stored) + 4; f.budget < 0 {
			return errBloscLap
		}
		if err := expandStream(f.expand, room[i*size:(i+1)*size:(i+1)*size], src[:stored]); err != nil {
			return err
		}
		src = src[stored:]
	}
	return nil
}

// expandStream fills room with a stream, which is stored as it is if it has as
// many bytes.
func expandStream(expand func(room, src []byte) (int, error), room, src []byte) error {
	if len(src) == len(room) {
		copy(room, src)
		return nil
	}
	n, err := expand(room, src)
	if err == nil && n != len(room) || errors.Is(err, errRoom) {
		return errBloscStream
	}
	return err
}

func expandBloscLZ4(room, src []byte) (int, error) {
	n, err := lz4block.UncompressBlock(src, room)
	if err != nil {
		return 0, errBloscLZ4
	}
	return n, nil
}

func expandSnappy(room, src []byte) (int, error) {
	if n, err := snappy.DecodedLen(src); err != nil || n != len(room) {
		return 0, errBloscSnappy
	}
	out, err := snappy.Decode(room, src)
	if err != nil {
		return 0, errBloscSnappy
	}
	return len(out), nil
}
