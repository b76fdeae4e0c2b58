package chunk

import (
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
)

// Chunk is an allocated chunk.
type Chunk struct {
	Scaled []uint64 // coordinates in units of chunks; valid only during a yield
	Addr   uint64
	Size   uint64 // stored bytes
	Mask   uint32 // bit i: filter i of the pipeline was skipped
}

// Index finds the chunks of a dataset. It may be used by any number of
// goroutines.
type Index interface {
	// Within yields every allocated chunk whose coordinates lie in lo..hi,
	// both inclusive, in the order of the index. meta.ErrStop ends it without
	// an error. Only what the box touches of the index is fetched.
	Within(ctx context.Context, lo, hi []uint64, yield func(Chunk) error) error
	// Lookup returns the chunk at a place and whether it is allocated. Its
	// Scaled is nil.
	Lookup(ctx context.Context, scaled []uint64) (Chunk, bool, error)
}

const structure = "chunk index"

// unfiltered is the mask of a chunk that no filter was applied to.
const unfiltered = ^uint32(0)

// dataset is what every index knows about its dataset.
type dataset struct {
	f        *meta.File
	addr     uint64 // of the index
	grid     grid
	bytes    uint64 // of an unfiltered chunk
	filtered bool
	// plainEdges: chunks that reach over the edge did not go through filters.
	plainEdges bool
}

// Open returns the index of a dataset with a chunked layout. It fetches nothing:
// the index is read when it is first asked.
func Open(_ context.Context, f *meta.File, l *format.Layout, space *format.Dataspace, elemSize uint32, filtered bool) (Index, error) {
	g, err := newGrid(l.ChunkDims, space)
	if err != nil {
		return nil, err
	}
	d := dataset{f: f, addr: l.Address, grid: g, filtered: filtered}
	d.plainEdges = filtered && l.DontFilterPartialEdgeChunks
	elements, ok := cursor.Product(l.ChunkDims)
	size, fits := cursor.Mul(elements, uint64(elemSize))
	if !ok || !fits || size == 0 {
		return nil, corrupt("chunks of %d elements of %d bytes", l.ChunkDims, elemSize)
	}
	d.bytes = size
	if l.Address == format.Undefined {
		return empty{}, nil
	}
	switch l.Index {
	case format.BTreeV1Index:
		return &btree1{d}, nil
	case format.SingleChunkIndex:
		return newSingle(d, l), nil
	case format.ImplicitIndex:
		return newImplicit(d)
	case format.FixedArrayIndex:
		return newFixedArray(d)
	case format.ExtensibleArrayIndex:
		return newExtArray(d)
	case format.BTreeV2Index:
		return &btree2{d}, nil
	}
	return nil, h5err.New(h5err.Unsupported, fmt.Sprintf("chunk index of type %d", l.Index))
}

func corrupt(detail string, args ...any) error {
	return h5err.At(h5err.Corrupt, structure, h5err.NoOffset, fmt.Sprintf(detail, args...))
}

// checkRank refuses coordinates of another rank than the dataset's.
func (d *dataset) checkRank(coordinates ...[]uint64) error {
	for _, c := range coordinates {
		if len(c) != d.grid.rank() {
			return h5err.New(h5err.Internal, fmt.Sprintf("%d chunk coordinates for rank %d", len(c), d.grid.rank()))
		}
	}
	return nil
}

// chunk returns the chunk that an index holds with an address, stored bytes and
// a filter mask, the latter two for filtered datasets only.
func (d *dataset) chunk(scaled []uint64, addr, size uint64, mask uint32) Chunk {
	c := Chunk{Scaled: scaled, Addr: addr, Size: size, Mask: mask}
	switch {
	case !d.filtered:
		c.Size, c.Mask = d.bytes, 0
	case d.plainEdges && d.grid.isEdge(scaled):
		c.Mask = unfiltered
	}
	return c
}

// empty is the index of a dataset without any chunk.
type empty struct{}

func (empty) Within(context.Context, []uint64, []uint64, func(Chunk) error) error { return nil }

func (empty) Lookup(context.Context, []uint64) (Chunk, bool, error) { return Chunk{}, false, nil }
