package format

import "clawh5/core/internal/cursor"

// SharedMessageTable is a shared message table message (spec IV.A.2.p) of the
// superblock extension.
type SharedMessageTable struct {
	Addr    uint64
	Indexes uint8
}

// DecodeSharedMessageTable reads a shared message table message.
func DecodeSharedMessageTable(c *cursor.Cursor, z Sizes) (SharedMessageTable, error) {
	c.Version(0, 0)
	t := SharedMessageTable{Addr: c.Addr(z.Offset), Indexes: c.U8()}
	return t, c.Err("shared message table message")
}
