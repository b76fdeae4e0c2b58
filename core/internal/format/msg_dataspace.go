package format

import "clawh5/core/internal/cursor"

// SpaceKind is the kind of a dataspace.
type SpaceKind uint8

const (
	ScalarSpace SpaceKind = 0
	SimpleSpace SpaceKind = 1
	NullSpace   SpaceKind = 2
)

// Unlimited is the maximum size of a dimension that may grow without limit.
const Unlimited = ^uint64(0)

// MaxRank is the highest rank of a dataspace.
const MaxRank = 32

// Dataspace is the extent of a dataset or attribute (spec IV.A.2.b).
type Dataspace struct {
	Kind    SpaceKind
	Dims    []uint64
	MaxDims []uint64 // nil: the same as Dims
}

// Elements returns the number of elements and whether it fits 64 bits.
func (d *Dataspace) Elements() (uint64, bool) {
	if d.Kind == NullSpace {
		return 0, true
	}
	return cursor.Product(d.Dims)
}

// hasMaxDims is the flag of stored maximum sizes. The flag of a permutation
// index (version 1) was never implemented by any writer.
const hasMaxDims = 1 << 0

// DecodeDataspace reads a dataspace message.
func DecodeDataspace(c *cursor.Cursor, z Sizes) (Dataspace, error) {
	var d Dataspace
	version := c.Version(1, 2)
	rank := int(c.U8())
	flags := c.U8()
	d.Kind = SpaceKind(c.U8())
	if version == 1 {
		d.Kind = SimpleSpace
		c.Skip(4) // reserved
	}
	switch {
	case rank > MaxRank:
		c.Corrupt("rank %d, the highest is %d", rank, MaxRank)
	case d.Kind > NullSpace:
		c.Unsupported("dataspace of kind %d", d.Kind)
	case d.Kind != SimpleSpace && rank > 0:
		c.Corrupt("a scalar or null dataspace of rank %d", rank)
	case d.Kind == SimpleSpace && rank == 0:
		d.Kind = ScalarSpace
	}
	if rank > 0 && !c.Failed() {
		d.sizes(c, z, rank, flags&hasMaxDims != 0)
	}
	return d, c.Err("dataspace message")
}

// sizes reads the dimensions, and their maxima if they are stored.
func (d *Dataspace) sizes(c *cursor.Cursor, z Sizes, rank int, maxima bool) {
	n := rank
	if maxima {
		n *= 2
	}
	if c.Len() < n*z.Length {
		c.Skip(n * z.Length)
		return
	}
	all := make([]uint64, n)
	for i := range rank {
		all[i] = c.Uint(z.Length)
	}
	for i := rank; i < n; i++ {
		if all[i] = c.Addr(z.Length); all[i] < all[i-rank] {
			c.Corrupt("dimension %d has size %d, its maximum is %d", i-rank, all[i-rank], all[i])
		}
	}
	d.Dims = all[:rank:rank]
	if maxima {
		d.MaxDims = all[rank:]
	}
}
