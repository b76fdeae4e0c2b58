package sz

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
