package format

import "clawh5/core/internal/cursor"

// BTreeV1Type is what a version 1 B-tree points at.
type BTreeV1Type uint8

const (
	GroupBTreeV1 BTreeV1Type = 0 // symbol table nodes
	ChunkBTreeV1 BTreeV1Type = 1 // chunks of raw data
)

// BTreeV1Node is the part of a version 1 B-tree node before its keys and
// children (spec III.A.1).
type BTreeV1Node struct {
	Type        BTreeV1Type
	Level       uint8 // 0: the children are what the tree points at
	Entries     int   // children; there is one key more
	Left, Right uint64
}

const btreeV1Signature = "TREE"

func btreeV1Prefix(z Sizes) int { return 8 + 2*z.Offset }

// BTreeV1NodeSize returns the bytes of a node for 2k children and keys of a size.
func BTreeV1NodeSize(z Sizes, k uint16, keySize int) int {
	return btreeV1Prefix(z) + 2*int(k)*(keySize+z.Offset) + keySize
}

func decodeBTreeV1Node(c *cursor.Cursor, z Sizes, want BTreeV1Type, k uint16, keySize int) BTreeV1Node {
	c.Signature(btreeV1Signature)
	n := BTreeV1Node{
		Type:    BTreeV1Type(c.U8()),
		Level:   c.U8(),
		Entries: int(c.U16()),
		Left:    c.Addr(z.Offset),
		Right:   c.Addr(z.Offset),
	}
	switch {
	case c.Failed():
	case n.Type != want:
		c.Corrupt("B-tree node of type %d where %d was expected", n.Type, want)
	case n.Entries > 2*int(k):
		c.Corrupt("%d children in a node for %d", n.Entries, 2*int(k))
	case n.Entries > c.Len()/(keySize+z.Offset):
		c.Corrupt("%d children do not fit %d bytes", n.Entries, c.Len())
	}
	return n
}

// GroupBTreeV1Node is a node of an old-style group's B-tree.
type GroupBTreeV1Node struct {
	BTreeV1Node
	// Keys are Entries+1 offsets of names in the local heap: child i holds the
	// names that are greater than key i and not greater than key i+1.
	Keys     []uint64
	Children []uint64
}

// DecodeGroupBTreeV1Node reads a node at c.
func DecodeGroupBTreeV1Node(c *cursor.Cursor, z Sizes, k uint16) (GroupBTreeV1Node, error) {
	const structure = "version 1 B-tree node"
	n := GroupBTreeV1Node{BTreeV1Node: decodeBTreeV1Node(c, z, GroupBTreeV1, k, z.Length)}
	if err := c.Err(structure); err != nil {
		return n, err
	}
	n.Keys = make([]uint64, 0, n.Entries+1)
	n.Children = make([]uint64, 0, n.Entries)
	for range n.Entries {
		n.Keys = append(n.Keys, c.Uint(z.Length))
		n.Children = append(n.Children, c.Addr(z.Offset))
	}
	n.Keys = append(n.Keys, c.Uint(z.Length))
	return n, c.Err(structure)
}

// ChunkBTreeV1KeySize returns the bytes of a key for a dataset of a rank.
func ChunkBTreeV1KeySize(rank int) int { return 8 + 8*(rank+1) }

// ChunkBTreeV1Node is a node of a chunk B-tree. Its entries lie in one slice,
// Stride words each, to be compact in memory:
//
//	scaled offset of the child's first chunk (rank words) | child address | stored bytes, filter mask << 32
//
// The last key of a node, the upper bound of its last child, is not kept: the
// parent's next key says the same.
type ChunkBTreeV1Node struct {
	BTreeV1Node
	Rank  int
	Words []uint64
}

func (n *ChunkBTreeV1Node) stride() int { return n.Rank + 2 }

// Scaled returns the coordinates, in units of chunks, of child i's first chunk.
func (n *ChunkBTreeV1Node) Scaled(i int) []uint64 {
	at := i * n.stride()
	return n.Words[at : at+n.Rank : at+n.Rank]
}

// Child returns the address of child i.
func (n *ChunkBTreeV1Node) Child(i int) uint64 { return n.Words[i*n.stride()+n.Rank] }

// Stored returns the stored bytes and the filter mask of chunk i.
func (n *ChunkBTreeV1Node) Stored(i int) (size, mask uint32) {
	w := n.Words[i*n.stride()+n.Rank+1]
	return uint32(w), uint32(w >> 32)
}

// DecodeChunkBTreeV1Node reads a node at c of the index of a dataset with the
// given chunk dimensions, none of them zero.
func DecodeChunkBTreeV1Node(c *cursor.Cursor, z Sizes, k uint16, chunkDims []uint64) (ChunkBTreeV1Node, error) {
	const structure = "version 1 B-tree node"
	rank := len(chunkDims)
	n := ChunkBTreeV1Node{Rank: rank}
	n.BTreeV1Node = decodeBTreeV1Node(c, z, ChunkBTreeV1, k, ChunkBTreeV1KeySize(rank))
	if err := c.Err(structure); err != nil {
		return n, err
	}
	n.Words = make([]uint64, 0, n.Entries*n.stride())
	for range n.Entries {
		stored := uint64(c.U32()) | uint64(c.U32())<<32
		for _, dim := range chunkDims {
			off := c.U64()
			if off%dim != 0 {
				c.Corrupt("a chunk at offset %d of a dimension in chunks of %d", off, dim)
			}
			n.Words = append(n.Words, off/dim)
		}
		c.Skip(8) // offset in the element
		n.Words = append(n.Words, c.Addr(z.Offset), stored)
	}
	return n, c.Err(structure)
}
