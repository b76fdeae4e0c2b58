package format

import "clawh5/core/internal/cursor"

// LayoutClass is how the raw data of a dataset lies in the file.
type LayoutClass uint8

const (
	CompactLayout    LayoutClass = 0
	ContiguousLayout LayoutClass = 1
	ChunkedLayout    LayoutClass = 2
	VirtualLayout    LayoutClass = 3
)

// IndexKind is the structure that maps chunks to addresses.
type IndexKind uint8

const (
	SingleChunkIndex     IndexKind = 1
	ImplicitIndex        IndexKind = 2
	FixedArrayIndex      IndexKind = 3
	ExtensibleArrayIndex IndexKind = 4
	BTreeV2Index         IndexKind = 5
	BTreeV1Index         IndexKind = 0 // layout messages before version 4
)

// Layout is a data layout message (spec IV.A.2.i), versions 1 to 5.
type Layout struct {
	Version uint8
	Class   LayoutClass

	Address uint64 // contiguous data, chunk index, or virtual dataset heap; may be Undefined
	Size    uint64 // contiguous and compact: bytes; 0 in version 1 and 2 messages of contiguous data: compute it
	Compact []byte // compact: the data itself

	// ChunkDims are the chunk's dimensions in elements, without the element
	// size that the message holds as its last dimension.
	ChunkDims []uint64
	ElemSize  uint32 // the last dimension of the message, bytes
	Index     IndexKind

	DontFilterPartialEdgeChunks bool

	SingleFiltered bool // single chunk: Size and Mask are given
	SingleSize     uint64
	SingleMask     uint32

	FixedArrayPageBits uint8
	ExtArray           ExtensibleArrayParams
	BTree2             BTreeV2Params

	HeapIndex uint32 // virtual: index of the object in the global heap collection at Address
}

// ExtensibleArrayParams are the creation parameters in the layout message.
type ExtensibleArrayParams struct {
	MaxBits, IndexElements, MinPointers, MinElements, PageBits uint8
}

// BTreeV2Params are the creation parameters in the layout message.
type BTreeV2Params struct {
	NodeSize                   uint32
	SplitPercent, MergePercent uint8
}

// Flags of a chunked layout of version 4 and later.
const (
	dontFilterPartialEdgeChunks = 1 << 0
	singleChunkFiltered         = 1 << 1
)

const layoutTitle = "data layout message"

// DecodeLayout reads a data layout message.
func DecodeLayout(c *cursor.Cursor, z Sizes) (Layout, error) {
	l := Layout{Address: Undefined}
	l.Version = c.Version(1, 5)
	if l.Version < 3 {
		l.decodeOld(c, z)
		return l, c.Err(layoutTitle)
	}
	l.class(c, l.Version >= 4)
	switch l.Class {
	case CompactLayout:
		l.Size = uint64(c.U16())
		l.Compact = c.Bytes(int(l.Size))
	case ContiguousLayout:
		l.Address = c.Addr(z.Offset)
		l.Size = c.Uint(z.Length)
	case ChunkedLayout:
		if l.Version == 3 {
			n := c.U8()
			l.Address = c.Addr(z.Offset)
			l.chunkDims(c, n, 4)
		} else {
			l.chunked(c, z)
		}
	case VirtualLayout:
		l.Address = c.Addr(z.Offset)
		l.HeapIndex = c.U32()
	}
	return l, c.Err(layoutTitle)
}

// decodeOld reads versions 1 and 2. Their dimensions of contiguous data are
// 32 bits wide and may have been cut off, so they are not used.
func (l *Layout) decodeOld(c *cursor.Cursor, z Sizes) {
	n := c.U8()
	if n == 0 || n > MaxRank+1 {
		c.Corrupt("%d dimensions", n)
	}
	l.class(c, false)
	c.Skip(5) // reserved
	if l.Class != CompactLayout {
		l.Address = c.Addr(z.Offset)
	}
	if l.Class == ChunkedLayout {
		l.chunkDims(c, n, 4)
		return
	}
	c.Skip(4 * int(n))
	if l.Class == CompactLayout {
		size := c.U32()
		if uint64(size) > uint64(c.Len()) {
			c.Corrupt("compact data of %d bytes, %d are left", size, c.Len())
			return
		}
		l.Size = uint64(size)
		l.Compact = c.Bytes(int(size))
	}
}

func (l *Layout) class(c *cursor.Cursor, virtual bool) {
	l.Class = LayoutClass(c.U8())
	if l.Class > VirtualLayout {
		c.Unsupported("layout class %d", l.Class)
	}
	if l.Class == VirtualLayout && !virtual {
		c.Corrupt("a virtual dataset in a message of version %d", l.Version)
	}
}

// chunkDims reads n dimensions of width bytes; the last is the element size.
func (l *Layout) chunkDims(c *cursor.Cursor, n uint8, width int) {
	if n < 2 || n > MaxRank+1 {
		c.Corrupt("a chunk of %d dimensions, the element size included", n)
	}
	if c.Failed() || c.Len() < int(n)*width {
		c.Skip(int(n) * width)
		return
	}
	dims := make([]uint64, n)
	for i := range dims {
		if dims[i] = c.Uint(width); dims[i] == 0 {
			c.Corrupt("chunk dimension %d is 0", i)
		}
	}
	size := dims[n-1]
	if _, ok := cursor.Product(dims); !ok || size > 1<<32-1 {
		c.Corrupt("a chunk of %v elements of %d bytes is too large", dims[:n-1], size)
	}
	l.ChunkDims = dims[: n-1 : n-1]
	l.ElemSize = uint32(size)
}

// chunked reads the properties of a chunked layout of version 4 or later.
func (l *Layout) chunked(c *cursor.Cursor, z Sizes) {
	flags := c.U8()
	if flags&^(dontFilterPartialEdgeChunks|singleChunkFiltered) != 0 {
		c.Unsupported("unknown flags %#x", flags)
	}
	l.DontFilterPartialEdgeChunks = flags&dontFilterPartialEdgeChunks != 0
	n := c.U8()
	width := c.U8()
	if width == 0 || width > 8 {
		c.Corrupt("chunk dimensions of %d bytes", width)
	}
	l.chunkDims(c, n, int(width))
	l.Index = IndexKind(c.U8())
	switch l.Index {
	case SingleChunkIndex:
		if l.SingleFiltered = flags&singleChunkFiltered != 0; l.SingleFiltered {
			l.SingleSize = c.Uint(z.Length)
			l.SingleMask = c.U32()
		}
	case ImplicitIndex:
	case FixedArrayIndex:
		l.FixedArrayPageBits = positive(c, "page bits")
	case ExtensibleArrayIndex:
		l.ExtArray = ExtensibleArrayParams{
			MaxBits:       positive(c, "maximum bits"),
			IndexElements: positive(c, "index block elements"),
			MinPointers:   positive(c, "minimum pointers"),
			MinElements:   positive(c, "minimum elements"),
			PageBits:      positive(c, "page bits"),
		}
	case BTreeV2Index:
		l.BTree2 = BTreeV2Params{NodeSize: c.U32(), SplitPercent: c.U8(), MergePercent: c.U8()}
		if l.BTree2.NodeSize == 0 {
			c.Corrupt("B-tree nodes of no size")
		}
	case BTreeV1Index:
		c.Corrupt("a version 1 B-tree in a message of version %d", l.Version)
	default:
		c.Unsupported("chunk index of type %d", l.Index)
	}
	l.Address = c.Addr(z.Offset)
}

// positive reads a byte that must not be zero.
func positive(c *cursor.Cursor, what string) uint8 {
	v := c.U8()
	if v == 0 {
		c.Corrupt("%s are 0", what)
	}
	return v
}
