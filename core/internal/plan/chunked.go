package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"clawh5/core/h5err"
	"clawh5/core/internal/chunk"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/sel"
	"clawh5/storage"
)

// How chunks are looked up. Up to fewChunks are looked up one by one on a local
// file, one on a remote one; a selection that touches less than 1/sparseBoxes
// of the boxes in its bounds is looked up too, up to manyLookups of them.
const (
	fewChunks   = 8
	sparseBoxes = 16
	manyLookups = 4096
	lookupsBusy = 16
)

// No filter makes much more of a chunk than it is, but for headers of its own:
// a stored size beyond both is not worth its memory.
const (
	maxExpansion   = 2
	expansionSlack = 64 << 10
)

// chunked plans data that lies in chunks.
func (p *Part) chunked(ctx context.Context, src *Source, s *sel.Selection) error {
	dims := src.Layout.ChunkDims
	if len(dims) != len(src.Space.Dims) {
		return h5err.At(h5err.Corrupt, "data layout message", h5err.NoOffset,
			fmt.Sprintf("chunks of rank %d in a dataspace of rank %d", len(dims), len(src.Space.Dims)))
	}
	elems, ok := cursor.Product(dims)
	size, fits := cursor.Mul(elems, uint64(src.ElemSize))
	if elems == 0 {
		return h5err.At(h5err.Corrupt, "data layout message", h5err.NoOffset, "a chunk without elements")
	}
	if !ok || !fits || size > math.MaxInt64 {
		return h5err.At(h5err.Limit, "data layout message", h5err.NoOffset, "a chunk of more bytes than can be addressed")
	}
	var err error
	if p.Grid, err = sel.NewGrid(s, dims); err != nil {
		return err
	}
	p.Kind = Chunks
	touched := p.Grid.Touched()
	if src.Index != nil {
		if err := p.findChunks(ctx, src, touched, size); err != nil {
			return err
		}
	}
	p.Missing = touched - int64(len(p.Jobs))
	if len(p.Jobs) == 0 && !p.Placed {
		p.Kind = Fill
	}
	return nil
}

// findChunks makes the jobs.
func (p *Part) findChunks(ctx context.Context, src *Source, touched int64, chunkBytes uint64) error {
	lo, hi, boxes, _ := p.Grid.Bounds()
	few := int64(fewChunks)
	if src.Remote {
		few = 1
	}
	var err error
	switch {
	case touched <= few || touched <= manyLookups && boxes/touched >= sparseBoxes:
		err = p.lookup(ctx, src, int(touched), chunkBytes)
	default:
		err = src.Index.Within(ctx, lo, hi, func(c chunk.Chunk) error {
			if !p.Grid.Touches(c.Scaled) {
				return nil
			}
			j, err := p.job(src, c.Scaled, &c, chunkBytes)
			if err != nil {
				return err
			}
			p.Jobs = append(p.Jobs, j)
			return nil
		})
	}
	if err != nil {
		return err
	}
	return p.sortJobs(src)
}

// lookup finds the touched chunks one by one, several at once where the index
// may have to be fetched.
func (p *Part) lookup(ctx context.Context, src *Source, touched int, chunkBytes uint64) error {
	rank := len(p.Grid.Box())
	var coords []uint64
	if src.Remote && touched > 1 {
		coords = make([]uint64, 0, rank*touched)
	}
	p.Jobs = make([]Job, 0, touched)
	find := func(ctx context.Context, scaled []uint64) (Job, bool, error) {
		c, ok, err := src.Index.Lookup(ctx, scaled)
		if err != nil || !ok {
			return Job{}, false, err
		}
		j, err := p.job(src, scaled, &c, chunkBytes)
		return j, true, err
	}
	err := p.Grid.Each(func(scaled []uint64, _ uint64) error {
		if coords != nil {
			coords = append(coords, scaled...)
			return nil
		}
		j, ok, err := find(ctx, scaled)
		if ok && err == nil {
			p.Jobs = append(p.Jobs, j)
		}
		return err
	})
	if err != nil || coords == nil {
		return err
	}
	jobs, found := make([]Job, touched), make([]bool, touched)
	err = storage.Parallel(ctx, touched, lookupsBusy, func(ctx context.Context, i int) (err error) {
		jobs[i], found[i], err = find(ctx, coords[i*rank:(i+1)*rank])
		return err
	})
	for i, j := range jobs {
		if found[i] {
			p.Jobs = append(p.Jobs, j)
		}
	}
	return contextError(err)
}

// contextError gives the error of a context that ended outside of a store its
// kind.
func contextError(err error) error {
	var own *h5err.Error
	switch {
	case err == nil || errors.As(err, &own):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &h5err.Error{Kind: h5err.Timeout, Offset: h5err.NoOffset, Err: err}
	case errors.Is(err, context.Canceled):
		return &h5err.Error{Kind: h5err.Cancelled, Offset: h5err.NoOffset, Err: err}
	}
	return &h5err.Error{Kind: h5err.Internal, Offset: h5err.NoOffset, Err: err}
}

// job checks what an index says of a chunk.
func (p *Part) job(src *Source, scaled []uint64, c *chunk.Chunk, chunkBytes uint64) (Job, error) {
	ordinal, ok := p.Grid.Ordinal(scaled)
	if !ok {
		return Job{}, h5err.At(h5err.Internal, "chunk index", h5err.NoOffset, fmt.Sprintf("chunk %v is outside the grid", scaled))
	}
	off, err := src.storeOffset("chunk", c.Addr, c.Size)
	if err != nil {
		return Job{}, err
	}
	if !src.Filtered && c.Size != chunkBytes {
		return Job{}, h5err.At(h5err.Corrupt, "chunk", off,
			fmt.Sprintf("%d bytes stored of an unfiltered chunk of %d", c.Size, chunkBytes))
	}
	if c.Size/maxExpansion > chunkBytes+expansionSlack {
		return Job{}, h5err.At(h5err.Limit, "chunk", off, fmt.Sprintf("%d bytes stored for a chunk of %d", c.Size, chunkBytes))
	}
	return Job{Ordinal: ordinal, Off: off, Size: int64(c.Size), Mask: c.Mask}, nil
}

// sortJobs orders the jobs by ordinal, refuses two of one, and keeps the order
// of the file if that is another.
func (p *Part) sortJobs(src *Source) error {
	byOrdinal := func(a, b Job) int { return cmp.Compare(a.Ordinal, b.Ordinal) }
	if !slices.IsSortedFunc(p.Jobs, byOrdinal) {
		slices.SortFunc(p.Jobs, byOrdinal)
	}
	inOrder := true
	for i := 1; i < len(p.Jobs); i++ {
		a, b := &p.Jobs[i-1], &p.Jobs[i]
		if a.Ordinal == b.Ordinal {
			scaled := make([]uint64, len(p.Grid.Box()))
			p.Grid.Scaled(scaled, b.Ordinal)
			return h5err.At(h5err.Corrupt, "chunk index", b.Off, fmt.Sprintf("two chunks at %v", scaled))
		}
		inOrder = inOrder && a.Off <= b.Off
	}
	if inOrder || !src.Remote {
		return nil
	}
	if len(p.Jobs) > math.MaxInt32 {
		return h5err.New(h5err.Limit, fmt.Sprintf("%d chunks in one read", len(p.Jobs)))
	}
	p.order = make([]int32, len(p.Jobs))
	for i := range p.order {
		p.order[i] = int32(i)
	}
	slices.SortFunc(p.order, func(a, b int32) int { return cmp.Compare(p.Jobs[a].Off, p.Jobs[b].Off) })
	return nil
}

// InFileOrder is the i-th job by its place in the file.
func (p *Part) InFileOrder(i int) *Job {
	if p.order != nil {
		i = int(p.order[i])
	}
	return &p.Jobs[i]
}
