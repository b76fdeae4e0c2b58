package format

import (
	"math/bits"

	"clawh5/core/internal/cursor"
)

// FractalHeapHeader is the header of a fractal heap (spec III.G). Its managed
// objects lie in one address space, cut into blocks by a doubling table: rows of
// Width blocks, the first two rows of StartBlock bytes a block, each later row
// of twice the size of the one before. Blocks up to MaxDirect bytes are direct
// and hold data, larger ones are indirect and are cut up in the same way.
type FractalHeapHeader struct {
	IDLength        uint16
	FilterLength    uint16
	ChecksumsBlocks bool   // direct blocks have a checksum
	MaxManaged      uint32 // bytes of the largest managed object
	HugeBTree       uint64

	ManagedObjects, HugeObjects, TinyObjects uint64

	Width      uint16
	StartBlock uint64
	MaxDirect  uint64
	MaxBits    uint16 // the address space has 1<<MaxBits bytes
	Root       uint64 // direct block if RootRows is 0, else indirect block
	RootRows   uint16

	RootSize uint64 // filtered: stored bytes of a direct root block
	RootMask uint32
	Pipeline []byte // filtered: a filter pipeline message

	startBits, widthBits int
}

const fractalHeapChecksums = 1 << 1

// FractalHeapHeaderSize returns the bytes of a header with filterLength bytes of
// filter pipeline.
func FractalHeapHeaderSize(z Sizes, filterLength uint16) int {
	n := 26 + 12*z.Length + 3*z.Offset
	if filterLength > 0 {
		n += z.Length + 4 + int(filterLength)
	}
	return n
}

// FractalHeapFilterLength reads how long the filter pipeline of the header at c
// is, so that the whole header can be fetched.
func FractalHeapFilterLength(c *cursor.Cursor) (uint16, error) {
	c.Signature("FRHP")
	c.Version(0, 0)
	c.Skip(2) // heap ID length
	return c.U16(), c.Err("fractal heap header")
}

// DecodeFractalHeapHeader reads the header at c and verifies its checksum.
func DecodeFractalHeapHeader(c *cursor.Cursor, z Sizes) (FractalHeapHeader, error) {
	var h FractalHeapHeader
	c.Signature("FRHP")
	c.Version(0, 0)
	h.IDLength = c.U16()
	h.FilterLength = c.U16()
	h.ChecksumsBlocks = c.U8()&fractalHeapChecksums != 0
	h.MaxManaged = c.U32()
	c.Skip(z.Length) // next huge object ID
	h.HugeBTree = c.Addr(z.Offset)
	c.Skip(z.Length + z.Offset) // free space: amount, manager
	c.Skip(3 * z.Length)        // managed space: amount, allocated, iterator
	h.ManagedObjects = c.Uint(z.Length)
	c.Skip(z.Length) // size of huge objects
	h.HugeObjects = c.Uint(z.Length)
	c.Skip(z.Length) // size of tiny objects
	h.TinyObjects = c.Uint(z.Length)
	h.Width = c.U16()
	h.StartBlock = c.Uint(z.Length)
	h.MaxDirect = c.Uint(z.Length)
	h.MaxBits = c.U16()
	c.Skip(2) // starting rows of the root block
	h.Root = c.Addr(z.Offset)
	h.RootRows = c.U16()
	if h.FilterLength > 0 {
		h.RootSize = c.Uint(z.Length)
		h.RootMask = c.U32()
		h.Pipeline = c.Bytes(int(h.FilterLength))
	}
	c.Checksum()
	if !c.Failed() {
		h.check(c)
	}
	return h, c.Err("fractal heap header")
}

// check refuses doubling tables that block arithmetic could not follow.
func (h *FractalHeapHeader) check(c *cursor.Cursor) {
	for _, v := range [...]uint64{uint64(h.Width), h.StartBlock, h.MaxDirect} {
		if bits.OnesCount64(v) != 1 {
			c.Corrupt("doubling table with width %d, blocks of %d to %d bytes: not powers of two",
				h.Width, h.StartBlock, h.MaxDirect)
			return
		}
	}
	h.startBits, h.widthBits = bits.TrailingZeros64(h.StartBlock), bits.TrailingZeros16(h.Width)
	switch {
	case h.MaxDirect < h.StartBlock:
		c.Corrupt("largest direct block of %d bytes, the first has %d", h.MaxDirect, h.StartBlock)
	case h.MaxBits > 64 || int(h.MaxBits) < h.startBits+h.widthBits:
		c.Corrupt("a heap of 2^%d bytes with a first row of 2^%d", h.MaxBits, h.startBits+h.widthBits)
	case int(h.RootRows) > int(h.MaxBits)-h.startBits-h.widthBits+1:
		c.Corrupt("%d rows in the root block of a heap of 2^%d bytes", h.RootRows, h.MaxBits)
	case h.IDLength == 0:
		c.Corrupt("heap IDs without length")
	}
}

// Filtered reports whether objects of the heap went through filters.
func (h *FractalHeapHeader) Filtered() bool { return h.FilterLength > 0 }

func (h *FractalHeapHeader) offsetWidth() int { return (int(h.MaxBits) + 7) / 8 }

func (h *FractalHeapHeader) lengthWidth() int {
	return min((bits.TrailingZeros64(h.MaxDirect)+7)/8, bytesFor(uint64(h.MaxManaged)))
}

// DirectOverhead returns the bytes before the first object of a direct block.
func (h *FractalHeapHeader) DirectOverhead(z Sizes) int {
	n := 5 + z.Offset + h.offsetWidth()
	if h.ChecksumsBlocks {
		n += 4
	}
	return n
}

// maxDirectRows returns the rows of direct blocks in an indirect block.
func (h *FractalHeapHeader) maxDirectRows() int {
	return bits.TrailingZeros64(h.MaxDirect) - h.startBits + 2
}

// BlockSize returns the bytes of a block of a row.
func (h *FractalHeapHeader) BlockSize(row int) uint64 {
	return h.StartBlock << max(0, row-1)
}

// IndirectRows returns the rows of the indirect block that stands for a block of
// the given size in its parent.
func (h *FractalHeapHeader) IndirectRows(size uint64) int {
	return bits.Len64(size) - h.startBits - h.widthBits
}

// Locate returns the entry of an indirect block, by its place in Entries, and
// the offset in that entry's block for an offset in the indirect block.
func (h *FractalHeapHeader) Locate(off uint64) (entry, row int, within uint64) {
	firstRow := h.startBits + h.widthBits
	if off>>firstRow == 0 {
		return int(off >> h.startBits), 0, off & (h.StartBlock - 1)
	}
	row = bits.Len64(off) - firstRow
	inRow := off - 1<<(bits.Len64(off)-1)
	size := h.BlockSize(row)
	return row<<h.widthBits + int(inRow/size), row, inRow % size
}

// IsDirect reports whether the blocks of a row are direct.
func (h *FractalHeapHeader) IsDirect(row int) bool { return row < h.maxDirectRows() }

// DecodeDirectBlock checks a direct block: its prefix, and its checksum if it
// has one. The block is the whole of buf, unfiltered, which lies at fileOffset;
// a buffer with a checksum is changed, and changed back.
func (h *FractalHeapHeader) DecodeDirectBlock(buf []byte, fileOffset int64, z Sizes, heap, blockOffset uint64) error {
	const structure = "fractal heap direct block"
	c := cursor.New(buf, fileOffset)
	c.Signature("FHDB")
	h.blockPrefix(c, z, heap, blockOffset)
	if h.ChecksumsBlocks {
		field := c.Bytes(4)
		if err := c.Err(structure); err != nil {
			return err
		}
		stored := cursor.New(field, 0).U32()
		saved := [4]byte(field)
		clear(field) // the checksum is of the block with a zero in its place
		sum := cursor.Lookup3(buf, 0)
		copy(field, saved[:])
		if sum != stored {
			c.Corrupt("checksum %#08x, the bytes give %#08x", stored, sum)
		}
	}
	return c.Err(structure)
}

func (h *FractalHeapHeader) blockPrefix(c *cursor.Cursor, z Sizes, heap, blockOffset uint64) {
	c.Version(0, 0)
	if a := c.Addr(z.Offset); !c.Failed() && a != heap {
		c.Corrupt("block of the heap at %d in the heap at %d", a, heap)
	}
	if o := c.Uint(h.offsetWidth()); !c.Failed() && o != blockOffset {
		c.Corrupt("block with offset %d at offset %d of the heap", o, blockOffset)
	}
}

// FractalHeapEntry points at a block in an indirect block.
type FractalHeapEntry struct {
	Addr uint64 // Undefined: no block yet
	Size uint64 // filtered direct blocks: stored bytes
	Mask uint32
}

// IndirectBlockSize returns the bytes of an indirect block.
func (h *FractalHeapHeader) IndirectBlockSize(z Sizes, rows int) int {
	direct := min(rows, h.maxDirectRows()) << h.widthBits
	n := 9 + z.Offset + h.offsetWidth() + rows<<h.widthBits*z.Offset
	if h.Filtered() {
		n += direct * (z.Length + 4)
	}
	return n
}

// DecodeIndirectBlock reads an indirect block of rows at c, which holds its
// IndirectBlockSize bytes, and verifies its checksum.
func (h *FractalHeapHeader) DecodeIndirectBlock(c *cursor.Cursor, z Sizes, heap, blockOffset uint64, rows int) ([]FractalHeapEntry, error) {
	const structure = "fractal heap indirect block"
	c.Signature("FHIB")
	h.blockPrefix(c, z, heap, blockOffset)
	n, direct := rows<<h.widthBits, min(rows, h.maxDirectRows())<<h.widthBits
	if !c.Failed() && n > c.Len()/z.Offset {
		c.Corrupt("%d entries do not fit %d bytes", n, c.Len())
	}
	if err := c.Err(structure); err != nil {
		return nil, err
	}
	entries := make([]FractalHeapEntry, n)
	for i := range entries {
		entries[i].Addr = c.Addr(z.Offset)
		if h.Filtered() && i < direct {
			entries[i].Size = c.Uint(z.Length)
			entries[i].Mask = c.U32()
		}
	}
	c.Checksum()
	return entries, c.Err(structure)
}
