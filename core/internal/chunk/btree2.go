package chunk

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
)

// btree2 is a version 2 B-tree of chunks (spec VII.E), its records in row-major
// order of the chunk coordinates.
type btree2 struct{ dataset }

func (x *btree2) open(ctx context.Context) (*meta.BTreeV2, format.ChunkRecordLayout, error) {
	t, err := x.f.BTreeV2(ctx, x.addr)
	if err != nil {
		return nil, format.ChunkRecordLayout{}, err
	}
	h := t.Header()
	l, ok := format.NewChunkRecordLayout(h, x.f.Sizes(), x.grid.rank())
	if !ok || l.Filtered != x.filtered {
		return nil, l, h5err.At(h5err.Corrupt, structure, x.f.Offset(x.addr), fmt.Sprintf(
			"a B-tree of type %d with records of %d bytes for chunks of rank %d", h.Type, h.RecordSize, x.grid.rank()))
	}
	return t, l, nil
}

func (x *btree2) record(l *format.ChunkRecordLayout, scaled []uint64, rec []byte) Chunk {
	var size uint64
	var mask uint32
	if l.Filtered {
		size, mask = l.Stored(rec)
	}
	return x.chunk(scaled, l.Addr(rec), size, mask)
}

func (x *btree2) Lookup(ctx context.Context, scaled []uint64) (Chunk, bool, error) {
	if err := x.checkRank(scaled); err != nil {
		return Chunk{}, false, err
	}
	t, l, err := x.open(ctx)
	if err != nil {
		return Chunk{}, false, err
	}
	rec, ok, err := t.Lookup(ctx, func(rec []byte) int {
		for d, want := range scaled {
			switch v := l.Scaled(rec, d); {
			case v < want:
				return -1
			case v > want:
				return 1
			}
		}
		return 0
	})
	if err != nil || !ok {
		return Chunk{}, false, err
	}
	c := x.record(&l, scaled, rec)
	c.Scaled = nil
	return c, c.Addr != format.Undefined, nil
}

func (x *btree2) Within(ctx context.Context, lo, hi []uint64, yield func(Chunk) error) error {
	if err := x.checkRank(lo, hi); err != nil {
		return err
	}
	b := newBox(lo, hi, endlessCounts[:len(lo)])
	if b == nil {
		return nil
	}
	t, l, err := x.open(ctx)
	if err != nil {
		return err
	}
	first, last, at := make([]uint64, len(lo)), make([]uint64, len(lo)), make([]uint64, len(lo))
	scaled := func(to []uint64, rec []byte) []uint64 {
		for d := range to {
			to[d] = l.Scaled(rec, d)
		}
		return to
	}
	// A subtree matters if a point of the box lies between the records around it.
	covers := func(left, right []byte) bool {
		copy(b.at, b.lo)
		if left != nil {
			p := scaled(first, left)
			if !b.seek(p) || (!before(p, b.at) && !b.next()) {
				return false
			}
		}
		return right == nil || before(b.at, scaled(last, right))
	}
	return t.Range(ctx, covers, func(rec []byte) error {
		if !b.has(scaled(at, rec)) {
			return nil
		}
		c := x.record(&l, at, rec)
		if c.Addr == format.Undefined {
			return nil
		}
		return yield(c)
	})
}
