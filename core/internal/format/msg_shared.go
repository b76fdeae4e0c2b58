package format

import "clawh5/core/internal/cursor"

// HeapIDSize is the size of the fractal heap IDs of shared messages.
const HeapIDSize = 8

// Shared stands in the place of a message that lies elsewhere (spec IV.A.2,
// Shared Message): in the object header of a committed datatype or in the
// fractal heap of shared messages.
type Shared struct {
	InHeap bool
	HeapID [HeapIDSize]byte // if InHeap
	Addr   uint64           // else: object header
}

// The type of version 3 whose message lies in the heap. All other types, and
// all of the older versions, tell an object header.
const sharedInHeap = 1

// DecodeShared reads a shared message.
func DecodeShared(c *cursor.Cursor, z Sizes) (Shared, error) {
	s := Shared{Addr: Undefined}
	version := c.Version(1, 3)
	kind := c.U8()
	if version == 1 {
		c.Skip(6) // reserved
		// Writers of version 1 stored a whole symbol table entry, which begins
		// with the offset of a name; the specification has the address only.
		if c.Len() >= z.Length+z.Offset {
			c.Skip(z.Length)
		}
	}
	if version == 3 && kind == sharedInHeap {
		s.InHeap = true
		copy(s.HeapID[:], c.Bytes(HeapIDSize))
		return s, c.Err("shared message")
	}
	if s.Addr = c.Addr(z.Offset); s.Addr == Undefined {
		c.Corrupt("a shared message without an address")
	}
	return s, c.Err("shared message")
}
