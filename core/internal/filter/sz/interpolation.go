package sz

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
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

// spline decodes values level by level: at each, every second value along each
// dimension, which is expected to lie on a curve through those around it.
//
//	         for each dimension
//	8 bytes  how many values there are
//	4 bytes  values of a block along each
//	4 bytes  0: lines, 1: curves
//	4 bytes  in which order dimensions are gone through
//	1 byte   kind of steps
//	8 bytes  error that was allowed
//	4 bytes  half of the steps
//	8 bytes  number of values stored as such
//	         those
//	4 bytes  what the code's numbers begin with
//	4 bytes  nodes of the code, big-endian
//	4 bytes  how many numbers there may be, big-endian
//	         the tree
//	8 bytes  size of what follows
//	         for each value its number of steps
type spline[R real] struct {
	values  []R
	dims    []int
	strides []int
	order   []int // dimensions as they are gone through
	block   int
	curves  bool

	allowed float64 // error
	bound   float64 // error at this level
	radius  int32
	exact   reals[R]
	first   int32
	types   []uint32
}

func interpolate[R real](dst, stream []byte, rank int) error {
	n := len(dst) / realSize[R]()
	s := spline[R]{values: make([]R, n)}
	p := parser{src: stream}
	if err := s.readShape(&p, rank); err != nil {
		return err
	}
	if err := s.readSteps(&p); err != nil {
		return err
	}
	if err := s.levels(); err != nil {
		return err
	}
	putReals(dst, s.values)
	return nil
}

// readShape decodes the dimensions, and how they are gone through.
func (s *spline[R]) readShape(p *parser, rank int) error {
	left := uint64(len(s.values))
	for range rank {
		d := p.little64()
		if d == 0 || left%d != 0 {
			return errConfig
		}
		left /= d
		s.dims = append(s.dims, int(d))
	}
	if left != 1 {
		return errConfig
	}
	block, kind, order := p.little32(), p.little32(), p.little32()
	if p.short {
		return errShort
	}
	if block < 2 || block > math.MaxInt32 || kind > 1 {
		return errConfig
	}
	s.block, s.curves = int(block), kind == 1
	s.strides = make([]int, rank)
	stride := 1
	for i := rank - 1; i >= 0; i-- {
		s.strides[i] = stride
		stride *= s.dims[i]
	}
	var ok bool
	if s.order, ok = permutation(rank, order); !ok {
		return errConfig
	}
	return nil
}

// permutation returns one of the permutations of n numbers, in the order of a
// dictionary.
func permutation(n int, which uint32) ([]int, bool) {
	var left, chosen []int
	count := uint32(1)
	for i := range n {
		left = append(left, i)
		count *= uint32(i + 1)
	}
	if which >= count {
		return nil, false
	}
	for ; len(left) > 0; which %= count {
		count /= uint32(len(left))
		i := which / count
		chosen = append(chosen, left[i])
		left = slices.Delete(left, int(i), int(i)+1)
	}
	return chosen, true
}

// readSteps decodes what is left of the stream.
func (s *spline[R]) readSteps(p *parser) error {
	p.take(1)
	s.allowed = math.Float64frombits(p.little64())
	s.radius = int32(p.little32())
	s.exact.src = p.takes(p.little64(), realSize[R]())
	s.first = int32(p.little32())
	nodes := p.uint32()
	p.take(4)
	if p.short {
		return errShort
	}
	code, err := readTree(p, nodes)
	if err != nil {
		return err
	}
	steps := p.takes(p.little64(), 1)
	if p.short {
		return errShort
	}
	s.types = make([]uint32, len(s.values))
	return code.decode(s.types, steps)
}

// levels decodes the first value and then all levels, from the coarsest on.
func (s *spline[R]) levels() error {
	s.bound = s.allowed
	if err := s.recover(0, 0); err != nil {
		return err
	}
	level := 0
	for _, n := range s.dims {
		level = max(level, bits.Len(uint(n-1)))
	}
	for ; level > 0; level-- {
		s.bound = s.allowed
		if level >= 3 {
			s.bound = s.allowed * 0.5
		}
		if err := s.blocks(1 << (level - 1)); err != nil {
			return err
		}
	}
	if len(s.types) != 0 {
		return errSteps
	}
	return nil
}

// blocks decodes the values of a level, which are so many apart, block by block.
func (s *spline[R]) blocks(stride int) error {
	longest := slices.Max(s.dims)
	reach := longest // values from a block to the next
	if s.block < longest/stride {
		reach = s.block * stride
	}
	var from, to [4]int
	for {
		for i, n := range s.dims {
			to[i] = min(from[i]+reach, n-1)
		}
		for turn := range s.order {
			if err := s.lines(turn, from, to, stride); err != nil {
				return err
			}
		}
		axis := len(s.dims) - 1
		for ; axis >= 0; axis-- {
			if from[axis] += reach; from[axis] < s.dims[axis] {
				break
			}
			from[axis] = 0
		}
		if axis < 0 {
			return nil
		}
	}
}

// lines decodes lines along one dimension in a block. Along the dimensions that
// were gone through before there is a line for each value of this level, along
// the others for each of the level before; and a block leaves its first ones to
// the block before it.
func (s *spline[R]) lines(turn int, from, to [4]int, stride int) error {
	along := s.order[turn]
	var at, start, step [4]int
	for i, axis := range s.order {
		step[axis] = stride
		if i > turn {
			step[axis] = 2 * stride
		}
		if axis != along && from[axis] > 0 {
			start[axis] = from[axis] + step[axis]
		}
		if axis == along {
			start[axis] = from[axis]
		}
		if start[axis] > to[axis] {
			return nil
		}
	}
	at = start
	count := (to[along]-from[along])/stride + 1
	for {
		begin := 0
		for axis := range s.dims {
			begin += at[axis] * s.strides[axis]
		}
		if err := s.line(begin, count, stride*s.strides[along]); err != nil {
			return err
		}
		i := len(s.order) - 1
		for ; i >= 0; i-- {
			axis := s.order[i]
			if axis == along {
				continue
			}
			if at[axis] += step[axis]; at[axis] <= to[axis] {
				break
			}
			at[axis] = start[axis]
		}
		if i < 0 {
			return nil
		}
	}
}

// line decodes every second of n values.
func (s *spline[R]) line(begin, n, stride int) error {
	if n <= 1 {
		return nil
	}
	v := func(i int) R { return s.values[begin+i*stride] }
	put := func(i int, expected R) error { return s.recover(begin+i*stride, expected) }
	if !s.curves || n < 5 {
		for i := 1; i+1 < n; i += 2 {
			if err := put(i, (v(i-1)+v(i+1))/2); err != nil {
				return err
			}
		}
		switch i := n - 1; {
		case n%2 != 0:
			return nil
		case n < 4:
			return put(i, v(i-1))
		default:
			return put(i, R(float64(-0.5*float64(v(i-3)))+float64(1.5*float64(v(i-1)))))
		}
	}
	i := 3
	for ; i+3 < n; i += 2 {
		if err := put(i, cubic(v(i-3), v(i-1), v(i+1), v(i+3))); err != nil {
			return err
		}
	}
	if err := put(1, first(v(0), v(2), v(4))); err != nil {
		return err
	}
	if err := put(i, last(v(i-3), v(i-1), v(i+1))); err != nil {
		return err
	}
	if n%2 != 0 {
		return nil
	}
	i = n - 1
	return put(i, beyond(v(i-5), v(i-3), v(i-1)))
}

func cubic[R real](a, b, c, d R) R { return (-a + R(9*b) + R(9*c) - d) / 16 }
func first[R real](a, b, c R) R    { return (R(3*a) + R(6*b) - c) / 8 }
func last[R real](a, b, c R) R     { return (-a + R(6*b) + R(3*c)) / 8 }
func beyond[R real](a, b, c R) R   { return (R(3*a) - R(10*b) + R(15*c)) / 8 }

// recover decodes the following value, which is expected to be near another.
func (s *spline[R]) recover(at int, expected R) error {
	if len(s.types) == 0 {
		return errSteps
	}
	typ := int32(s.types[0]) + s.first
	s.types = s.types[1:]
	if typ == 0 {
		v, err := s.exact.next()
		s.values[at] = v
		return err
	}
	s.values[at] = R(float64(expected) + float64(float64(2*(typ-s.radius))*s.bound))
	return nil
}

func (p *parser) little32() uint32 {
	if b := p.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (p *parser) little64() uint64 {
	if b := p.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
