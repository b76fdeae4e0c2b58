package core

import (
	"context"

	"clawh5/core/h5err"
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

// DataAddress returns the address of contiguous data, or of the index of
// chunks; false if the file has given it no space.
func (d *Dataset) DataAddress() (uint64, bool) {
	l := &d.info.Layout
	ok := l.Class == format.ContiguousLayout || l.Class == format.ChunkedLayout
	return l.Address, ok && l.Address != format.Undefined && d.info.External == nil
}
