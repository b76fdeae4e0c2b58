package format

import "clawh5/core/internal/cursor"

// BTreeK is a B-tree 'K' values message (spec IV.A.2.t) of the superblock
// extension.
type BTreeK struct {
	Chunk         uint16 // indexed storage internal node K
	GroupInternal uint16
	GroupLeaf     uint16
}

// DecodeBTreeK reads a B-tree 'K' values message.
func DecodeBTreeK(c *cursor.Cursor, _ Sizes) (BTreeK, error) {
	c.Version(0, 0)
	k := BTreeK{Chunk: c.U16(), GroupInternal: c.U16(), GroupLeaf: c.U16()}
	return k, c.Err("B-tree 'K' values message")
}
