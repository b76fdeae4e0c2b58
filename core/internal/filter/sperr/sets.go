package sperr

// A set is a box of coefficients.
type set struct{ start, size [3]int32 }

func (p *set) count() int { return int(p.size[0]) * int(p.size[1]) * int(p.size[2]) }

// shape is the box of all coefficients, and says how it is cut.
type shape struct {
	dims   [3]int
	planar bool
}

func shapeOf(l *Layout) shape { return shape{l.Dims, l.planar} }

// line is the shape of n values in a row.
func line(n int) shape { return shape{dims: [3]int{n, 1, 1}} }

func (s *shape) count() int { return s.dims[0] * s.dims[1] * s.dims[2] }

func (s *shape) whole() set {
	return set{size: [3]int32{int32(s.dims[0]), int32(s.dims[1]), int32(s.dims[2])}}
}

// index returns the number of the first coefficient of a set.
func (s *shape) index(p set) int {
	return (int(p.start[2])*s.dims[1]+int(p.start[1]))*s.dims[0] + int(p.start[0])
}

// parts cuts a set of a level in two along each dimension and returns the parts
// that are not empty, and their level: one more in two dimensions, in which the
// last part comes first, and else one more for each dimension that was cut.
func (s *shape) parts(p set, level int) (parts [8]set, n, next int) {
	next = level
	for axis := range 3 {
		if p.size[axis] > 1 {
			next++
		}
	}
	if s.planar {
		next = level + 1
	}
	for i := range 8 {
		if s.planar {
			i = 7 - i
		}
		q, empty := p, false
		for axis := range 3 {
			upper := p.size[axis] / 2
			if i>>axis&1 != 0 {
				q.start[axis] += p.size[axis] - upper
				q.size[axis] = upper
				empty = empty || upper == 0
			} else {
				q.size[axis] -= upper
			}
		}
		if !empty {
			parts[n] = q
			n++
		}
	}
	return parts, n, next
}

// transforms returns how often a transform was applied to n values.
func transforms(n int) int {
	const least, most = 9, 6
	count := 0
	for ; n >= least && count < most; n -= n / 2 {
		count++
	}
	return count
}

// halved returns how many of n values are the lower part after so many transforms.
func halved(n, times int) int {
	for range times {
		n -= n / 2
	}
	return n
}

// together returns how often a transform was applied to all dimensions, or false
// if it was applied to the third one apart.
func together(dims [3]int) (int, bool) {
	xy, z := transforms(min(dims[0], dims[1])), transforms(dims[2])
	if dims[1] < 2 || dims[2] < 2 || xy != z && (xy < 5 || z < 5) {
		return 0, false
	}
	return min(xy, z), true
}

// start makes the first sets: what transforms made of the values.
func (s *speck) start() {
	dims := s.shape.dims
	switch {
	case s.shape.planar:
		level := transforms(min(dims[0], dims[1]))
		root := s.shape.whole()
		for axis := range 2 {
			root.size[axis] = int32(halved(dims[axis], level))
		}
		s.lists[level] = append(s.lists[level], root)
		s.rest = restSet{level}
	case dims[1] == 1 && dims[2] == 1:
		parts, n, level := s.shape.parts(s.shape.whole(), 0)
		s.lists[level] = append(s.lists[level], parts[:n]...)
	default:
		s.startVolume()
	}
}

// startVolume cuts along all dimensions that a transform was applied to.
func (s *speck) startVolume() {
	dims := s.shape.dims
	xy, z := transforms(min(dims[0], dims[1])), transforms(dims[2])
	if n, ok := together(dims); ok {
		xy, z = n, n
	}
	big, level := s.shape.whole(), 0
	for i := range max(xy, z) {
		var fixed [3]bool
		fixed[0], fixed[1], fixed[2] = i >= xy, i >= xy, i >= z
		var parts []set
		parts, level = cutBox(big, level, fixed)
		s.lists[level] = append(s.lists[level], parts[1:]...)
		big = parts[0]
	}
	s.lists[level] = append([]set{big}, s.lists[level]...)
}

// cutBox cuts a set along the dimensions that are not fixed.
func cutBox(p set, level int, fixed [3]bool) ([]set, int) {
	parts := []set{p}
	for axis := range 3 {
		upper := p.size[axis] / 2
		if fixed[axis] || upper == 0 {
			continue
		}
		level++
		lower := len(parts)
		for _, q := range parts[:lower] {
			q.start[axis] += p.size[axis] - upper
			q.size[axis] = upper
			parts = append(parts, q)
		}
		for i := range parts[:lower] {
			parts[i].size[axis] -= upper
		}
	}
	return parts, level
}

// restSet is what is not in sets yet, in two dimensions: all but the lower parts
// after so many transforms.
type restSet struct{ level int }

// sortRest is part for the rest.
func (s *speck) sortRest(asked bool) {
	for s.rest.level > 0 {
		if asked && s.r.bit() == 0 {
			return
		}
		level := s.rest.level
		x, y := int32(halved(s.shape.dims[0], level)), int32(halved(s.shape.dims[1], level))
		right, below := int32(halved(s.shape.dims[0], level-1))-x, int32(halved(s.shape.dims[1], level-1))-y
		s.rest.level--
		asked = false
		for _, p := range []set{
			{[3]int32{x, y, 0}, [3]int32{right, below, 1}},
			{[3]int32{x, 0, 0}, [3]int32{right, y, 1}},
			{[3]int32{0, y, 0}, [3]int32{x, below, 1}},
		} {
			if p.count() > 0 && s.part(p, level, true) {
				asked = true
			}
		}
	}
}
