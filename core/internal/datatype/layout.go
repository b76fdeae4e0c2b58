package datatype

import (
	"math"
	"slices"

	"clawh5/core/internal/format"
)

// Sizes that libhdf5 has in the memory of a 64-bit machine.
const (
	pointerSize   = 8
	sequenceSize  = 16
	referenceSize = 64 // H5R_ref_t
)

// librarySizes are the sizes of references there, by kind.
var librarySizes = [...]uint32{
	format.ObjectReference1:   8,
	format.RegionReference1:   12,
	format.ObjectReference2:   referenceSize,
	format.RegionReference2:   referenceSize,
	format.AttributeReference: referenceSize,
}

// SlotSize is the size of an element of variable length in our memory: two 64-bit
// numbers, where in a heap its data lies and of how many parts it is.
const SlotSize = 16

// sized gives d and the types that it holds their sizes in some memory.
type sized func(d *format.Datatype) uint32

// Library returns d with the sizes that it has in the memory of a program that
// uses libhdf5, which its H5T functions tell: a string of variable length is a
// pointer. Members move, gaps stay.
func Library(d *format.Datatype) (*format.Datatype, error) {
	return sized(func(d *format.Datatype) uint32 {
		switch {
		case d.VariableString:
			return pointerSize
		case d.Class == format.VariableLength:
			return sequenceSize
		case d.Class == format.Reference:
			return librarySizes[d.RefKind]
		}
		return d.Size
	}).layout(d)
}

// FromLibrary is the inverse of Library: it returns d with the sizes that it has in
// a file with addresses of 8 bytes, and in our memory.
func FromLibrary(d *format.Datatype) (*format.Datatype, error) {
	return sized(func(d *format.Datatype) uint32 {
		if size := d.SizeInFile(fileSizes); size > 0 {
			return size
		}
		return d.Size
	}).layout(d)
}

// Memory returns d with the sizes that it has in our memory: elements of
// variable length take 16 bytes. It is d itself where files have addresses of 8
// bytes. Members move, gaps stay.
func Memory(d *format.Datatype) (*format.Datatype, error) {
	return sized(func(d *format.Datatype) uint32 {
		if d.Class == format.VariableLength {
			return SlotSize
		}
		return d.Size
	}).layout(d)
}

func (s sized) layout(d *format.Datatype) (*format.Datatype, error) {
	c := *d
	switch {
	case d.Class == format.Compound:
		return s.members(d)
	case d.Base == nil || d.VariableString:
	default:
		base, err := s.layout(d.Base)
		if err != nil {
			return nil, err
		}
		if base != d.Base {
			c.Base = base
			if _, err := resized(&c); err != nil {
				return nil, err
			}
		}
	}
	if size := s(&c); size != d.Size || c.Base != d.Base {
		c.Size = size
		return &c, nil
	}
	return d, nil
}

func (s sized) members(d *format.Datatype) (*format.Datatype, error) {
	members := slices.Clone(d.Members)
	moved, changed := int64(0), false
	for _, i := range byOffset(d) {
		m := &members[i]
		m.Offset = uint32(int64(m.Offset) + moved)
		t, err := s.layout(m.Type)
		if err != nil {
			return nil, err
		}
		moved += int64(t.Size) - int64(m.Type.Size)
		changed = changed || t != m.Type
		m.Type = t
		if int64(d.Size)+moved > math.MaxUint32 {
			return nil, refused("a compound of more than 4 GiB")
		}
	}
	if !changed {
		return d, nil
	}
	c := *d
	c.Members, c.Size = members, uint32(int64(d.Size)+moved)
	return &c, nil
}
