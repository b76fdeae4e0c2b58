package plan

import (
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/sel"
	"clawh5/storage"
)

// LocalGap is the hole that is read along on a local file: as long as copying
// it out of the page cache costs about what a further system call does. (A call
// takes 1 to 3 us, 10 GB/s are 10 to 30 KiB in that time, and a file that is
// not cached is read ahead in larger steps.)
const LocalGap = 64 << 10

// LocalMost is the longest read of a local file: small enough that what follows
// finds the bytes in a core's cache, large enough that the call costs nothing
// beside the copy.
const LocalMost = 1 << 20

// gap and most are the bounds of merging, in bytes.
func (p *Part) gap() int64 {
	if p.Remote {
		return storage.MergeGap
	}
	return LocalGap
}

func (p *Part) most() int64 {
	if p.Remote {
		return storage.MergeMax
	}
	return LocalMost
}

// contiguous plans data that lies in the file as it lies in the shape.
func (p *Part) contiguous(src *Source, s *sel.Selection) error {
	l := src.Layout
	if l.Address == format.Undefined {
		return p.unstored(s)
	}
	total, err := totalBytes(src)
	if err != nil {
		return err
	}
	// Messages before version 3 hold no size.
	if l.Size < total && (l.Version >= 3 || l.Size != 0) {
		return h5err.At(h5err.Corrupt, "data layout message", h5err.NoOffset,
			fmt.Sprintf("%d bytes of contiguous data for %d bytes of values", l.Size, total))
	}
	p.Kind = Tiles
	if p.Grid, err = sel.NewGrid(s, s.Shape()); err != nil {
		return err
	}
	var w sel.Window
	var origin [sel.MaxRank]uint64
	w.Set(p.Grid, origin[:len(s.Shape())])
	first, end := w.Extent()
	size := int64(src.ElemSize)
	lo, fits := cursor.Add(l.Address, uint64(first*size))
	if !fits {
		lo = format.Undefined
	}
	at, err := src.storeOffset("contiguous data", lo, uint64((end-first)*size))
	if err != nil {
		return err
	}
	p.Off = at - first*size
	p.pitch = pitches(s.Shape(), size)
	if box := p.tile(s, (end-first)*size); box != nil {
		p.Grid, err = sel.NewGrid(s, box)
	}
	return err
}

// pitches are the bytes from one position to the next on each axis.
func pitches(shape []uint64, size int64) []int64 {
	pitch := make([]int64, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		pitch[d] = size
		size *= int64(shape[d])
	}
	return pitch
}

// tile chooses the box of the grid; nil is the whole shape. A box is contiguous
// in the file, at most as long as one request should be where that is possible,
// and holds no hole that a request should not span, so that most boxes are one
// request and all of them are independent.
func (p *Part) tile(s *sel.Selection, span int64) []uint64 {
	shape := s.Shape()
	rank := len(shape)
	first := 0 // the outermost axis on which positions may share a box
	if !s.IsPoints() {
		first = p.gapAxis(s)
	}
	if rank == 0 || first == 0 && span <= p.most() {
		return nil
	}
	box := make([]uint64, rank)
	d := 0
	for ; d < rank; d++ {
		box[d] = 1
		if d < first {
			continue
		}
		if rows := p.most() / p.pitch[d]; rows > 0 {
			box[d] = min(uint64(rows), shape[d])
			break
		}
	}
	for d++; d < rank; d++ {
		box[d] = shape[d]
	}
	return box
}

// gapAxis is the axis behind the innermost one whose positions lie, on
// average, further apart than the gap; 0 if there is none.
func (p *Part) gapAxis(s *sel.Selection) int {
	axis, span := 0, p.ElemSize // of what is selected within one position
	for d := len(p.pitch) - 1; d >= 0; d-- {
		lo, hi := s.Reach(d)
		reach := int64(hi-lo) * p.pitch[d]
		if n := int64(s.OutShape()[d]); axis == 0 && n > 1 && reach/(n-1)-span > p.gap() {
			axis = d + 1
		}
		span += reach
	}
	return axis
}

// TileOffset is the store offset of a tile.
func (p *Part) TileOffset(scaled []uint64) int64 {
	off := p.Off
	for d, width := range p.Grid.Box() {
		off += int64(scaled[d]*width) * p.pitch[d]
	}
	return off
}
