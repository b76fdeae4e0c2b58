package sel

// Run is N pieces of Len elements. Piece i begins at Box+i*BoxStep in the box
// and at Out+i*OutStep in the result. In a window, runs and their pieces come in
// rising order of Box.
type Run struct {
	Box, Out, Len    int64
	N                int64
	BoxStep, OutStep int64
}

// End is the box offset behind the last piece.
func (r Run) End() int64 { return r.Box + (r.N-1)*r.BoxStep + r.Len }

// Window is the part of a selection in one box of a grid. It holds no pointer
// but to its grid and may be set again and again; it is not for use by two
// goroutines at once.
type Window struct {
	g      *Grid
	n      int64
	k, kn  [MaxRank]uint64 // per axis the first selected ordinal in the box, and how many
	origin [MaxRank]uint64
	points []point
}

// Set makes w the part of g in a box of the grid.
func (w *Window) Set(g *Grid, scaled []uint64) {
	w.g, w.n, w.points = g, 0, nil
	if g.s.points != nil {
		w.setPoints(scaled)
		return
	}
	w.n = 1
	for d, width := range g.box {
		a := &g.s.axes[d]
		lo := scaled[d] * width
		w.origin[d] = lo
		w.k[d] = a.ceil(lo)
		end := lo + width
		if end < lo || end >= g.s.shape[d] {
			w.kn[d] = a.size() - w.k[d]
		} else {
			w.kn[d] = a.ceil(end) - w.k[d]
		}
		w.n *= int64(w.kn[d])
	}
}

func (w *Window) setPoints(scaled []uint64) {
	g := w.g
	ordinal, _ := g.Ordinal(scaled)
	i, ok := g.find(ordinal)
	if !ok {
		return
	}
	last := len(g.points)
	if i+1 < len(g.groups) {
		last = g.groups[i+1].first
	}
	w.points = g.points[g.groups[i].first:last]
	w.n = g.groups[i].n
}

// NumElements is the number of selected elements in the box.
func (w *Window) NumElements() int64 { return w.n }

// Extent is the range of box offsets from the first to behind the last selected
// element of a window that is not empty.
func (w *Window) Extent() (first, end int64) {
	if w.g.s.points != nil {
		last := &w.points[len(w.points)-1]
		return w.points[0].box, last.box + last.n
	}
	for d, stride := range w.g.boxStride {
		first += stride * w.offset(d, w.k[d])
		end += stride * w.offset(d, w.k[d]+w.kn[d]-1)
	}
	return first, end + 1
}

// Single is the one piece that w is; false if it is several.
func (w *Window) Single() (Run, bool) {
	if w.g.s.points != nil || w.n == 0 {
		return Run{}, false
	}
	m, inner := w.merged()
	if m >= 0 && !w.solid(m, inner) {
		return Run{}, false
	}
	r := Run{N: 1, Len: inner, Out: w.g.outBase}
	if m >= 0 {
		r.Len *= int64(w.kn[m])
	}
	for d := 0; d < m; d++ {
		if w.kn[d] != 1 {
			return Run{}, false
		}
	}
	for d := 0; d <= m; d++ {
		r.Box += w.offset(d, w.k[d]) * w.g.boxStride[d]
		r.Out += int64(w.k[d]) * w.g.outStride[d]
	}
	return r, true
}

// offset is the place in the box, on axis d, of ordinal k.
func (w *Window) offset(d int, k uint64) int64 {
	return int64(w.g.s.axes[d].at(k) - w.origin[d])
}

// even reports whether the positions on axis d follow each other.
func (w *Window) even(d int) bool {
	a := &w.g.s.axes[d]
	return w.kn[d] == 1 || a.Count == 1 || a.at(w.k[d]+w.kn[d]-1)-a.at(w.k[d]) == w.kn[d]-1
}

// solid reports whether the positions on axis d follow each other, in the
// result too, where inner elements lie within each.
func (w *Window) solid(d int, inner int64) bool {
	return w.even(d) && (w.kn[d] == 1 || w.g.outStride[d] == inner)
}

// merged is the innermost axis that is not whole both in the box and in the
// result (-1 for rank 0), and the number of elements of the axes within it.
// The outermost axis need not be whole.
func (w *Window) merged() (axis int, inner int64) {
	inner = 1
	axis = len(w.g.box) - 1
	for axis > 0 && w.kn[axis] == w.g.box[axis] && w.kn[axis] == w.g.s.out[axis] && (w.kn[axis] == 1 || w.g.outStride[axis] == inner) {
		inner *= int64(w.kn[axis])
		axis--
	}
	return axis, inner
}

// Runs calls yield for every run of w.
func (w *Window) Runs(yield func(Run)) {
	switch {
	case w.n == 0:
	case w.g.s.points != nil:
		w.pointRuns(yield)
	case len(w.g.box) == 0:
		yield(Run{Out: w.g.outBase, Len: 1, N: 1})
	default:
		w.slabRuns(yield)
	}
}

func (w *Window) pointRuns(yield func(Run)) {
	r := Run{Box: w.points[0].box, Out: w.points[0].out, Len: w.points[0].n, N: 1}
	for _, p := range w.points[1:] {
		if p.box == r.Box+r.Len && p.out == r.Out+r.Len {
			r.Len += p.n
			continue
		}
		yield(r)
		r = Run{Box: p.box, Out: p.out, Len: p.n, N: 1}
	}
	yield(r)
}

func (w *Window) slabRuns(yield func(Run)) {
	m, inner := w.merged()
	solid := w.solid(m, inner)
	outer := m // axes that are walked one position at a time
	r := Run{Len: inner, N: 1}
	vector := -1
	if solid {
		r.Len *= int64(w.kn[m])
		vector = m - 1
		for vector >= 0 && w.kn[vector] == 1 {
			vector--
		}
		if vector >= 0 && w.step(&r, vector) {
			outer = vector
		} else {
			vector = -1
		}
	}
	var at [MaxRank]uint64 // ordinals behind w.k
	for {
		r.Box, r.Out = 0, w.g.outBase
		for d := 0; d < m; d++ {
			r.Box += w.offset(d, w.k[d]+at[d]) * w.g.boxStride[d]
			r.Out += int64(w.k[d]+at[d]) * w.g.outStride[d]
		}
		if solid {
			s := r
			s.Box += w.offset(m, w.k[m]) * w.g.boxStride[m]
			s.Out += int64(w.k[m]) * w.g.outStride[m]
			yield(s)
		} else {
			w.axisRuns(r, m, inner, yield)
		}
		d := outer - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] < w.kn[d] {
				break
			}
			at[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// step makes r repeat along axis d, if the positions there are evenly spaced.
func (w *Window) step(r *Run, d int) bool {
	a := &w.g.s.axes[d]
	by := int64(1)
	if !w.even(d) {
		if a.Index != nil || a.Block != 1 {
			return false
		}
		by = int64(a.Stride)
	}
	r.N, r.BoxStep, r.OutStep = int64(w.kn[d]), by*w.g.boxStride[d], w.g.outStride[d]
	return true
}

// axisRuns yields the pieces of axis m, whose positions are not solid, from the
// base r.
func (w *Window) axisRuns(r Run, m int, inner int64, yield func(Run)) {
	a := &w.g.s.axes[m]
	scattered := w.g.outStride[m] != inner
	emit := func(k, length, n uint64) {
		s := r
		s.Box += w.offset(m, k) * w.g.boxStride[m]
		s.Out += int64(k) * w.g.outStride[m]
		s.Len, s.N = int64(length)*inner, int64(n)
		if n > 1 {
			s.BoxStep, s.OutStep = int64(a.Stride)*w.g.boxStride[m], int64(length)*w.g.outStride[m]
		}
		if scattered && length > 1 {
			w.scatter(s, int64(length), m, yield)
			return
		}
		yield(s)
	}
	k, end := w.k[m], w.k[m]+w.kn[m]
	if a.Index != nil {
		for k < end {
			n := uint64(1)
			for k+n < end && a.Index[k+n] == a.Index[k]+n {
				n++
			}
			emit(k, n, 1)
			k += n
		}
		return
	}
	if head := min(a.Block-k%a.Block, end-k); head < a.Block {
		emit(k, head, 1)
		k += head
	}
	if whole := (end - k) / a.Block; whole > 0 {
		emit(k, a.Block, whole)
		k += whole * a.Block
	}
	if k < end {
		emit(k, end-k, 1)
	}
}

// scatter yields a run of N blocks of length positions on axis m that follow
// each other in the box but not in the result, position by position.
func (w *Window) scatter(s Run, length int64, m int, yield func(Run)) {
	for i := range s.N {
		yield(Run{Box: s.Box + i*s.BoxStep, Out: s.Out + i*s.OutStep, Len: s.Len / length,
			N: length, BoxStep: w.g.boxStride[m], OutStep: w.g.outStride[m]})
	}
}
