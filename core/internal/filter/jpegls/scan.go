package jpegls

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

var errBits = errors.New("bits of a scan that are no code")

// scan decodes the samples of a scan. Names are those of the standard where it
// has short ones.
type scan struct {
	r bitReader

	top      int32 // MAXVAL
	near     int32 // NEAR
	step     int32 // between values that a sample may have: 2*NEAR+1
	values   int32 // RANGE
	bits     int   // qbpp
	limit    int   // LIMIT
	reset    int32 // RESET
	t1, t2   int32
	t3       int32
	classes  []int8 // of gradients from -t3 to t3
	contexts [365]context
	ends     [2]runContext // of samples that end a run
	run      int           // RUNindex
}

// runBits are the bits of the length of a run (T.87 A.2.1, J).
var runBits = [32]uint8{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15}

func (s *scan) init(m *Image) {
	top, near := m.top(), m.near
	s.top, s.near, s.step = int32(top), int32(near), int32(2*near+1)
	s.values = (s.top+2*s.near)/s.step + 1
	s.bits = bits.Len32(uint32(s.values - 1))
	s.limit = 2 * (m.Bits + max(8, m.Bits))
	s.reset = int32(m.preset.reset)
	s.t1, s.t2, s.t3 = int32(m.preset.t1), int32(m.preset.t2), int32(m.preset.t3)
	s.classes = s.classes[:0]
	for d := -s.t3; d <= s.t3; d++ {
		s.classes = append(s.classes, s.class(d))
	}
}

// begin forgets what is known of the samples.
func (s *scan) begin() {
	first := max(2, (s.values+32)/64)
	for i := range s.contexts {
		s.contexts[i] = context{a: first, n: 1}
	}
	s.ends = [2]runContext{{a: first, n: 1}, {a: first, n: 1}}
	s.run = 0
}

// class returns the class of a gradient (T.87 A.3.3).
func (s *scan) class(d int32) int8 {
	if d < 0 {
		return -s.class(-d)
	}
	switch {
	case d <= s.near:
		return 0
	case d < s.t1:
		return 1
	case d < s.t2:
		return 2
	case d < s.t3:
		return 3
	}
	return 4
}

// gradients returns the number of the context with these neighbours: left, above
// left, above and above right. It is negative for a context that stands for the
// one with all gradients negated, and 0 where a run may begin.
func (s *scan) gradients(ra, rc, rb, rd int32) int32 {
	return (s.quantize(rd-rb)*9+s.quantize(rb-rc))*9 + s.quantize(rc-ra)
}

func (s *scan) quantize(d int32) int32 {
	return int32(s.classes[min(max(d, -s.t3), s.t3)+s.t3])
}

// predict returns the prediction of a sample (T.87 A.4.1).
func predict(ra, rc, rb int32) int32 {
	low, high := min(ra, rb), max(ra, rb)
	switch {
	case rc >= high:
		return low
	case rc <= low:
		return high
	}
	return ra + rb - rc
}

// line decodes a line of one component. Lines have the sample before the first
// one and that after the last one.
func (s *scan) line(prev, cur []int32) error {
	prev = prev[:len(cur)]
	width := len(cur) - 2
	for i := 1; i <= width; {
		ra, rc, rb, rd := cur[i-1], prev[i-1], prev[i], prev[i+1]
		q := s.gradients(ra, rc, rb, rd)
		if q != 0 {
			v, err := s.sample(q, predict(ra, rc, rb))
			if err != nil {
				return err
			}
			cur[i] = v
			i++
			continue
		}
		n, err := s.runLength(width + 1 - i)
		if err != nil {
			return err
		}
		for end := i + n; i < end; i++ {
			cur[i] = ra
		}
		if i > width {
			break
		}
		if cur[i], err = s.runEnd(ra, prev[i]); err != nil {
			return err
		}
		s.run = max(0, s.run-1)
		i++
	}
	return nil
}

// pixels decodes a line of pixels of several components.
func (s *scan) pixels(prev, cur [][]int32) error {
	width := len(cur[0]) - 2
	for i := 1; i <= width; {
		var q [4]int32
		flat := true
		for c := range cur {
			q[c] = s.gradients(cur[c][i-1], prev[c][i-1], prev[c][i], prev[c][i+1])
			flat = flat && q[c] == 0
		}
		if !flat {
			for c := range cur {
				v, err := s.sample(q[c], predict(cur[c][i-1], prev[c][i-1], prev[c][i]))
				if err != nil {
					return err
				}
				cur[c][i] = v
			}
			i++
			continue
		}
		n, err := s.runLength(width + 1 - i)
		if err != nil {
			return err
		}
		for c := range cur {
			for j := range n {
				cur[c][i+j] = cur[c][i-1]
			}
		}
		if i += n; i > width {
			break
		}
		for c := range cur {
			if cur[c][i], err = s.runEndOf(0, cur[c][i-1], prev[c][i]); err != nil {
				return err
			}
		}
		s.run = max(0, s.run-1)
		i++
	}
	return nil
}

// runLength decodes how many of at most most samples are as the one before (T.87
// A.7.1).
func (s *scan) runLength(most int) (int, error) {
	n := 0
	for s.r.take(1) != 0 {
		whole := 1 << runBits[s.run]
		if n += whole; n > most {
			return most, s.bad()
		}
		s.run = min(s.run+1, len(runBits)-1)
		if n == most {
			return n, s.bad()
		}
	}
	n += int(s.r.take(int(runBits[s.run])))
	if n > most {
		return 0, errBits
	}
	return n, s.bad()
}

func (s *scan) bad() error {
	if s.r.have < 0 {
		return errBits
	}
	return nil
}

// runEnd decodes the sample that ends a run (T.87 A.7.2).
func (s *scan) runEnd(ra, rb int32) (int32, error) {
	if d := ra - rb; d <= s.near && -d <= s.near {
		return s.runEndOf(1, ra, ra)
	}
	return s.runEndOf(0, ra, rb)
}

// runEndOf decodes it from the sample above or, where that is like the run, from
// the run.
func (s *scan) runEndOf(alike int32, ra, rb int32) (int32, error) {
	ctx := &s.ends[alike]
	k := golomb(ctx.n, ctx.a+ctx.n>>1*alike)
	code, err := s.code(k, s.limit-int(runBits[s.run])-1)
	if err != nil {
		return 0, err
	}
	odd := (code + alike) & 1
	e := (code + alike + odd) / 2
	if (k != 0 || 2*ctx.nn >= ctx.n) == (odd != 0) {
		e = -e
	}
	if e < 0 {
		ctx.nn++
	}
	ctx.a += (code + 1 - alike) >> 1
	if ctx.n == s.reset {
		ctx.a >>= 1
		ctx.n >>= 1
		ctx.nn >>= 1
	}
	ctx.n++
	if rb < ra {
		e = -e
	}
	return s.reconstruct(rb, e), nil
}

// put stores the samples of a line, which lie apart bytes from each other.
func put(dst []byte, line []int32, size, apart int) {
	if size == 1 {
		for i, v := range line {
			dst[i*apart] = byte(v)
		}
		return
	}
	for i, v := range line {
		binary.LittleEndian.PutUint16(dst[i*apart:], uint16(v))
	}
}
