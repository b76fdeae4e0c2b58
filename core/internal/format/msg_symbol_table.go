package format

import "clawh5/core/internal/cursor"

// SymbolTable is a symbol table message (spec IV.A.2.r): where the links of an
// old-style group lie.
type SymbolTable struct {
	BTree uint64
	Heap  uint64
}

// DecodeSymbolTable reads a symbol table message.
func DecodeSymbolTable(c *cursor.Cursor, z Sizes) (SymbolTable, error) {
	s := SymbolTable{BTree: c.Addr(z.Offset), Heap: c.Addr(z.Offset)}
	return s, c.Err("symbol table message")
}
