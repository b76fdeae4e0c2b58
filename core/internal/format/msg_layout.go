package format

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
