package sel

// Unplaced is s with a result of its own, in the order of s.
func (s *Selection) Unplaced() *Selection {
	u := *s
	u.base, u.steps = 0, nil
	if s.runs != nil {
		u.runs = make([]stretch, len(s.runs))
		at := int64(0)
		for i := range u.runs {
			u.runs[i] = stretch{at, s.runs[i].n}
			at += s.runs[i].n
		}
	}
	return &u
}

// Places calls yield with the place of every element in the result, in the order
// of s.
func (s *Selection) Places(yield func(out int64)) {
	if s.runs != nil {
		for _, r := range s.runs {
			for i := range r.n {
				yield(r.out + i)
			}
		}
		return
	}
	if s.n == 0 {
		return
	}
	base, steps := s.placement()
	at := make([]uint64, len(s.out))
	for {
		yield(base)
		d := len(at) - 1
		for ; d >= 0; d-- {
			base += steps[d]
			if at[d]++; at[d] < s.out[d] {
				break
			}
			base -= steps[d] * int64(at[d])
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}
