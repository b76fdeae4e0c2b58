package format

import "clawh5/core/internal/cursor"

// CacheType tells what the scratch-pad of a symbol table entry holds.
type CacheType uint32

const (
	NothingCached    CacheType = 0
	GroupCached      CacheType = 1 // BTree and Heap of the group it names
	SoftLinkCached   CacheType = 2 // the entry is a soft link
	symbolScratchpad           = 16
)

// SymbolTableEntry is a link of an old-style group (spec III.C).
type SymbolTableEntry struct {
	NameOffset uint64 // in the group's local heap
	Header     uint64 // object header; of no meaning for a soft link
	CacheType  CacheType

	BTree, Heap  uint64 // GroupCached
	TargetOffset uint32 // SoftLinkCached: of the link's value in the local heap
}

// SymbolTableEntrySize returns the bytes of an entry.
func SymbolTableEntrySize(z Sizes) int { return z.Length + z.Offset + 8 + symbolScratchpad }

// The specification gives the name's offset the size of offsets; libhdf5 writes
// and reads it with the size of lengths.
func decodeSymbolTableEntry(c *cursor.Cursor, z Sizes) SymbolTableEntry {
	e := SymbolTableEntry{
		NameOffset: c.Uint(z.Length),
		Header:     c.Addr(z.Offset),
		CacheType:  CacheType(c.U32()),
		BTree:      Undefined,
		Heap:       Undefined,
	}
	c.Skip(4) // reserved
	pad := c.Sub(symbolScratchpad)
	switch e.CacheType {
	case NothingCached:
	case GroupCached:
		if pad.Len() < 2*z.Offset {
			break // wider addresses have no room; the group's header has them
		}
		e.BTree, e.Heap = pad.Addr(z.Offset), pad.Addr(z.Offset)
	case SoftLinkCached:
		e.TargetOffset = pad.U32()
	default:
		c.Corrupt("symbol table entry with cache type %d", e.CacheType)
	}
	c.Fail(pad.Err("symbol table entry"))
	return e
}

const symbolTableNodePrefix = 8

// SymbolTableNodeSize returns the bytes of a node with room for 2k entries.
func SymbolTableNodeSize(z Sizes, k uint16) int {
	return symbolTableNodePrefix + 2*int(k)*SymbolTableEntrySize(z)
}

// DecodeSymbolTableNode reads the entries of a symbol table node (spec III.B),
// of which there may be 2k.
func DecodeSymbolTableNode(c *cursor.Cursor, z Sizes, k uint16) ([]SymbolTableEntry, error) {
	const structure = "symbol table node"
	c.Signature("SNOD")
	c.Version(1, 1)
	c.Skip(1) // reserved
	n := int(c.U16())
	switch {
	case c.Failed():
	case n > 2*int(k):
		c.Corrupt("%d entries in a node for %d", n, 2*int(k))
	case n > c.Len()/SymbolTableEntrySize(z):
		c.Corrupt("%d entries do not fit %d bytes", n, c.Len())
	}
	if err := c.Err(structure); err != nil {
		return nil, err
	}
	entries := make([]SymbolTableEntry, n)
	for i := range entries {
		entries[i] = decodeSymbolTableEntry(c, z)
	}
	return entries, c.Err(structure)
}
