package format

import "clawh5/core/internal/cursor"

// RegionReference is the global heap object of a dataset region reference of
// the old kind (spec VIII.C): a dataset and a selection in it.
type RegionReference struct {
	Addr      uint64
	Selection EncodedSelection
}

// DecodeRegionReference reads that global heap object.
func DecodeRegionReference(c *cursor.Cursor, z Sizes) (RegionReference, error) {
	r := RegionReference{Addr: c.Addr(z.Offset), Selection: decodeSelection(c)}
	return r, c.Err("dataset region reference")
}

// ReferenceElement is one element of a revised reference datatype: the
// reference itself, or where it lies.
type ReferenceElement struct {
	Kind     ReferenceKind
	External bool // the object lies in another file
	Null     bool

	Inline bool // ReferenceBlock is set, else Heap and Size
	ReferenceBlock
	Heap GlobalHeapID
	Size uint32 // bytes of the global heap object that count
}

// ReferenceBlock is what a revised reference (H5R_ref_t, spec VIII.B) holds after
// its header.
type ReferenceBlock struct {
	Token     []byte // of the object: its address, in files of libhdf5's own format
	File      string // if external
	Rank      int    // of the dataset, of region references
	Selection EncodedSelection
	Attribute string // name, of attribute references
}

const (
	referenceTitle    = "reference"
	referenceExternal = 1 << 0
	referenceHeader   = 2 // type, flags
)

// ReferenceElementSize returns the bytes of an element of a revised reference
// datatype: the header, and the size and global heap ID of the rest.
func ReferenceElementSize(z Sizes) int { return referenceHeader + 4 + GlobalHeapIDSize(z) }

// DecodeReferenceElement reads an element of a revised reference datatype.
// References to objects in the same file lie in the element itself.
func DecodeReferenceElement(c *cursor.Cursor, z Sizes) (ReferenceElement, error) {
	var e ReferenceElement
	c = c.Sub(ReferenceElementSize(z))
	e.Kind = ReferenceKind(c.U8())
	flags := c.U8()
	e.External = flags&referenceExternal != 0
	switch {
	case c.Failed():
	case e.Kind == 0:
		e.Null = true
		return e, nil
	case e.Kind < ObjectReference2 || e.Kind > AttributeReference:
		c.Unsupported("reference of type %d", e.Kind)
	case flags&^referenceExternal != 0:
		c.Unsupported("unknown flags %#x", flags)
	case e.Kind == ObjectReference2 && !e.External:
		e.Inline = true
		e.ReferenceBlock = decodeReferenceBlock(c, e.Kind, e.External)
	default:
		e.Size = c.U32()
		e.Heap = GlobalHeapID{Collection: c.Addr(z.Offset), Index: c.U32()}
	}
	return e, c.Err(referenceTitle)
}

// DecodeReferenceBlock reads the rest of a reference from its global heap
// object.
func DecodeReferenceBlock(c *cursor.Cursor, e *ReferenceElement) (ReferenceBlock, error) {
	r := decodeReferenceBlock(c, e.Kind, e.External)
	return r, c.Err(referenceTitle)
}

func decodeReferenceBlock(c *cursor.Cursor, kind ReferenceKind, external bool) ReferenceBlock {
	r := ReferenceBlock{Token: c.Bytes(int(c.U8()))}
	if external {
		r.File = string(c.Bytes(int(c.U16())))
	}
	switch kind {
	case RegionReference2:
		size := c.U32()
		rank := c.U32()
		if rank > MaxRank {
			c.Corrupt("a dataspace of rank %d", rank)
			return r
		}
		r.Rank = int(rank)
		if uint64(size) > uint64(c.Len()) {
			c.Corrupt("a selection of %d bytes, %d are left", size, c.Len())
			return r
		}
		s := c.Sub(int(size))
		r.Selection = decodeSelection(s)
		c.Fail(s.Err("dataspace selection"))
	case AttributeReference:
		r.Attribute = string(c.Bytes(int(c.U16())))
	}
	return r
}

// Addr returns the address that the token is, and whether it is one: of the size
// of offsets, which another file has its own of.
func (r *ReferenceBlock) Addr(z Sizes) (uint64, bool) {
	n := len(r.Token)
	if r.File == "" && n != z.Offset || n == 0 || n > 32 {
		return Undefined, false
	}
	c := cursor.New(r.Token, 0)
	addr := c.Addr(n)
	return addr, !c.Failed()
}
