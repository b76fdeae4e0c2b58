package format

import (
	"cmp"
	"slices"

	"clawh5/core/internal/cursor"
)

// GlobalHeapID names an object in a global heap collection (spec III.E).
type GlobalHeapID struct {
	Collection uint64 // address
	Index      uint32
}

// GlobalHeapIDSize returns the bytes of an ID.
func GlobalHeapIDSize(z Sizes) int { return z.Offset + 4 }

// DecodeGlobalHeapID reads an ID.
func DecodeGlobalHeapID(c *cursor.Cursor, z Sizes) (GlobalHeapID, error) {
	id := GlobalHeapID{Collection: c.Addr(z.Offset), Index: c.U32()}
	return id, c.Err("global heap ID")
}

// GlobalHeap is a global heap collection.
type GlobalHeap struct {
	Size    uint64
	Objects []GlobalHeapObject // by index
}

// GlobalHeapObject is an object of a collection; Data is a part of the input.
type GlobalHeapObject struct {
	Index      uint16
	References uint16
	Data       []byte
	Offset     int64 // of Data in the file
}

const (
	globalHeapTitle  = "global heap collection"
	globalHeapAlign  = 8
	globalHeapFields = 8 // of header and of objects, before the size
)

// GlobalHeapMinimum is the smallest size that writers give a collection, and so
// a good first read. Collections may be smaller nevertheless.
const GlobalHeapMinimum = 4096

// GlobalHeapHeaderSize returns the bytes that DecodeGlobalHeapSize needs.
func GlobalHeapHeaderSize(z Sizes) int { return globalHeapFields + z.Length }

// DecodeGlobalHeapSize reads the header of a collection and returns the bytes
// of the whole, header included.
func DecodeGlobalHeapSize(c *cursor.Cursor, z Sizes) (uint64, error) {
	c.Signature("GCOL")
	c.Version(1, 1)
	c.Skip(3) // reserved
	size := c.Uint(z.Length)
	if size < uint64(GlobalHeapHeaderSize(z)) {
		c.Corrupt("a collection of %d bytes is smaller than its header", size)
	}
	return size, c.Err(globalHeapTitle)
}

// DecodeGlobalHeap reads a whole collection, which must fill the cursor at
// least.
func DecodeGlobalHeap(c *cursor.Cursor, z Sizes) (*GlobalHeap, error) {
	size, err := DecodeGlobalHeapSize(c, z)
	if err != nil {
		return nil, err
	}
	body := size - uint64(GlobalHeapHeaderSize(z))
	if body > uint64(c.Len()) {
		c.Corrupt("a collection of %d bytes, %d are missing", size, body-uint64(c.Len()))
		return nil, c.Err(globalHeapTitle)
	}
	h := &GlobalHeap{Size: size}
	c = c.Sub(int(body))
	c.Skip(min(padTo8(GlobalHeapHeaderSize(z)), c.Len()))
	// What remains at the end and is too short for an object is free.
	for c.Len() >= globalHeapFields+z.Length {
		if !h.object(c, z) {
			break
		}
	}
	slices.SortStableFunc(h.Objects, func(a, b GlobalHeapObject) int { return cmp.Compare(a.Index, b.Index) })
	return h, c.Err(globalHeapTitle)
}

// object reads an object and whether more may follow.
func (h *GlobalHeap) object(c *cursor.Cursor, z Sizes) bool {
	o := GlobalHeapObject{Index: c.U16(), References: c.U16()}
	c.Skip(4) // reserved
	size := c.Uint(z.Length)
	header := globalHeapFields + z.Length
	pad := padTo8(header)
	if o.Index == 0 {
		// The size of free space includes its header. Of no size is the rest
		// of a collection whose writer did not mark it.
		if size < uint64(header) {
			return false
		}
		size -= uint64(header)
	} else {
		c.Skip(min(pad, c.Len()))
	}
	if size > uint64(c.Len()) {
		c.Corrupt("object %d of %d bytes, %d are left", o.Index, size, c.Len())
		return false
	}
	o.Offset = c.Offset()
	o.Data = c.Bytes(int(size))
	if o.Index != 0 {
		c.Skip(min(padTo8(int(size)), c.Len()))
		h.Objects = append(h.Objects, o)
	}
	return true
}

// Object returns the object of an index.
func (h *GlobalHeap) Object(index uint32) (GlobalHeapObject, bool) {
	// Indices are dense as long as nothing was deleted.
	if i := int(index) - 1; index > 0 && index <= uint32(len(h.Objects)) && uint32(h.Objects[i].Index) == index {
		return h.Objects[i], true
	}
	i, ok := slices.BinarySearchFunc(h.Objects, index, func(o GlobalHeapObject, index uint32) int {
		return cmp.Compare(uint32(o.Index), index)
	})
	if !ok {
		return GlobalHeapObject{}, false
	}
	return h.Objects[i], true
}
