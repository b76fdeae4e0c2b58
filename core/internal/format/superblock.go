package format

import "clawh5/core/internal/cursor"

// Superblock is the entry into a file, versions 0 to 3 (spec II.A). All
// addresses but Base are relative to where the superblock was found.
type Superblock struct {
	Version uint8
	Sizes   Sizes
	Flags   uint32 // consistency flags, superblock* bits

	GroupLeafK     uint16 // entries of a symbol table node: up to 2K
	GroupInternalK uint16 // children of a group B-tree node: up to 2K
	ChunkK         uint16 // children of a chunk B-tree node: up to 2K

	Base      uint64 // as stored; wrong where a user block came or went later
	Extension uint64 // object header of the extension, or Undefined
	EndOfFile uint64 // as stored: counts from the start of the file
	Driver    uint64 // driver information block, or Undefined
	Root      uint64 // object header of the root group

	// RootEntry is the root group's symbol table entry in versions 0 and 1.
	RootEntry SymbolTableEntry
}

// SuperblockSignature begins every superblock.
const SuperblockSignature = "\x89HDF\r\n\x1a\n"

// SuperblockMax is a number of bytes that holds any superblock: version 1 with
// the widest offsets and lengths.
const SuperblockMax = 28 + 4*32 + 2*32 + 24

const (
	superblockWrite     = 1 << 0 // open for writing
	superblockSWMRWrite = 1 << 2 // open for single-writer multiple-reader writing

	// The K values of files whose superblock does not say.
	defaultGroupLeafK     = 4
	defaultGroupInternalK = 16
	defaultChunkK         = 32
)

// OpenForWriting reports whether the file says that a program has it open for
// writing: it was not closed, or is still being written.
func (s *Superblock) OpenForWriting() bool {
	return s.Version >= 3 && s.Flags&(superblockWrite|superblockSWMRWrite) != 0
}

// DecodeSuperblock reads the superblock at c. The checksum of versions 2 and 3
// is verified.
func DecodeSuperblock(c *cursor.Cursor) (Superblock, error) {
	s := Superblock{
		GroupLeafK: defaultGroupLeafK, GroupInternalK: defaultGroupInternalK, ChunkK: defaultChunkK,
		Driver: Undefined, Extension: Undefined, Root: Undefined,
	}
	c.Signature(SuperblockSignature)
	s.Version = c.Version(0, 3)
	if s.Version < 2 {
		s.decodeV0(c)
	} else {
		s.decodeV2(c)
	}
	return s, c.Err("superblock")
}

func (s *Superblock) decodeV0(c *cursor.Cursor) {
	c.Version(0, 0) // of the free space information
	c.Version(0, 0) // of the root group's symbol table entry
	c.Skip(1)       // reserved
	c.Version(0, 0) // of shared header messages
	s.decodeSizes(c)
	c.Skip(1) // reserved
	s.GroupLeafK, s.GroupInternalK = c.U16(), c.U16()
	s.Flags = c.U32()
	if s.Version == 1 {
		s.ChunkK = c.U16()
		c.Skip(2) // reserved
	}
	if !c.Failed() && (s.GroupLeafK == 0 || s.GroupInternalK == 0 || s.ChunkK == 0) {
		c.Corrupt("a B-tree K value of zero")
	}
	s.Base = c.Addr(s.Sizes.Offset)
	c.Addr(s.Sizes.Offset) // free space information, never used
	s.EndOfFile = c.Addr(s.Sizes.Offset)
	s.Driver = c.Addr(s.Sizes.Offset)
	s.RootEntry = decodeSymbolTableEntry(c, s.Sizes)
	s.Root = s.RootEntry.Header
}

func (s *Superblock) decodeV2(c *cursor.Cursor) {
	s.decodeSizes(c)
	s.Flags = uint32(c.U8())
	s.Base = c.Addr(s.Sizes.Offset)
	s.Extension = c.Addr(s.Sizes.Offset)
	s.EndOfFile = c.Addr(s.Sizes.Offset)
	s.Root = c.Addr(s.Sizes.Offset)
	c.Checksum()
}

func (s *Superblock) decodeSizes(c *cursor.Cursor) {
	s.Sizes.Offset, s.Sizes.Length = int(c.U8()), int(c.U8())
	if c.Failed() {
		return
	}
	for _, n := range [...]int{s.Sizes.Offset, s.Sizes.Length} {
		switch n {
		case 2, 4, 8, 16, 32:
		default:
			c.Corrupt("sizes of offsets and lengths are %d and %d", s.Sizes.Offset, s.Sizes.Length)
			return
		}
	}
}
