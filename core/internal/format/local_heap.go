package format

import "clawh5/core/internal/cursor"

// LocalHeap is the header of a local heap (spec III.D): names and soft link
// values of an old-style group lie in its data segment.
type LocalHeap struct {
	SegmentSize uint64
	FreeHead    uint64 // offset of the first free block in the segment
	Segment     uint64 // address
}

// LocalHeapSize returns the bytes of the header.
func LocalHeapSize(z Sizes) int { return 8 + 2*z.Length + z.Offset }

// DecodeLocalHeap reads the header at c. The segment itself is not read.
func DecodeLocalHeap(c *cursor.Cursor, z Sizes) (LocalHeap, error) {
	c.Signature("HEAP")
	c.Version(0, 0)
	c.Skip(3) // reserved
	h := LocalHeap{
		SegmentSize: c.Uint(z.Length),
		FreeHead:    c.Uint(z.Length),
		Segment:     c.Addr(z.Offset),
	}
	return h, c.Err("local heap")
}
