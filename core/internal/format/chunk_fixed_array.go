package format

import (
	"math"

	"clawh5/core/internal/cursor"
)

// ChunkElements are elements of a fixed or extensible array: the chunks of a
// range of the array. Sizes and Masks are nil for chunks without filters.
type ChunkElements struct {
	Addrs []uint64 // Undefined: never written
	Sizes []uint64 // stored bytes
	Masks []uint32
}

// elementForm is how an array stores a chunk.
type elementForm struct {
	Filtered    bool
	ElementSize uint8
}

const (
	plainElements    = 0 // client ID of arrays of chunks without filters
	filteredElements = 1

	chunkMaskWidth = 4

	// arrayBlockPrefix is the bytes of signature, version and client ID.
	arrayBlockPrefix = 6
	checksumSize     = 4
)

func decodeElementForm(c *cursor.Cursor, z Sizes) elementForm {
	client := c.U8()
	f := elementForm{Filtered: client == filteredElements, ElementSize: c.U8()}
	switch {
	case c.Failed():
	case client > filteredElements:
		c.Unsupported("array of client %d", client)
	case !f.Filtered && int(f.ElementSize) != z.Offset,
		f.Filtered && (f.sizeWidth(z) < 1 || f.sizeWidth(z) > 8):
		c.Corrupt("elements of %d bytes, client %d", f.ElementSize, client)
	}
	return f
}

func (f elementForm) client() uint8 {
	if f.Filtered {
		return filteredElements
	}
	return plainElements
}

func (f elementForm) sizeWidth(z Sizes) int { return int(f.ElementSize) - z.Offset - chunkMaskWidth }

// blockPrefix checks what begins every block of an array.
func (f elementForm) blockPrefix(c *cursor.Cursor, z Sizes, signature string, header uint64) {
	c.Signature(signature)
	c.Version(0, 0)
	if client := c.U8(); !c.Failed() && client != f.client() {
		c.Corrupt("block of client %d in an array of client %d", client, f.client())
	}
	if a := c.Addr(z.Offset); !c.Failed() && a != header {
		c.Corrupt("block of the array at %d in the array at %d", a, header)
	}
}

// elements reads n elements.
func (f elementForm) elements(c *cursor.Cursor, z Sizes, n uint64) ChunkElements {
	var e ChunkElements
	if c.Failed() {
		return e
	}
	if n > uint64(c.Len())/uint64(f.ElementSize) {
		c.Corrupt("%d elements do not fit %d bytes", n, c.Len())
		return e
	}
	e.Addrs = make([]uint64, n)
	if f.Filtered {
		e.Sizes, e.Masks = make([]uint64, n), make([]uint32, n)
	}
	for i := range e.Addrs {
		e.Addrs[i] = c.Addr(z.Offset)
		if f.Filtered {
			e.Sizes[i] = c.Uint(f.sizeWidth(z))
			e.Masks[i] = c.U32()
		}
	}
	return e
}

// pageSize returns the bytes of a page of n elements, which fit 64 bits where
// the header's check passed.
func (f elementForm) pageSize(n uint64) uint64 { return n*uint64(f.ElementSize) + checksumSize }

// page reads a page of n elements.
func (f elementForm) page(c *cursor.Cursor, z Sizes, n uint64) ChunkElements {
	e := f.elements(c, z, n)
	c.Checksum()
	return e
}

// bitSet reports bit i of a page bitmap, whose first bit is the highest of the
// first byte.
func bitSet(bitmap []byte, i uint64) bool {
	return i/8 < uint64(len(bitmap)) && bitmap[i/8]&(0x80>>(i%8)) != 0
}

// FixedArrayHeader is the header of a fixed array (spec VII.C): the index of a
// dataset that cannot grow beyond known dimensions.
type FixedArrayHeader struct {
	elementForm
	PageBits  uint8
	Entries   uint64
	DataBlock uint64 // Undefined: no chunk yet
}

const (
	fixedArrayHeaderSignature = "FAHD"
	fixedArrayBlockSignature  = "FADB"

	// maxArrayBytes bounds arrays so that offsets in them fit 64 bits.
	maxArrayBytes = math.MaxInt64 / 4
)

// FixedArrayHeaderSize returns the bytes of the header.
func FixedArrayHeaderSize(z Sizes) int { return 12 + z.Length + z.Offset }

// DecodeFixedArrayHeader reads the header at c and verifies its checksum.
func DecodeFixedArrayHeader(c *cursor.Cursor, z Sizes) (FixedArrayHeader, error) {
	c.Signature(fixedArrayHeaderSignature)
	c.Version(0, 0)
	h := FixedArrayHeader{
		elementForm: decodeElementForm(c, z),
		PageBits:    c.U8(),
		Entries:     c.Uint(z.Length),
		DataBlock:   c.Addr(z.Offset),
	}
	c.Checksum()
	switch {
	case c.Failed():
	case h.PageBits > 62:
		c.Corrupt("pages of 2^%d elements", h.PageBits)
	case h.Entries > maxArrayBytes/(uint64(h.ElementSize)+checksumSize):
		c.Corrupt("%d elements", h.Entries)
	}
	return h, c.Err("fixed array header")
}

// Paged reports whether the elements lie in pages behind the data block.
func (h *FixedArrayHeader) Paged() bool { return h.Entries > h.PageEntries() }

// PageEntries returns the elements of a page.
func (h *FixedArrayHeader) PageEntries() uint64 { return 1 << h.PageBits }

func (h *FixedArrayHeader) pages() uint64 {
	return (h.Entries + h.PageEntries() - 1) >> h.PageBits
}

// DataBlockSize returns the bytes of the data block, without pages.
func (h *FixedArrayHeader) DataBlockSize(z Sizes) uint64 {
	n := uint64(arrayBlockPrefix + z.Offset + checksumSize)
	if h.Paged() {
		return n + (h.pages()+7)/8
	}
	return n + h.Entries*uint64(h.ElementSize)
}

// Page returns where a page lies, as an offset from the data block, its bytes,
// and its elements.
func (h *FixedArrayHeader) Page(z Sizes, page uint64) (off, size, entries uint64) {
	entries = min(h.PageEntries(), h.Entries-page<<h.PageBits)
	return h.DataBlockSize(z) + page*h.pageSize(h.PageEntries()), h.pageSize(entries), entries
}

// FixedArrayBlock is the data block of a fixed array.
type FixedArrayBlock struct {
	Elements ChunkElements // unless paged
	bitmap   []byte
}

// HasPage reports whether a page was ever written.
func (b *FixedArrayBlock) HasPage(page uint64) bool { return bitSet(b.bitmap, page) }

// Bytes returns about the memory that b takes.
func (b *FixedArrayBlock) Bytes() int64 { return b.Elements.Bytes() + int64(len(b.bitmap)) }

// Bytes returns the memory that e takes.
func (e *ChunkElements) Bytes() int64 {
	return int64(8*len(e.Addrs) + 8*len(e.Sizes) + 4*len(e.Masks))
}

// DecodeDataBlock reads the data block at c and verifies its checksum. The
// array's header lies at address header.
func (h *FixedArrayHeader) DecodeDataBlock(c *cursor.Cursor, z Sizes, header uint64) (FixedArrayBlock, error) {
	var b FixedArrayBlock
	h.blockPrefix(c, z, fixedArrayBlockSignature, header)
	if h.Paged() {
		n, ok := cursor.ToInt((h.pages() + 7) / 8)
		if !ok {
			n = -1
		}
		b.bitmap = append([]byte(nil), c.Bytes(n)...)
	} else {
		b.Elements = h.elements(c, z, h.Entries)
	}
	c.Checksum()
	return b, c.Err("fixed array data block")
}

// DecodePage reads a page of entries at c and verifies its checksum.
func (h *FixedArrayHeader) DecodePage(c *cursor.Cursor, z Sizes, entries uint64) (ChunkElements, error) {
	e := h.page(c, z, entries)
	return e, c.Err("fixed array data block page")
}
