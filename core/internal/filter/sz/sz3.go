package sz

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var errConfig = errors.New("a configuration that does not fit the parameters")

// SZ3 is what comes with the values of an array that SZ 3.0 or 3.1 compressed
// (K. Zhao et al., Optimizing Error-Bounded Lossy Compression for Scientific Data
// by Dynamic Spline Interpolation, 2021). All numbers are little-endian:
//
//	8 bytes  size of the stream
//	         the stream, compressed by Zstandard
//	         the configuration
//	4 bytes  its size
type SZ3 struct {
	Stream []byte // compressed
	Size   uint64 // of the stream, not compressed
	rank   int
	stored bool // the stream is the values
}

const newMagic = 0xf342f310 // which streams of SZ 3.2 begin with

// ParseSZ3 takes an array of this layout apart. The configuration is
//
//	1 byte   number of dimensions
//	8 bytes  each of them, and the number of values
//	1 byte   algorithm
//	1 byte   what was asked for
//	8 bytes  error that was allowed
//
// and more that the stream has too or that says how it was made.
func (l *Layout) ParseSZ3(src []byte) (SZ3, error) {
	const blockwise, interpolation = 0, 2
	if len(src) >= 4 && binary.LittleEndian.Uint32(src) == newMagic {
		return SZ3{}, Unsupported("SZ 3.2")
	}
	if len(src) < 12 {
		return SZ3{}, errShort
	}
	end := len(src) - 4
	size := uint64(binary.LittleEndian.Uint32(src[end:]))
	if size > uint64(end-8) {
		return SZ3{}, errShort
	}
	config := parser{src: src[end-int(size) : end]}
	s := SZ3{Stream: src[8 : end-int(size)], Size: binary.LittleEndian.Uint64(src)}
	rank := config.take(1)
	if rank == nil {
		return SZ3{}, errShort
	}
	config.takes(uint64(rank[0]), 8)
	count, algorithm, bound := config.take(8), config.take(2), config.take(8)
	if config.short {
		return SZ3{}, errShort
	}
	s.rank = int(rank[0])
	if binary.LittleEndian.Uint64(count) != l.count || s.rank == 0 || s.rank > 4 {
		return SZ3{}, errConfig
	}
	s.stored = getReal[float64](bound, binary.LittleEndian) == 0
	switch {
	case s.stored || algorithm[0] == interpolation:
		return s, nil
	case algorithm[0] == blockwise:
		return SZ3{}, Unsupported("prediction in blocks")
	}
	return SZ3{}, fmt.Errorf("algorithm %d", algorithm[0])
}

// DecodeSZ3 fills dst, which has room for all values, in little-endian, from a
// stream that is not compressed any more.
func (l *Layout) DecodeSZ3(dst, stream []byte, s SZ3) error {
	switch {
	case s.stored && len(stream) != len(dst):
		return errLength
	case s.stored:
		copy(dst, stream)
		return nil
	case l.Float32:
		return interpolate[float32](dst, stream, s.rank)
	}
	return interpolate[float64](dst, stream, s.rank)
}
