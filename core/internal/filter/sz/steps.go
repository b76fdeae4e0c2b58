package sz

import "math"

// steps are how far values are from what is expected of them, little-endian:
//
//	1 byte   kind of steps
//	8 bytes  error that was allowed
//	4 bytes  half of the steps
//	8 bytes  number of values stored as such
//	         those
//	         for each value its number of steps, 0: stored as such
type steps[R real] struct {
	values []R

	allowed float64 // error
	bound   float64 // error of the values that follow
	radius  int32
	exact   reals[R]
	types   []uint32
}

// read decodes the steps of all values.
func (s *steps[R]) read(p *parser) error {
	p.take(1)
	s.allowed = math.Float64frombits(p.little64())
	s.bound = s.allowed
	s.radius = int32(p.little32())
	s.exact.src = p.takes(p.little64(), realSize[R]())
	s.types = make([]uint32, len(s.values))
	return takeNumbers(p, s.types)
}

// takeNumbers decodes as many numbers as dst has room for:
//
//	4 bytes  what is to be added to each, little-endian
//	4 bytes  nodes of their code, big-endian
//	4 bytes  how many numbers there may be, big-endian
//	         the tree
//	8 bytes  size of what follows, little-endian
//	         the numbers
func takeNumbers(p *parser, dst []uint32) error {
	first := p.little32()
	nodes := p.uint32()
	p.take(4)
	if p.short {
		return errShort
	}
	code, err := readTree(p, nodes)
	if err != nil {
		return err
	}
	coded := p.takes(p.little64(), 1)
	if p.short {
		return errShort
	}
	if err := code.decode(dst, coded); err != nil {
		return err
	}
	for i := range dst {
		dst[i] += first
	}
	return nil
}

// recover decodes the following value, which is expected to be near another.
func (s *steps[R]) recover(at int, expected R) error {
	if len(s.types) == 0 {
		return errSteps
	}
	typ := int32(s.types[0])
	s.types = s.types[1:]
	if typ == 0 {
		v, err := s.exact.next()
		s.values[at] = v
		return err
	}
	s.values[at] = R(float64(expected) + float64(float64(2*(typ-s.radius))*s.bound))
	return nil
}
