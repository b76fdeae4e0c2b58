package core

import (
	"context"
	"math"
	"slices"

	"clawh5/core/h5err"
	"clawh5/core/internal/chunk"
	"clawh5/core/internal/format"
)

// ChunkInfo is a chunk that has space in the file.
type ChunkInfo struct {
	Start   []uint64 // its first element
	Address uint64   // relative to the base address, as all addresses in the file
	Size    uint64   // bytes in the file
	Mask    uint32   // the filters that were skipped, by their place in the pipeline
}

// Chunks lists the chunks that have space in the file, in C order of their
// coordinates. Data that is not chunked has none.
func (d *Dataset) Chunks(ctx context.Context) ([]ChunkInfo, error) {
	stored, err := d.storedChunks(ctx)
	if err != nil {
		return nil, h5err.In(err, "list chunks", d.object.path)
	}
	chunks := make([]ChunkInfo, len(stored))
	for i := range stored {
		c := &stored[i]
		start := make([]uint64, len(c.Scaled))
		for k, n := range c.Scaled {
			start[k] = n * d.info.Layout.ChunkDims[k]
		}
		chunks[i] = ChunkInfo{Start: start, Address: c.Addr, Size: c.Size, Mask: c.Mask}
	}
	return chunks, nil
}

// AppendChunks lists the allocated chunks of a dataset as the JSON that
// clawh5.h specifies, in C order of their coordinates. Data that is not chunked
// has none.
func (d *Dataset) AppendChunks(ctx context.Context, dst []byte) ([]byte, error) {
	chunks, err := d.storedChunks(ctx)
	if err != nil {
		return dst, h5err.In(err, "list chunks", d.object.path)
	}
	w := jsonWriter{buf: dst}
	w.open('{')
	w.array("chunks")
	for i := range chunks {
		c := &chunks[i]
		w.open('[')
		w.int(d.file.objects.Offset(c.Addr))
		w.uint(c.Size)
		w.uint(uint64(c.Mask))
		for k, n := range c.Scaled {
			w.uint(n * d.info.Layout.ChunkDims[k])
		}
		w.close(']')
	}
	w.close(']')
	w.close('}')
	return w.buf, nil
}

// storedChunks returns the chunks of the extent that the file has, in C order.
func (d *Dataset) storedChunks(ctx context.Context) ([]chunk.Chunk, error) {
	var chunks []chunk.Chunk
	lo, hi, ok := d.chunkGrid()
	if !ok {
		return nil, nil
	}
	err := d.eachChunk(ctx, lo, hi, func(c chunk.Chunk) error {
		c.Scaled = slices.Clone(c.Scaled)
		chunks = append(chunks, c)
		return nil
	})
	slices.SortFunc(chunks, func(a, b chunk.Chunk) int { return slices.Compare(a.Scaled, b.Scaled) })
	return chunks, err
}

// chunkBytes returns the bytes of all chunks in the index, also of those that
// lie outside the extent.
func (d *Dataset) chunkBytes(ctx context.Context) (uint64, error) {
	lo, hi := make([]uint64, len(d.info.Space.Dims)), make([]uint64, len(d.info.Space.Dims))
	for i := range hi {
		hi[i] = math.MaxUint64
	}
	n := uint64(0)
	err := d.eachChunk(ctx, lo, hi, func(c chunk.Chunk) error {
		n += c.Size
		return nil
	})
	return n, err
}

// eachChunk yields the chunks lo..hi that the file has, both inclusive, in the
// order of the index.
func (d *Dataset) eachChunk(ctx context.Context, lo, hi []uint64, yield func(chunk.Chunk) error) error {
	if d.info.Layout.Class != format.ChunkedLayout {
		return nil
	}
	src, err := d.prepare(ctx)
	if err != nil || src.Index == nil {
		return err
	}
	return src.Index.Within(ctx, lo, hi, yield)
}

// chunkGrid returns the first and the last chunk of the dataset's extent; false
// if it has none.
func (d *Dataset) chunkGrid() (lo, hi []uint64, ok bool) {
	if d.info.Layout.Class != format.ChunkedLayout {
		return nil, nil, false
	}
	dims := d.info.Space.Dims
	lo, hi = make([]uint64, len(dims)), make([]uint64, len(dims))
	for i, n := range dims {
		if n == 0 {
			return nil, nil, false
		}
		hi[i] = (n - 1) / d.info.Layout.ChunkDims[i]
	}
	return lo, hi, true
}
