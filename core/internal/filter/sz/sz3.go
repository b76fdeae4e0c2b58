package sz

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"clawh5/core/internal/filter/codec"
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

	dims      []int
	stored    bool // the stream is the values
	blockwise bool // not interpolated
	kinds     kinds
}

const newMagic = 0xf342f310 // which streams of SZ 3.2 begin with

// errPlanes is the error of blocks that are expected to be planes.
var errPlanes = codec.Unsupported("prediction from planes")

// ParseSZ3 takes an array of this layout apart.
func (l *Layout) ParseSZ3(src []byte) (SZ3, error) {
	if len(src) >= 4 && binary.LittleEndian.Uint32(src) == newMagic {
		return SZ3{}, codec.Unsupported("SZ 3.2")
	}
	if len(src) < 12 {
		return SZ3{}, errShort
	}
	end := len(src) - 4
	size := uint64(binary.LittleEndian.Uint32(src[end:]))
	if size > uint64(end-8) {
		return SZ3{}, errShort
	}
	s := SZ3{Stream: src[8 : end-int(size)], Size: binary.LittleEndian.Uint64(src)}
	return s, s.configure(&parser{src: src[end-int(size) : end]}, l.count)
}

// configure decodes the configuration of an array of so many values:
//
//	1 byte   number of dimensions
//	8 bytes  each of them, and the number of values
//	1 byte   algorithm
//	1 byte   what was asked for
//	8 bytes  error that was allowed, and relative to the range of values
//	4 bytes  whether values may be expected from one or two layers before them,
//	         or from a plane or a curved one
//
// and more that says how it was made, or that the stream has too.
func (s *SZ3) configure(p *parser, count uint64) error {
	const blockwise, interpolation, most = 0, 2, 4
	rank := p.take(1)
	if rank == nil {
		return errShort
	}
	if rank[0] == 0 || rank[0] > most {
		return errConfig
	}
	left := count
	for range rank[0] {
		n := p.little64()
		if n == 0 || left%n != 0 {
			return errConfig
		}
		left /= n
		s.dims = append(s.dims, int(n))
	}
	if left != 1 || p.little64() != count {
		return errConfig
	}
	algorithm := p.take(2)
	s.stored = math.Float64frombits(p.little64()) == 0
	p.take(8)
	flags := p.take(4)
	if p.short {
		return errShort
	}
	s.blockwise = algorithm[0] == blockwise
	s.kinds = kinds{flags[0] != 0, flags[1] != 0}
	switch {
	case s.stored || algorithm[0] == interpolation:
		return nil
	case !s.blockwise:
		return codec.Unsupported(fmt.Sprintf("algorithm %d", algorithm[0]))
	case flags[3] != 0 || flags[2] != 0 && len(s.dims) != 3:
		return errPlanes
	case s.kinds == kinds{} && len(s.dims) != 3:
		return errConfig
	}
	return nil
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
	case s.blockwise && l.Float32:
		return decodeLorenzo[float32](dst, stream, s.dims, s.kinds)
	case s.blockwise:
		return decodeLorenzo[float64](dst, stream, s.dims, s.kinds)
	case l.Float32:
		return interpolate[float32](dst, stream, len(s.dims))
	}
	return interpolate[float64](dst, stream, len(s.dims))
}
