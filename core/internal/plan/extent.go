package plan

import (
	"clawh5/core/internal/sel"
)

// Extent is a stretch of a box that is read at once, and what of it is wanted.
// Offsets are in elements of the box.
type Extent struct {
	First, End int64
	Runs       []sel.Run // valid during the yield
}

// Extents cuts the runs of a window of unfiltered values into stretches that
// are read at once: no hole in one exceeds the gap and none is longer than a
// request, unless one element is. buf is room for the runs that is kept.
func (p *Part) Extents(w *sel.Window, buf *[]sel.Run, yield func(Extent) error) error {
	c := extents{gap: p.gap() / p.ElemSize, most: max(1, p.most()/p.ElemSize), runs: (*buf)[:0], yield: yield}
	w.Runs(c.add)
	c.flush()
	*buf = c.runs[:0]
	return c.err
}

type extents struct {
	gap, most int64
	e         Extent
	runs      []sel.Run
	yield     func(Extent) error
	err       error
}

// add takes a run, in pieces where its holes or its length are too large.
func (c *extents) add(r sel.Run) {
	switch {
	case c.err != nil:
	case r.Len > c.most:
		for i := range r.N {
			for at := int64(0); at < r.Len; at += c.most {
				c.join(sel.Run{Box: r.Box + i*r.BoxStep + at, Out: r.Out + i*r.OutStep + at, Len: min(c.most, r.Len-at), N: 1})
			}
		}
	case r.N > 1 && r.BoxStep-r.Len > c.gap:
		for i := range r.N {
			c.join(sel.Run{Box: r.Box + i*r.BoxStep, Out: r.Out + i*r.OutStep, Len: r.Len, N: 1})
		}
	case r.End()-r.Box > c.most:
		for rows := max(1, (c.most-r.Len)/r.BoxStep+1); r.N > 0; {
			part := r
			part.N = min(rows, r.N)
			c.join(part)
			r.N -= part.N
			r.Box += part.N * r.BoxStep
			r.Out += part.N * r.OutStep
		}
	default:
		c.join(r)
	}
}

// join adds r to the stretch at hand, or begins a new one.
func (c *extents) join(r sel.Run) {
	end := max(c.e.End, r.End())
	if len(c.runs) > 0 && (r.Box-c.e.End > c.gap || end-c.e.First > c.most) {
		c.flush()
	}
	if len(c.runs) == 0 {
		c.e.First, end = r.Box, r.End()
	}
	c.e.End = end
	c.runs = append(c.runs, r)
}

func (c *extents) flush() {
	if len(c.runs) == 0 || c.err != nil {
		return
	}
	c.e.Runs = c.runs
	c.err = c.yield(c.e)
	c.runs = c.runs[:0]
}
