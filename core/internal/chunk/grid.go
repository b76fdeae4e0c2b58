package chunk

import (
	"slices"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// endless is the number of chunks along an unlimited dimension.
const endless = ^uint64(0)

// grid is how chunks cover a dataset.
type grid struct {
	chunk  []uint64 // elements of a chunk by dimension
	dims   []uint64 // elements of the dataset now
	counts []uint64 // chunks that the dataset may ever have; endless if unlimited
}

func newGrid(chunkDims []uint64, space *format.Dataspace) (grid, error) {
	g := grid{chunk: chunkDims, dims: space.Dims}
	if len(chunkDims) != len(space.Dims) || len(chunkDims) == 0 ||
		(space.MaxDims != nil && len(space.MaxDims) != len(space.Dims)) {
		return g, corrupt("chunks of rank %d in a dataset of rank %d", len(chunkDims), len(space.Dims))
	}
	for d, size := range chunkDims {
		if size == 0 {
			return g, corrupt("a chunk of size 0 in dimension %d", d)
		}
		most := space.Dims[d]
		if space.MaxDims != nil {
			most = space.MaxDims[d]
		}
		switch {
		case most == format.Unlimited:
			g.counts = append(g.counts, endless)
		case most < space.Dims[d]:
			return g, corrupt("dimension %d has %d elements, at most %d", d, space.Dims[d], most)
		default:
			g.counts = append(g.counts, cover(most, size))
		}
	}
	return g, nil
}

// cover returns how many pieces of a size cover n.
func cover(n, size uint64) uint64 {
	if n == 0 {
		return 0
	}
	return (n-1)/size + 1
}

// now returns the chunks by dimension of the dataset as it is.
func (g *grid) now() []uint64 {
	n := make([]uint64, g.rank())
	for d := range n {
		n[d] = cover(g.dims[d], g.chunk[d])
	}
	return n
}

func (g *grid) rank() int { return len(g.chunk) }

// isEdge reports whether a chunk reaches over the edge of the dataset.
func (g *grid) isEdge(scaled []uint64) bool {
	for d, s := range scaled {
		// Whether s*chunk+chunk > dims, without overflow.
		if s >= g.dims[d]/g.chunk[d] {
			return true
		}
	}
	return false
}

// box is a range of coordinates, both ends inclusive, with a place in it.
type box struct {
	lo, hi, at []uint64
}

// newBox returns the box lo..hi, cut to fewer than counts, at its first point.
// It is nil where that is empty.
func newBox(lo, hi, counts []uint64) *box {
	b := &box{lo: slices.Clone(lo), hi: slices.Clone(hi), at: slices.Clone(lo)}
	for d := range lo {
		if counts[d] == 0 {
			return nil
		}
		b.hi[d] = min(b.hi[d], counts[d]-1)
		if b.lo[d] > b.hi[d] {
			return nil
		}
	}
	return b
}

func (b *box) has(p []uint64) bool {
	for d, v := range p {
		if v < b.lo[d] || v > b.hi[d] {
			return false
		}
	}
	return true
}

// next moves to the next point in row-major order and reports whether there is
// one.
func (b *box) next() bool { return b.carry(len(b.at) - 1) }

// carry moves to the first point whose coordinates 0..d lie beyond those of at.
func (b *box) carry(d int) bool {
	for ; d >= 0; d-- {
		if b.at[d] < b.hi[d] {
			b.at[d]++
			copy(b.at[d+1:], b.lo[d+1:])
			return true
		}
	}
	return false
}

// seek moves to the first point that does not lie before p in row-major order
// and reports whether there is one.
func (b *box) seek(p []uint64) bool {
	for d, v := range p {
		switch {
		case v < b.lo[d]:
			copy(b.at[d:], b.lo[d:])
			return true
		case v > b.hi[d]:
			return b.carry(d - 1)
		}
		b.at[d] = v
	}
	return true
}

// before reports whether a lies before b in row-major order.
func before(a, b []uint64) bool {
	for d, v := range a {
		if v != b[d] {
			return v < b[d]
		}
	}
	return false
}

// numbering is a row-major numbering of the chunks of a grid, its dimensions in
// an order of its own.
type numbering struct {
	axis   []int    // position -> dimension of the dataset
	counts []uint64 // by position
	down   []uint64 // by position: chunks in one step along it
	total  uint64   // of all chunks; largest number if the first is endless
}

// number returns the numbering with dimension first in front, or what is wrong
// with it.
func (g *grid) number(first int) (numbering, error) {
	n := numbering{axis: []int{first}}
	for d := range g.counts {
		if d != first {
			n.axis = append(n.axis, d)
		}
	}
	n.counts, n.down = make([]uint64, g.rank()), make([]uint64, g.rank())
	step := uint64(1)
	for p := g.rank() - 1; p >= 0; p-- {
		count := g.counts[n.axis[p]]
		n.counts[p], n.down[p] = count, step
		var ok bool
		if step, ok = cursor.Mul(step, count); !ok && p > 0 {
			return n, corrupt("more chunks than 64 bits can number")
		} else if !ok {
			step = endless
		}
	}
	n.total = step
	return n, nil
}

// index returns the number of a point given by position, and whether it fits.
func (n *numbering) index(at []uint64) (uint64, bool) {
	var i uint64
	for p, v := range at {
		step, ok := cursor.Mul(v, n.down[p])
		var fits bool
		if i, fits = cursor.Add(i, step); !ok || !fits {
			return 0, false
		}
	}
	return i, true
}

// point sets at to the point of number i, by position.
func (n *numbering) point(i uint64, at []uint64) {
	for p := range at {
		at[p] = i / n.down[p]
		i %= n.down[p]
	}
}

// permute sets dst to coordinates by position, given src by dimension.
func (n *numbering) permute(dst, src []uint64) {
	for p, d := range n.axis {
		dst[p] = src[d]
	}
}

// restore sets dst to coordinates by dimension, given src by position.
func (n *numbering) restore(dst, src []uint64) {
	for p, d := range n.axis {
		dst[d] = src[p]
	}
}
