package format

import "clawh5/core/internal/cursor"

// HeapIDKind is where the object of a fractal heap ID lies.
type HeapIDKind uint8

const (
	ManagedObject HeapIDKind = 0 // in the heap's address space
	HugeObject    HeapIDKind = 1 // in the file by itself
	TinyObject    HeapIDKind = 2 // in the ID
)

// HeapID is a decoded fractal heap ID (spec III.G).
type HeapID struct {
	Kind HeapIDKind

	Offset uint64 // managed: in the heap's address space
	Length uint64 // managed

	Direct bool       // huge: Huge is complete, else Huge.Key is to be looked up
	Huge   HugeRecord // huge

	Tiny []byte // tiny: a part of the ID
}

// tinyShortMax is the longest tiny object whose length takes four bits.
const tinyShortMax = 16

// DecodeHeapID reads an ID of the heap. IDs in records may be longer than the
// heap's IDs; the rest is padding.
func (h *FractalHeapHeader) DecodeHeapID(c *cursor.Cursor, z Sizes) (HeapID, error) {
	flags := c.U8()
	id := HeapID{Kind: HeapIDKind(flags >> 4 & 3)}
	if flags>>6 != 0 {
		c.Unsupported("heap ID of version %d", flags>>6)
	}
	switch id.Kind {
	case ManagedObject:
		id.Offset = c.Uint(h.offsetWidth())
		id.Length = c.Uint(h.lengthWidth())
	case HugeObject:
		id.Direct = h.HugeDirect(z)
		if id.Direct {
			id.Huge = decodeHuge(c, z, h.Filtered())
		} else {
			id.Huge.Key = c.Uint(min(int(h.IDLength)-1, 8))
		}
	case TinyObject:
		n := int(flags & 0x0f)
		if int(h.IDLength)-1 > tinyShortMax+1 {
			n = n<<8 | int(c.U8())
		}
		id.Tiny = c.Bytes(n + 1)
	default:
		c.Corrupt("heap ID of type %d", id.Kind)
	}
	return id, c.Err("fractal heap ID")
}

// HugeDirect reports whether IDs of huge objects hold their address.
func (h *FractalHeapHeader) HugeDirect(z Sizes) bool {
	need := z.Offset + z.Length
	if h.Filtered() {
		need += 4 + z.Length
	}
	return need <= int(h.IDLength)-1
}
