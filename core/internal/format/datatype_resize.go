package format

import (
	"cmp"
	"slices"

	"clawh5/core/internal/cursor"
)

// Variable-length elements and references have one size in memory and another
// in the file. Some writers stored the types of their memory; what lies in the
// file then has the file's sizes all the same, and the types around them grow or
// shrink with them. libhdf5 reads such types in this way.

// SizeInFile returns the bytes that an element with a fixed size in files takes,
// or 0 for other classes.
func (d *Datatype) SizeInFile(z Sizes) uint32 {
	switch {
	case d.Class == VariableLength: // a length and a global heap ID
		return uint32(4 + GlobalHeapIDSize(z))
	case d.Class != Reference:
		return 0
	case d.RefKind == ObjectReference1:
		return uint32(z.Offset)
	case d.RefKind == RegionReference1:
		return uint32(GlobalHeapIDSize(z))
	}
	return uint32(ReferenceElementSize(z))
}

// noteSize notes that the stored size is not that of the file.
func (d *Datatype) noteSize(r *datatypeReader) {
	if d.Size != d.SizeInFile(r.sizes) {
		*r.resized = true
	}
}

// resize gives d and all types inside of it their sizes in the file.
func (d *Datatype) resize(c *cursor.Cursor, z Sizes) {
	if size := d.SizeInFile(z); size > 0 {
		d.Size = size
	}
	switch d.Class {
	case VariableLength:
		// Sequences of references of the old kinds hold them as they are in
		// memory. Of revised ones they have the size in memory, and the bytes
		// of a file.
		if d.Base.Class != Reference || d.Base.RefKind >= ObjectReference2 {
			d.Base.resize(c, z)
		}
	case Array:
		d.Base.resize(c, z)
		var ok bool
		if d.Size, ok = arraySize(d.Dims, d.Base.Size); !ok {
			c.Corrupt("an array of %v elements of %d bytes", d.Dims, d.Base.Size)
		}
	case Compound:
		d.resizeMembers(c, z)
	}
}

func (d *Datatype) resizeMembers(c *cursor.Cursor, z Sizes) {
	order := make([]*Member, len(d.Members))
	for i := range order {
		order[i] = &d.Members[i]
	}
	slices.SortFunc(order, func(a, b *Member) int { return cmp.Compare(a.Offset, b.Offset) })
	moved := int64(0)
	for _, m := range order {
		m.Offset = uint32(int64(m.Offset) + moved)
		old := m.Type.Size
		m.Type.resize(c, z)
		moved += int64(m.Type.Size) - int64(old)
	}
	size := int64(d.Size) + moved
	if size > 1<<32-1 {
		c.Corrupt("a compound datatype of %d bytes", size)
	}
	d.Size = uint32(size)
}
