package format

import (
	"math"
	"math/bits"

	"clawh5/core/internal/cursor"
)

// BTreeV2Header is the header of a version 2 B-tree (spec III.A.2).
type BTreeV2Header struct {
	Type         BTreeV2Type
	NodeSize     uint32
	RecordSize   uint16
	Depth        uint16 // 0: the root is a leaf
	SplitPercent uint8
	MergePercent uint8
	Root         uint64 // Undefined: no records
	RootRecords  uint16
	TotalRecords uint64

	levels []btreeV2Level // by level, leaves first
}

// btreeV2Level holds what the node size allows at a level of the tree.
type btreeV2Level struct {
	maxRecords uint64 // of a node
	totalWidth int    // bytes of "total number of records" of a node; 0 for leaves
}

const (
	btreeV2HeaderSignature   = "BTHD"
	btreeV2InternalSignature = "BTIN"
	btreeV2LeafSignature     = "BTLF"
	btreeV2NodeOverhead      = 10 // signature, version, type, checksum

	btreeV2MaxNode = 1 << 28

	// btreeV2MaxDepth is beyond what any file needs: two records a node at
	// that depth are more than a file has bytes.
	btreeV2MaxDepth = 64
)

// BTreeV2HeaderSize returns the bytes of the header.
func BTreeV2HeaderSize(z Sizes) int { return 22 + z.Offset + z.Length }

// DecodeBTreeV2Header reads the header at c and verifies its checksum.
func DecodeBTreeV2Header(c *cursor.Cursor, z Sizes) (BTreeV2Header, error) {
	c.Signature(btreeV2HeaderSignature)
	c.Version(0, 0)
	h := BTreeV2Header{
		Type:         BTreeV2Type(c.U8()),
		NodeSize:     c.U32(),
		RecordSize:   c.U16(),
		Depth:        c.U16(),
		SplitPercent: c.U8(),
		MergePercent: c.U8(),
		Root:         c.Addr(z.Offset),
		RootRecords:  c.U16(),
		TotalRecords: c.Uint(z.Length),
	}
	c.Checksum()
	if !c.Failed() {
		h.layOut(c, z)
	}
	return h, c.Err("version 2 B-tree header")
}

// layOut computes what fits a node of each level, from which the widths of the
// counts in child pointers follow.
func (h *BTreeV2Header) layOut(c *cursor.Cursor, z Sizes) {
	if h.RecordSize == 0 || h.Depth > btreeV2MaxDepth || h.NodeSize <= btreeV2NodeOverhead {
		c.Corrupt("records of %d bytes in nodes of %d, depth %d", h.RecordSize, h.NodeSize, h.Depth)
		return
	}
	if h.NodeSize > btreeV2MaxNode {
		c.Unsupported("nodes of %d bytes", h.NodeSize)
		return
	}
	space, record := uint64(h.NodeSize-btreeV2NodeOverhead), uint64(h.RecordSize)
	h.levels = append(h.levels, btreeV2Level{maxRecords: space / record})
	total := space / record
	for level := 1; level <= int(h.Depth); level++ {
		pointer := uint64(h.pointerSize(z, level))
		if space < pointer+pointer+record {
			c.Corrupt("nodes of %d bytes have no room for children", h.NodeSize)
			return
		}
		n := (space - pointer) / (record + pointer)
		total = saturate(n+1, total, n)
		h.levels = append(h.levels, btreeV2Level{maxRecords: n, totalWidth: bytesFor(total)})
	}
	if h.Root != Undefined && uint64(h.RootRecords) > h.levels[h.Depth].maxRecords {
		c.Corrupt("%d records in a root node for %d", h.RootRecords, h.levels[h.Depth].maxRecords)
	}
}

// saturate returns a*b+c, or the largest number if that is too large.
func saturate(a, b, c uint64) uint64 {
	p, ok := cursor.Mul(a, b)
	if s, fits := cursor.Add(p, c); ok && fits {
		return s
	}
	return math.MaxUint64
}

// bytesFor returns the bytes that hold any number up to v.
func bytesFor(v uint64) int { return max(1, (bits.Len64(v)+7)/8) }

// pointerSize returns the bytes of a child pointer in a node of a level.
func (h *BTreeV2Header) pointerSize(z Sizes, level int) int {
	return z.Offset + bytesFor(h.levels[0].maxRecords) + h.levels[level-1].totalWidth
}

// NodeBytes returns the bytes in use of a node of a level with n records.
func (h *BTreeV2Header) NodeBytes(z Sizes, level int, n uint16) int {
	size := btreeV2NodeOverhead + int(n)*int(h.RecordSize)
	if level > 0 {
		size += (int(n) + 1) * h.pointerSize(z, level)
	}
	return size
}

// BTreeV2Node is a node of a version 2 B-tree.
type BTreeV2Node struct {
	Level   int
	Count   int    // records
	Records []byte // Count records of the header's size: a part of the input

	// Children of an internal node, one more than records: child i lies between
	// records i-1 and i.
	Children []BTreeV2Child
}

// BTreeV2Child points at a child of an internal node.
type BTreeV2Child struct {
	Addr    uint64
	Records uint16 // of the child itself
}

// DecodeNode reads a node of a level with n records at c and verifies its
// checksum.
func (h *BTreeV2Header) DecodeNode(c *cursor.Cursor, z Sizes, level int, n uint16) (BTreeV2Node, error) {
	structure, signature := "version 2 B-tree leaf node", btreeV2LeafSignature
	if level > 0 {
		structure, signature = "version 2 B-tree internal node", btreeV2InternalSignature
	}
	node := BTreeV2Node{Level: level, Count: int(n)}
	c.Signature(signature)
	c.Version(0, 0)
	if t := BTreeV2Type(c.U8()); !c.Failed() && t != h.Type {
		c.Corrupt("node of type %d in a tree of type %d", t, h.Type)
	}
	node.Records = c.Bytes(int(n) * int(h.RecordSize))
	if level > 0 && !c.Failed() {
		node.Children = h.decodeChildren(c, z, level, int(n)+1)
	}
	c.Checksum()
	return node, c.Err(structure)
}

func (h *BTreeV2Header) decodeChildren(c *cursor.Cursor, z Sizes, level, n int) []BTreeV2Child {
	if n > c.Len()/h.pointerSize(z, level) {
		c.Corrupt("%d children do not fit %d bytes", n, c.Len())
		return nil
	}
	countWidth, below := bytesFor(h.levels[0].maxRecords), h.levels[level-1]
	children := make([]BTreeV2Child, n)
	for i := range children {
		children[i].Addr = c.Addr(z.Offset)
		records := c.Uint(countWidth)
		c.Skip(below.totalWidth)
		if records > min(below.maxRecords, math.MaxUint16) {
			c.Corrupt("a child with %d records, where %d fit", records, below.maxRecords)
		}
		children[i].Records = uint16(records)
	}
	return children
}

// Record returns record i of a node.
func (h *BTreeV2Header) Record(n *BTreeV2Node, i int) []byte {
	size := int(h.RecordSize)
	return n.Records[i*size : (i+1)*size : (i+1)*size]
}
