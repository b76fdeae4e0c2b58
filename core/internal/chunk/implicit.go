package chunk

import (
	"context"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/meta"
)

// implicit is the index of a dataset whose chunks were all allocated at once, in
// one piece and without filters: also those that it has no use for before it
// grows, which are not told of.
type implicit struct {
	dataset
	numbering
	now []uint64 // chunks by dimension that the dataset has
}

func newImplicit(d dataset) (*implicit, error) {
	if d.filtered {
		return nil, corrupt("an implicit index, which is for chunks without filters, with filters")
	}
	n, err := d.grid.number(0)
	if err != nil {
		return nil, err
	}
	size, ok := cursor.Mul(n.total, d.bytes)
	if !ok || d.addr > d.f.End() || size > d.f.End()-d.addr {
		return nil, corrupt("%d chunks of %d bytes at address %d reach past the end of the file at %d",
			n.total, d.bytes, d.addr, d.f.End())
	}
	return &implicit{d, n, d.grid.now()}, nil
}

func (x *implicit) at(scaled []uint64) Chunk {
	i, _ := x.index(scaled) // inside the grid, whose bytes were checked to fit
	return x.chunk(scaled, x.addr+i*x.bytes, 0, 0)
}

func (x *implicit) Within(_ context.Context, lo, hi []uint64, yield func(Chunk) error) error {
	if err := x.checkRank(lo, hi); err != nil {
		return err
	}
	b := newBox(lo, hi, x.now)
	for ok := b != nil; ok; ok = b.next() {
		if err := yield(x.at(b.at)); err != nil {
			return meta.Stopped(err)
		}
	}
	return nil
}

func (x *implicit) Lookup(_ context.Context, scaled []uint64) (Chunk, bool, error) {
	if err := x.checkRank(scaled); err != nil {
		return Chunk{}, false, err
	}
	for d, v := range scaled {
		if v >= x.now[d] {
			return Chunk{}, false, nil
		}
	}
	c := x.at(scaled)
	c.Scaled = nil
	return c, true, nil
}
