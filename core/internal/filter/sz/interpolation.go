package sz

import (
	"math"
	"math/bits"
	"slices"
)

// spline decodes values level by level: at each, every second value along each
// dimension, which is expected to lie on a curve through those around it.
//
//	         for each dimension
//	8 bytes  how many values there are
//	4 bytes  values of a block along each
//	4 bytes  0: lines, 1: curves
//	4 bytes  in which order dimensions are gone through
//	         see steps
type spline[R real] struct {
	steps[R]
	dims    []int
	strides []int
	order   []int // dimensions as they are gone through
	block   int
	curves  bool
}

func interpolate[R real](dst, stream []byte, rank int) error {
	n := len(dst) / realSize[R]()
	var s spline[R]
	s.values = make([]R, n)
	p := parser{src: stream}
	if err := s.readShape(&p, rank); err != nil {
		return err
	}
	if err := s.steps.read(&p); err != nil {
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
	s.strides = stridesOf(s.dims)
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
