package sel

// How a projection is cut: as products of axes as long as these are few, else
// as lists of runs.
const (
	maxProducts = 64
	maxIndex    = 1 << 16
	maxRuns     = 1 << 16
)

// Project yields what the mapping makes of s, a selection of the virtual
// dataset: selections of the source, of the given shape, whose results lie in
// that of s where s has them. Together they have every selected element that is
// mapped once. A source that is too small for its share is a Selection error.
func (m *Mapping) Project(s *Selection, shape []uint64, yield func(*Selection) error) error {
	if s.n == 0 || m.virtual.n == 0 {
		return nil
	}
	if s.points != nil {
		return m.projectPoints(s, shape, yield)
	}
	for d := range s.axes {
		lo, hi := s.Reach(d)
		if from, to := m.virtual.Bounds(d); hi < from || to < lo {
			return nil
		}
	}
	if m.pair != nil {
		if done, err := m.projectAxes(s, shape, yield); done {
			return err
		}
	}
	return m.projectRuns(s, shape, yield)
}

// share is what an axis of the source has of a progression: the positions, and
// the first ordinal and the step of theirs on the axis of the selection.
type share struct {
	axis     Axis
	at, step uint64
}

// projectAxes yields products; false if it takes too many.
func (m *Mapping) projectAxes(s *Selection, shape []uint64, yield func(*Selection) error) (bool, error) {
	shares := make([][]share, len(s.axes))
	products := 1
	for d := range s.axes {
		parts, ok := common(&m.virtual.axes[d], &s.axes[d], maxProducts)
		if !ok {
			return false, nil
		}
		for i := range parts {
			if shares[d], ok = m.appendShares(shares[d], d, &parts[i]); !ok {
				return false, nil
			}
		}
		if products *= len(shares[d]); products > maxProducts {
			return false, nil
		}
	}
	base, steps := s.placement()
	p := projection{m: m, shares: shares, steps: steps, shape: shape, yield: yield,
		axes: make([]Axis, m.source.rank), out: make([]int64, m.source.rank)}
	for d := range p.axes {
		p.axes[d] = Axis{Start: m.source.axes[d].Start, Stride: 1, Count: 1, Block: 1}
	}
	return true, p.product(0, base)
}

// appendShares adds the shares of a progression on axis d.
func (m *Mapping) appendShares(list []share, d int, g *progress) ([]share, bool) {
	if m.pair[d] < 0 {
		return append(list, share{at: g.a}), true
	}
	source := &m.source.axes[m.pair[d]]
	axes, ok := source.axes(g.p, g.pStep, g.n)
	if !ok {
		if g.n > maxIndex {
			return nil, false
		}
		index := make([]uint64, g.n)
		for i := range index {
			index[i] = source.At(g.p + uint64(i)*g.pStep)
		}
		axes = []Axis{{Index: index}}
	}
	at := g.a
	for _, a := range axes {
		list = append(list, share{a, at, g.aStep})
		at += a.size() * g.aStep
	}
	return list, true
}

// projection combines the shares of all axes.
type projection struct {
	m      *Mapping
	shares [][]share
	steps  []int64 // of the selection's result
	shape  []uint64
	axes   []Axis
	out    []int64
	yield  func(*Selection) error
}

func (p *projection) product(d int, base int64) error {
	if d == len(p.shares) {
		s, err := Orthogonal(p.shape, p.axes)
		if err != nil {
			return err
		}
		out := make([]int64, len(p.out))
		copy(out, p.out)
		return p.yield(s.Placed(base, out))
	}
	for _, h := range p.shares[d] {
		if to := p.m.pair[d]; to >= 0 {
			p.axes[to] = h.axis
			p.out[to] = int64(h.step) * p.steps[d]
		}
		if err := p.product(d+1, base+int64(h.at)*p.steps[d]); err != nil {
			return err
		}
	}
	return nil
}

// projectRuns yields runs of any pair of regions.
func (m *Mapping) projectRuns(s *Selection, shape []uint64, yield func(*Selection) error) error {
	r := m.newRuns(shape, yield)
	rank := len(s.axes)
	lo, hi := make([]uint64, rank), make([]uint64, rank)
	for d := range lo {
		lo[d], hi[d] = s.Reach(d)
	}
	base, steps := s.placement()
	err := m.virtual.within(lo, hi, func(coords []uint64, n, first int64) error {
		at := base
		for d := 0; d < rank-1; d++ {
			a := &s.axes[d]
			k := a.ceil(coords[d])
			if k >= a.size() || a.at(k) != coords[d] {
				return nil
			}
			at += int64(k) * steps[d]
		}
		if rank == 0 {
			return r.add(first, n, at)
		}
		a, from := &s.axes[rank-1], coords[rank-1]
		end := a.ceil(from + uint64(n))
		for k := a.ceil(from); k < end; {
			run := min(a.run(k), end-k)
			if steps[rank-1] != 1 {
				run = 1
			}
			if err := r.add(first+int64(a.at(k)-from), int64(run), at+int64(k)*steps[rank-1]); err != nil {
				return err
			}
			k += run
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.flush()
}

// projectPoints yields runs of the points, or runs, that s is.
func (m *Mapping) projectPoints(s *Selection, shape []uint64, yield func(*Selection) error) error {
	r := m.newRuns(shape, yield)
	rank := len(s.shape)
	base, steps := s.placement()
	for i := range len(s.points) / rank {
		out, n := base+int64(i)*steps[0], int64(1)
		if s.runs != nil {
			out, n = s.runs[i].out, s.runs[i].n
		}
		err := m.virtual.along(s.points[i*rank:(i+1)*rank], n, func(at, n, first int64) error {
			return r.add(first, n, out+at)
		})
		if err != nil {
			return err
		}
	}
	return r.flush()
}

// runs collects runs of the source.
type runs struct {
	m      *Mapping
	shape  []uint64
	at     []uint64 // of one element
	coords []uint64
	lens   []int64
	outs   []int64
	yield  func(*Selection) error
}

func (m *Mapping) newRuns(shape []uint64, yield func(*Selection) error) *runs {
	return &runs{m: m, shape: shape, at: make([]uint64, m.source.rank), yield: yield}
}

// add adds n elements of the mapping from the first on, whose values go to out
// and behind.
func (r *runs) add(first, n, out int64) error {
	for n > 0 {
		here := min(r.m.source.locate(first, r.at), n)
		if len(r.lens) == maxRuns {
			if err := r.flush(); err != nil {
				return err
			}
		}
		r.coords = append(r.coords, r.at...)
		r.lens, r.outs = append(r.lens, here), append(r.outs, out)
		first, n, out = first+here, n-here, out+here
	}
	return nil
}

func (r *runs) flush() error {
	if len(r.lens) == 0 {
		return nil
	}
	var s *Selection
	var err error
	if len(r.at) == 0 { // a scalar source
		if s, err = All(r.shape); err == nil {
			s = s.Placed(r.outs[0], []int64{})
		}
	} else {
		s, err = Runs(r.shape, r.coords, r.lens, r.outs)
	}
	if err != nil {
		return err
	}
	r.coords, r.lens, r.outs = r.coords[:0], r.lens[:0], r.outs[:0]
	return r.yield(s)
}
