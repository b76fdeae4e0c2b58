package chunk

import (
	"context"

	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage"
)

// elements is an array of chunks by number: fixed or extensible.
type elements interface {
	// end returns the number after the last element.
	end() uint64
	// prepare fetches, in batches, what tells where the elements lie that
	// numbers yields. numbers(i) returns the first number of interest from i
	// on, and whether there is one.
	prepare(ctx context.Context, numbers func(i uint64) (uint64, bool)) error
	// piece returns the piece that holds element i.
	piece(ctx context.Context, i uint64) (piece, error)
	// load returns the elements of a piece that exists.
	load(ctx context.Context, p piece) (*format.ChunkElements, error)
}

// piece is a run of elements that lie together.
type piece struct {
	first, count uint64
	addr         uint64 // Undefined: none of them was ever written
	size         uint64 // bytes
	place        format.ExtArrayPlace
}

const elementsKind = "chunk array elements"

// array is the index of a dataset by an array of its chunks.
type array struct {
	dataset
	numbering
	open func(ctx context.Context) (elements, error)
}

func (x *array) Lookup(ctx context.Context, scaled []uint64) (Chunk, bool, error) {
	if err := x.checkRank(scaled); err != nil {
		return Chunk{}, false, err
	}
	var i uint64
	for p, d := range x.axis {
		if scaled[d] >= x.counts[p] {
			return Chunk{}, false, nil
		}
		// Cannot exceed 64 bits but along an endless first dimension, and there
		// it lies beyond the end of the array, as the check below finds.
		if p == 0 && scaled[d] > endless/2/x.down[0] {
			return Chunk{}, false, nil
		}
		i += scaled[d] * x.down[p]
	}
	e, err := x.open(ctx)
	if err != nil || i >= e.end() {
		return Chunk{}, false, err
	}
	p, err := e.piece(ctx, i)
	if err != nil || p.addr == format.Undefined {
		return Chunk{}, false, err
	}
	els, err := e.load(ctx, p)
	if err != nil {
		return Chunk{}, false, err
	}
	c := x.element(scaled, els, i-p.first)
	c.Scaled = nil
	return c, c.Addr != format.Undefined, nil
}

func (x *array) element(scaled []uint64, e *format.ChunkElements, i uint64) Chunk {
	if e.Sizes == nil {
		return x.chunk(scaled, e.Addrs[i], 0, 0)
	}
	return x.chunk(scaled, e.Addrs[i], e.Sizes[i], e.Masks[i])
}

func (x *array) Within(ctx context.Context, lo, hi []uint64, yield func(Chunk) error) error {
	if err := x.checkRank(lo, hi); err != nil {
		return err
	}
	e, err := x.open(ctx)
	if err != nil || e.end() == 0 {
		return err
	}
	w := x.walk(lo, hi, e.end())
	if w == nil {
		return nil
	}
	if err := e.prepare(ctx, w.from); err != nil {
		return err
	}
	pieces, err := x.pieces(ctx, e, w)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		els, err := e.load(ctx, p)
		if err != nil {
			return err
		}
		for i, ok := w.from(p.first); ok && i < p.first+p.count; i, ok = w.next() {
			if els.Addrs[i-p.first] == format.Undefined {
				continue
			}
			x.restore(w.scaled, w.at)
			if err := yield(x.element(w.scaled, els, i-p.first)); err != nil {
				return meta.Stopped(err)
			}
		}
	}
	return nil
}

// pieces returns the pieces that hold elements of the walk and exist, prefetched
// in one batch.
func (x *array) pieces(ctx context.Context, e elements, w *walk) ([]piece, error) {
	var pieces []piece
	var ranges []storage.Range
	var bytes uint64
	for i, ok := w.from(0); ok; {
		if err := ctx.Err(); err != nil {
			return nil, meta.StorageError(err, structure, x.f.Offset(x.addr))
		}
		p, err := e.piece(ctx, i)
		if err != nil {
			return nil, err
		}
		if p.addr != format.Undefined {
			pieces = append(pieces, p)
			// Pieces do not overlap, so that a sound file has room for all.
			if bytes += p.size; bytes > x.f.End() {
				return nil, corrupt("%d bytes of elements in a file of %d", bytes, x.f.End())
			}
			if _, cached := meta.Peek[*format.ChunkElements](x.f, p.addr, elementsKind); !cached {
				ranges = append(ranges, storage.Range{Off: int64(p.addr), Len: int64(p.size)})
			}
		}
		i, ok = w.from(p.first + p.count)
	}
	return pieces, x.f.Prefetch(ctx, ranges)
}

// walk goes through the points of a box in the order of a numbering.
type walk struct {
	*box
	n       *numbering
	end     uint64
	scaled  []uint64 // room for the coordinates by dimension
	scratch []uint64
}

// walk returns a walk of the box lo..hi of coordinates by dimension, over
// numbers below end; nil if there is none.
func (x *array) walk(lo, hi []uint64, end uint64) *walk {
	rank := x.grid.rank()
	low, high := make([]uint64, rank), make([]uint64, rank)
	x.permute(low, lo)
	x.permute(high, hi)
	counts := append([]uint64(nil), x.counts...)
	counts[0] = min(counts[0], (end-1)/x.down[0]+1)
	b := newBox(low, high, counts)
	if b == nil {
		return nil
	}
	return &walk{box: b, n: &x.numbering, end: end, scaled: make([]uint64, rank), scratch: make([]uint64, rank)}
}

// from moves to the first point whose number is not less than i and returns its
// number.
func (w *walk) from(i uint64) (uint64, bool) {
	if i >= w.end {
		return 0, false
	}
	w.n.point(i, w.scratch)
	return w.number(w.seek(w.scratch))
}

func (w *walk) next() (uint64, bool) { return w.number(w.box.next()) }

func (w *walk) number(ok bool) (uint64, bool) {
	if !ok {
		return 0, false
	}
	i, fits := w.n.index(w.at)
	return i, fits && i < w.end
}

// loadElements returns the elements of a piece from the cache, or decodes them.
func loadElements(ctx context.Context, f *meta.File, p piece, filtered bool, decode func(ctx context.Context) (format.ChunkElements, error)) (*format.ChunkElements, error) {
	e, ok := meta.Peek[*format.ChunkElements](f, p.addr, elementsKind)
	if !ok {
		var err error
		e, err = meta.Cached(ctx, f, p.addr, elementsKind, (*format.ChunkElements).Bytes,
			func(ctx context.Context) (*format.ChunkElements, error) {
				e, err := decode(ctx)
				return &e, err
			})
		if err != nil {
			return nil, err
		}
	}
	return p.check(e, filtered)
}

// check returns e, unless it does not belong to p: elements of the cache may have
// been decoded for another place.
func (p *piece) check(e *format.ChunkElements, filtered bool) (*format.ChunkElements, error) {
	if uint64(len(e.Addrs)) != p.count || (e.Sizes != nil) != filtered {
		return nil, corrupt("two places share the elements at address %d", p.addr)
	}
	return e, nil
}
