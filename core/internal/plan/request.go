package plan

import (
	"clawh5/core/internal/sel"
)

// Request is a range of the store that is fetched at once, and the jobs in it.
type Request struct {
	Off, Len int64
	First, N int  // jobs, in the order of the file
	Held     bool // one job whose bytes or values lie in memory: no request at all
}

// Stored is the range of the store that a job needs and how many bytes of the
// chunk lie before it: all that is stored, or of an unfiltered chunk what is
// selected of it. w is the window of the job's box.
func (p *Part) Stored(j *Job, w *sel.Window) (off, size, skip int64) {
	if p.Filtered {
		return j.Off, j.Size, 0
	}
	first, end := w.Extent()
	skip = first * p.ElemSize
	return j.Off + skip, (end - first) * p.ElemSize, skip
}

// Requests calls yield for every request that fetches the jobs of a chunked
// part, merged over small holes. A chunk is never cut. Jobs whose stored bytes
// the store holds, or whose values have (may be nil) tells to be known, come
// alone.
func (p *Part) Requests(have func(*Job) bool, yield func(Request) error) error {
	var (
		w      sel.Window
		r      Request
		scaled = make([]uint64, len(p.Grid.Box()))
	)
	flush := func() error {
		if r.N == 0 {
			return nil
		}
		done := r
		r = Request{}
		return yield(done)
	}
	for i := range p.Jobs {
		j := p.InFileOrder(i)
		if !p.Filtered {
			p.Grid.Scaled(scaled, j.Ordinal)
			w.Set(p.Grid, scaled)
		}
		off, size, _ := p.Stored(j, &w)
		if p.Held != nil && p.Held.Contains(off, size) || have != nil && have(j) {
			if err := flush(); err != nil {
				return err
			}
			if err := yield(Request{Off: off, Len: size, First: i, N: 1, Held: true}); err != nil {
				return err
			}
			continue
		}
		end := max(r.Off+r.Len, off+size)
		if r.N > 0 && (off < r.Off || off-r.Off-r.Len > p.gap() || end-r.Off > p.most()) {
			if err := flush(); err != nil {
				return err
			}
		}
		if r.N == 0 {
			r, end = Request{Off: off, First: i}, off+size
		}
		r.Len = end - r.Off
		r.N++
	}
	return flush()
}
