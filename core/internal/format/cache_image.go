package format

import "clawh5/core/internal/cursor"

// CacheImageBlock is a metadata cache image: metadata that the writer held in
// its cache when it closed the file. What is in it is what its own place in the
// file should hold, and may not. (Neither version of the specification gives
// its layout; it is what libhdf5 1.10 and later write.)
type CacheImageBlock struct {
	Entries []CacheImageEntry
}

// CacheImageEntry is one structure of the image.
type CacheImageEntry struct {
	Addr uint64
	Data []byte // a part of the input
}

const (
	cacheImageSignature = "MDCI"
	cacheImageResize    = 1 << 0 // holds the state of the cache's size, which no version writes
)

// DecodeCacheImageBlock reads the block, which is all that c has.
func DecodeCacheImageBlock(c *cursor.Cursor, z Sizes) (CacheImageBlock, error) {
	total := uint64(c.Len())
	c.Signature(cacheImageSignature)
	c.Version(0, 0)
	if flags := c.U8(); flags&cacheImageResize != 0 {
		c.Unsupported("the state of the writer's cache")
	}
	if n := c.Uint(z.Length); n != total && !c.Failed() {
		c.Corrupt("an image of %d bytes in a block of %d", n, total)
	}
	n := uint64(c.U32())
	if least := uint64(cacheImageEntryHeader(z) + 1); n > uint64(c.Len())/least {
		c.Corrupt("%d entries in %d bytes", n, c.Len())
	}
	var b CacheImageBlock
	for ; n > 0 && !c.Failed(); n-- {
		b.Entries = append(b.Entries, decodeCacheImageEntry(c, z))
	}
	c.Checksum()
	return b, c.Err("metadata cache image")
}

// cacheImageEntryHeader returns the bytes before the addresses of an entry's
// parents.
func cacheImageEntryHeader(z Sizes) int { return 14 + z.Offset + z.Length }

func decodeCacheImageEntry(c *cursor.Cursor, z Sizes) CacheImageEntry {
	c.Skip(4 + 2 + 2) // type, flags, ring, age; numbers of dependent entries
	parents := int(c.U16())
	c.Skip(4) // place in the list of recently used entries
	e := CacheImageEntry{Addr: c.Addr(z.Offset)}
	size := c.Uint(z.Length)
	c.Skip(parents * z.Offset)
	n, ok := cursor.ToInt(size)
	if !ok || n == 0 || e.Addr == Undefined {
		c.Corrupt("an entry of %d bytes at address %d", size, e.Addr)
		return e
	}
	e.Data = c.Bytes(n)
	return e
}
