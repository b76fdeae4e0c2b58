// Package sz decodes arrays of floating-point numbers that SZ 2 compressed (X.
// Liang et al., Error-Controlled Lossy Compression Optimized for High
// Compression Ratios of Scientific Datasets, 2018), before its last step, a
// compression without loss.
//
//	3 bytes    version
//	1 byte     flags
//	28 or 36   how it was made
//	8 bytes    number of values
//
// then, as the flags say, the values; the one that all have; or how each differs
// from what its neighbours let expect, in steps of twice the error that was
// allowed: of one dimension see series, of more see blocks. Numbers are
// big-endian unless said otherwise.
package sz

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"clawh5/core/internal/filter/codec"
)

var (
	errParams = errors.New("parameters that describe no array")
	errShort  = errors.New("ends too early")
	errLength = errors.New("another number of values than the parameters say")
	errSteps  = errors.New("values that do not add up")
)

// Layout is what the parameters of the filter say.
type Layout struct {
	Float32 bool
	Stored  bool  // so few values that they are stored as they are
	dims    []int // that are not 1, the slowest first
	count   uint64
	size    int
}

// Parse decodes the parameters: the number of dimensions, the type of values,
// and the dimensions, the fastest first; one alone has 64 bits.
func Parse(params []uint32) (Layout, error) {
	const few = 20
	sizes := []int{4, 8, 1, 1, 2, 2, 4, 4, 8, 8}
	l := Layout{count: 1}
	if len(params) < 4 || params[0] < 1 || params[0] > 5 || len(params) < int(params[0])+2 {
		return l, errParams
	}
	if params[1] >= uint32(len(sizes)) {
		return l, codec.Unsupported(fmt.Sprintf("type %d of values", params[1]))
	}
	dims := make([]uint64, params[0])
	for i := range dims {
		dims[i] = uint64(params[2+i])
	}
	if len(dims) == 1 {
		dims[0] = dims[0]<<32 | uint64(params[3])
	}
	for _, n := range dims {
		if n == 0 || n > math.MaxInt32 || l.count > math.MaxInt32/n {
			return l, errParams
		}
		l.count *= n
		if n > 1 {
			l.dims = append(l.dims, int(n))
		}
	}
	slices.Reverse(l.dims)
	l.size = sizes[params[1]]
	l.Stored = l.count < few
	if params[1] > 1 && !l.Stored {
		return l, codec.Unsupported("an array of integers")
	}
	l.Float32 = params[1] == 0
	return l, nil
}

// Bytes returns the size of the values, or false if it is more than limit.
func (l *Layout) Bytes(limit int) (int, bool) {
	n := l.count * uint64(l.size)
	return int(min(n, uint64(limit))), n <= uint64(limit)
}

// real is the type of values.
type real interface{ float32 | float64 }

// realSize returns the bytes of a value.
func realSize[R real]() int {
	return int(unsafe.Sizeof(R(0)))
}

// getReal decodes a value.
func getReal[R real](b []byte, order binary.ByteOrder) R {
	if realSize[R]() == 4 {
		return R(math.Float32frombits(order.Uint32(b)))
	}
	return R(math.Float64frombits(order.Uint64(b)))
}

// putReals encodes values in little-endian.
func putReals[R real](dst []byte, values []R) {
	if realSize[R]() == 4 {
		for i, v := range values {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(v)))
		}
		return
	}
	for i, v := range values {
		binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(float64(v)))
	}
}

// Decode fills dst, which has room for all values, in little-endian.
func (l *Layout) Decode(dst, src []byte) error {
	if l.Float32 {
		return decode[float32](dst, src, l.dims)
	}
	return decode[float64](dst, src, l.dims)
}

const (
	flagSame      = 1 << 0
	flagRange     = 1 << 2 // values were kept in the range of the original ones
	flagStored    = 1 << 4
	flagRelative  = 1 << 5 // errors are relative to each value
	flagLong      = 1 << 6 // sizes have 8 bytes
	flagBlocks    = 1 << 7
	leastVersion  = 2<<16 | 1<<8 | 8
	solutionPlain = 101
)

func decode[R real](dst, src []byte, dims []int) error {
	made := 20 + 2*realSize[R]()
	p := parser{src: src}
	head := p.take(4)
	how := p.take(made)
	if head == nil || how == nil {
		return errShort
	}
	version := int(head[0])<<16 | int(head[1])<<8 | int(head[2])
	flags := head[3]
	switch {
	case version < leastVersion || head[0] != 2:
		return codec.Unsupported(fmt.Sprintf("version %d.%d.%d", head[0], head[1], head[2]))
	case flags&flagLong == 0 || flags&flagRelative != 0 || how[14] != solutionPlain:
		return codec.Unsupported(fmt.Sprintf("a stream of flags %#x", flags))
	}
	n := len(dst) / realSize[R]()
	if p.size() != uint64(n) || p.short {
		return errLength
	}
	values := make([]R, n)
	var err error
	switch {
	case flags&flagStored != 0:
		err = stored(values, &p)
	case flags&flagSame != 0:
		err = same(values, &p)
	case flags&flagBlocks != 0 && len(dims) > 1:
		err = blocks(values, &p, dims)
	case flags&flagBlocks == 0 && len(dims) == 1:
		err = series(values, &p)
	default:
		err = codec.Unsupported(fmt.Sprintf("a stream of flags %#x of %d dimensions", flags, len(dims)))
	}
	if err != nil {
		return err
	}
	if flags&flagRange != 0 {
		least, most := getReal[R](how[20:], binary.BigEndian), getReal[R](how[20+realSize[R]():], binary.BigEndian)
		keep(values, least, most)
	}
	putReals(dst, values)
	return nil
}

// keep moves values that are out of a range to its end.
func keep[R real](values []R, least, most R) {
	for i, v := range values {
		if v < least {
			values[i] = least
		} else if v > most {
			values[i] = most
		}
	}
}

func stored[R real](values []R, p *parser) error {
	for i := range values {
		values[i] = takeReal[R](p)
	}
	return p.err()
}

func same[R real](values []R, p *parser) error {
	v := takeReal[R](p)
	for i := range values {
		values[i] = v
	}
	return p.err()
}
