package format

import (
	"math/bits"

	"clawh5/core/internal/cursor"
)

// ExtArrayHeader is the header of an extensible array (spec VII.D): the index of
// a dataset with one unlimited dimension. Elements are numbered; the first
// IndexElements lie in the index block, the others in data blocks, grouped by
// super block. Super block u has 2^(u/2) data blocks of MinElements*2^((u+1)/2)
// elements; the data blocks of the first super blocks are named by the index
// block, those of the others by a super block of their own.
type ExtArrayHeader struct {
	elementForm
	MaxBits       uint8 // bits of an element's number
	IndexElements uint8
	MinElements   uint8 // of a data block
	MinPointers   uint8 // data blocks of the first super block that is stored
	PageBits      uint8 // larger data blocks are cut into pages of 2^PageBits
	MaxIndexSet   uint64
	IndexBlock    uint64 // Undefined: no chunk yet
}

// maxExtArrayBits bounds arrays so that numbers of elements and offsets in them
// fit 64 bits. libhdf5 writes 32.
const maxExtArrayBits = 52

// ExtArrayHeaderSize returns the bytes of the header.
func ExtArrayHeaderSize(z Sizes) int { return 16 + 6*z.Length + z.Offset }

// DecodeExtArrayHeader reads the header at c and verifies its checksum.
func DecodeExtArrayHeader(c *cursor.Cursor, z Sizes) (ExtArrayHeader, error) {
	c.Signature("EAHD")
	c.Version(0, 0)
	h := ExtArrayHeader{
		elementForm:   decodeElementForm(c, z),
		MaxBits:       c.U8(),
		IndexElements: c.U8(),
		MinElements:   c.U8(),
		MinPointers:   c.U8(),
		PageBits:      c.U8(),
	}
	c.Skip(4 * z.Length) // number and size of super blocks and of data blocks
	h.MaxIndexSet = c.Uint(z.Length)
	c.Skip(z.Length) // elements realized
	h.IndexBlock = c.Addr(z.Offset)
	c.Checksum()
	if !c.Failed() {
		h.check(c)
	}
	return h, c.Err("extensible array header")
}

func (h *ExtArrayHeader) check(c *cursor.Cursor) {
	switch {
	case bits.OnesCount8(h.MinElements) != 1 || bits.OnesCount8(h.MinPointers) != 1:
		c.Corrupt("at least %d elements and %d data blocks: not powers of two", h.MinElements, h.MinPointers)
	case h.MaxBits > maxExtArrayBits:
		c.Unsupported("an array of 2^%d elements", h.MaxBits)
	case h.superBlocks() < h.indexSupers():
		c.Corrupt("an array of 2^%d elements with %d super blocks in its index block", h.MaxBits, h.indexSupers())
	case h.PageBits > 62:
		c.Corrupt("pages of 2^%d elements", h.PageBits)
	case h.indexSupers() > 0 && h.blockElements(h.indexSupers()-1) > h.pageElements():
		c.Corrupt("data blocks of the index block have %d elements, a page has %d",
			h.blockElements(h.indexSupers()-1), h.pageElements())
	case h.MaxIndexSet > 1<<h.MaxBits:
		c.Corrupt("%d elements in an array for 2^%d", h.MaxIndexSet, h.MaxBits)
	}
}

func (h *ExtArrayHeader) superBlocks() int {
	return 1 + int(h.MaxBits) - bits.TrailingZeros8(h.MinElements)
}

// indexSupers returns how many super blocks the index block stands for.
func (h *ExtArrayHeader) indexSupers() int { return 2 * bits.TrailingZeros8(h.MinPointers) }

func (h *ExtArrayHeader) pageElements() uint64 { return 1 << h.PageBits }

func superDataBlocks(super int) uint64 { return 1 << (super / 2) }

// blockElements returns the elements of a data block of a super block.
func (h *ExtArrayHeader) blockElements(super int) uint64 {
	return uint64(h.MinElements) << ((super + 1) / 2)
}

// paged reports whether the data blocks of a super block have pages.
func (h *ExtArrayHeader) paged(super int) bool { return h.blockElements(super) > h.pageElements() }

func (h *ExtArrayHeader) offsetWidth() int { return (int(h.MaxBits) + 7) / 8 }

// ExtArrayPlace says where an element lies.
type ExtArrayPlace struct {
	InIndex bool // in the index block itself, as element Element
	// Super is the number of a super block of its own, as in SuperBlocks, or -1
	// where the index block names the data block.
	Super   int
	level   int    // super block, counted from the first
	Block   uint64 // data block, as in DataBlocks of the index or super block
	Paged   bool
	Page    uint64 // page of the data block
	Element uint64 // element of the block or page

	// First and Count are the elements that lie in the same block or page.
	First, Count uint64
	// SuperFirst and SuperCount are those of the same super block,
	// BlockFirst and BlockCount those of the same data block.
	SuperFirst, SuperCount uint64
	BlockFirst, BlockCount uint64
}

// Locate returns the place of element i, which is smaller than MaxIndexSet, and
// whether the array has room for it.
func (h *ExtArrayHeader) Locate(i uint64) (ExtArrayPlace, bool) {
	n := uint64(h.IndexElements)
	if i < n {
		return ExtArrayPlace{InIndex: true, Element: i, Count: n}, true
	}
	least := uint64(h.MinElements)
	level := bits.Len64((i-n)/least+1) - 1
	if level >= h.superBlocks() {
		return ExtArrayPlace{}, false
	}
	p := ExtArrayPlace{Super: level - h.indexSupers(), level: level}
	p.SuperFirst, p.SuperCount = n+least*(1<<level-1), least<<level
	size := h.blockElements(level)
	p.Block = (i - p.SuperFirst) / size
	p.BlockFirst, p.BlockCount = p.SuperFirst+p.Block*size, size
	p.First, p.Count = p.BlockFirst, p.BlockCount
	p.Element = i - p.First
	if p.Super < 0 {
		p.Super = -1
		p.Block += dataBlocksBefore(level)
		return p, true
	}
	if p.Paged = h.paged(level); p.Paged {
		p.Page = p.Element >> h.PageBits
		p.First += p.Page << h.PageBits
		p.Count = h.pageElements()
		p.Element = i - p.First
	}
	return p, true
}

// dataBlocksBefore returns the data blocks of all super blocks before one.
func dataBlocksBefore(super int) uint64 {
	n := 2 * (superDataBlocks(super) - 1)
	if super%2 == 1 {
		n += superDataBlocks(super)
	}
	return n
}

func (h *ExtArrayHeader) blockPrefixSize(z Sizes) uint64 {
	return uint64(arrayBlockPrefix + z.Offset + h.offsetWidth() + checksumSize)
}

// DataBlockRange returns where the elements of a place lie, as an offset from
// the data block, and their bytes with all that is needed to check them.
func (h *ExtArrayHeader) DataBlockRange(z Sizes, p ExtArrayPlace) (off, size uint64) {
	if p.Paged {
		return h.blockPrefixSize(z) + p.Page*h.pageSize(p.Count), h.pageSize(p.Count)
	}
	return 0, h.blockPrefixSize(z) + p.Count*uint64(h.ElementSize)
}

// ExtArrayIndexBlock is the index block of an extensible array.
type ExtArrayIndexBlock struct {
	Elements    ChunkElements
	DataBlocks  []uint64
	SuperBlocks []uint64
}

func (h *ExtArrayHeader) indexDataBlocks() uint64 { return 2 * (uint64(h.MinPointers) - 1) }

// IndexBlockSize returns the bytes of the index block.
func (h *ExtArrayHeader) IndexBlockSize(z Sizes) int {
	pointers := int(h.indexDataBlocks()) + h.superBlocks() - h.indexSupers()
	return arrayBlockPrefix + z.Offset + checksumSize + int(h.IndexElements)*int(h.ElementSize) + pointers*z.Offset
}

// DecodeIndexBlock reads the index block at c and verifies its checksum. The
// array's header lies at address header.
func (h *ExtArrayHeader) DecodeIndexBlock(c *cursor.Cursor, z Sizes, header uint64) (ExtArrayIndexBlock, error) {
	h.blockPrefix(c, z, "EAIB", header)
	b := ExtArrayIndexBlock{
		Elements:    h.elements(c, z, uint64(h.IndexElements)),
		DataBlocks:  addresses(c, z, h.indexDataBlocks()),
		SuperBlocks: addresses(c, z, uint64(h.superBlocks()-h.indexSupers())),
	}
	c.Checksum()
	return b, c.Err("extensible array index block")
}

func addresses(c *cursor.Cursor, z Sizes, n uint64) []uint64 {
	if c.Failed() {
		return nil
	}
	if n > uint64(c.Len()/z.Offset) {
		c.Corrupt("%d addresses do not fit %d bytes", n, c.Len())
		return nil
	}
	a := make([]uint64, n)
	for i := range a {
		a[i] = c.Addr(z.Offset)
	}
	return a
}

// ExtArraySuperBlock is a super block of an extensible array.
type ExtArraySuperBlock struct {
	DataBlocks []uint64
	pages      uint64 // of a data block
	bitmap     []byte // of the pages of all data blocks
}

// HasPage reports whether a page of a data block was ever written.
func (b *ExtArraySuperBlock) HasPage(block, page uint64) bool {
	return bitSet(b.bitmap, block*b.pages+page)
}

// Bytes returns about the memory that b takes.
func (b *ExtArraySuperBlock) Bytes() int64 { return int64(8*len(b.DataBlocks) + len(b.bitmap)) }

// pagesOf returns the pages of a data block of a super block, and the bytes of
// their part of the bitmap.
func (h *ExtArrayHeader) pagesOf(super int) (pages, bitmap uint64) {
	if !h.paged(super) {
		return 0, 0
	}
	pages = h.blockElements(super) >> h.PageBits
	return pages, (pages + 7) / 8
}

// SuperBlockSize returns the bytes of a super block of its own.
func (h *ExtArrayHeader) SuperBlockSize(z Sizes, super int) uint64 {
	level := super + h.indexSupers()
	_, bitmap := h.pagesOf(level)
	n := uint64(arrayBlockPrefix + z.Offset + h.offsetWidth() + checksumSize)
	return n + superDataBlocks(level)*(bitmap+uint64(z.Offset))
}

// DecodeSuperBlock reads a super block at c and verifies its checksum. The
// offsets in blocks of the array are not checked: libhdf5 writes some of them
// wrong.
func (h *ExtArrayHeader) DecodeSuperBlock(c *cursor.Cursor, z Sizes, header uint64, super int) (ExtArraySuperBlock, error) {
	level := super + h.indexSupers()
	h.blockPrefix(c, z, "EASB", header)
	c.Skip(h.offsetWidth())
	pages, bitmap := h.pagesOf(level)
	b := ExtArraySuperBlock{pages: pages}
	n, ok := cursor.ToInt(superDataBlocks(level) * bitmap)
	if !ok {
		n = -1
	}
	b.bitmap = append([]byte(nil), c.Bytes(n)...)
	b.DataBlocks = addresses(c, z, superDataBlocks(level))
	c.Checksum()
	return b, c.Err("extensible array super block")
}

// DecodeElements reads the elements of a place, a data block or a page of one,
// at c and verifies their checksum.
func (h *ExtArrayHeader) DecodeElements(c *cursor.Cursor, z Sizes, header uint64, p ExtArrayPlace) (ChunkElements, error) {
	if p.Paged {
		e := h.page(c, z, p.Count)
		return e, c.Err("extensible array data block page")
	}
	h.blockPrefix(c, z, "EADB", header)
	c.Skip(h.offsetWidth())
	e := h.page(c, z, p.Count)
	return e, c.Err("extensible array data block")
}
