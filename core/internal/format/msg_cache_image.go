package format

import "clawh5/core/internal/cursor"

// CacheImage is a metadata cache image message of the superblock extension: the
// writer left a copy of its metadata cache, which may hold metadata that were
// not written to their own places.
type CacheImage struct {
	Addr uint64
	Size uint64
}

// DecodeCacheImage reads a metadata cache image message.
func DecodeCacheImage(c *cursor.Cursor, z Sizes) (CacheImage, error) {
	c.Version(0, 0)
	m := CacheImage{Addr: c.Addr(z.Offset), Size: c.Uint(z.Length)}
	return m, c.Err("metadata cache image message")
}
