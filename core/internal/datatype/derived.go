package datatype

import (
	"math"
	"strings"

	"clawh5/core/internal/format"
)

const (
	// maxTag is the longest tag that a datatype message can hold.
	maxTag = 248
	// maxMembers is how many members a compound or an enumeration can have.
	maxMembers = 1<<16 - 1
	// maxEnumSize is how many bytes the values of an enumeration have at most; no
	// number with meaning needs more.
	maxEnumSize = 1 << 16
)

// NewString returns a fixed-length string as H5T_C_S1 is one.
func NewString(size uint64) (*format.Datatype, error) {
	return WithSize(predefined["H5T_C_S1"], size)
}

// NewVariableString returns a string of variable length: null-terminated, ASCII.
func NewVariableString() *format.Datatype {
	d := sequence(predefined["H5T_STD_U8LE"])
	d.VariableString = true
	return d
}

// NewOpaque returns a type of uninterpreted bytes.
func NewOpaque(size uint64, tag string) (*format.Datatype, error) {
	d, err := WithSize(predefined["H5T_NATIVE_OPAQUE"], size)
	if err != nil {
		return nil, err
	}
	return WithTag(d, tag)
}

func sequence(base *format.Datatype) *format.Datatype {
	d := &format.Datatype{Class: format.VariableLength, Version: max(base.Version, 1), Base: base, Committed: format.Undefined}
	d.Size = d.SizeInFile(fileSizes)
	return d
}

// NewSequence returns the type of variable-length sequences of base.
func NewSequence(base *format.Datatype) (*format.Datatype, error) {
	if err := checkDepth(base); err != nil {
		return nil, err
	}
	return sequence(base), nil
}

// NewArray returns the type of arrays of base.
func NewArray(base *format.Datatype, dims []uint64) (*format.Datatype, error) {
	if len(dims) < 1 || len(dims) > format.MaxRank {
		return nil, refused("an array of %d dimensions; there must be 1 to %d", len(dims), format.MaxRank)
	}
	if err := checkDepth(base); err != nil {
		return nil, err
	}
	size := uint64(base.Size)
	d := &format.Datatype{Class: format.Array, Version: max(base.Version, 2), Base: base, Committed: format.Undefined}
	for _, n := range dims {
		if n == 0 {
			return nil, refused("an array with a dimension of 0")
		}
		if n > math.MaxUint32/size {
			return nil, refused("an array of %v elements of %d bytes takes more than 4 GiB", dims, base.Size)
		}
		size *= n
		d.Dims = append(d.Dims, uint32(n))
	}
	d.Size = uint32(size)
	return d, nil
}

func complexOf(base *format.Datatype) *format.Datatype {
	return &format.Datatype{Class: format.Complex, Version: max(base.Version, 5), Size: 2 * base.Size, Base: base, Committed: format.Undefined}
}

// NewComplex returns the type of complex numbers of two parts of base, a
// floating-point type.
func NewComplex(base *format.Datatype) (*format.Datatype, error) {
	if base.Class != format.FloatingPoint {
		return nil, refused("a complex number of parts of class %s, not of floats", base.Class)
	}
	if base.Size > math.MaxUint32/2 {
		return nil, refused("a complex number of parts of %d bytes", base.Size)
	}
	return complexOf(base), nil
}

func checkName(name string) error {
	if name == "" || strings.IndexByte(name, 0) >= 0 {
		return refused("the name %q of a member", name)
	}
	return nil
}

// checkDepth keeps types in the nesting that can be read again.
func checkDepth(d *format.Datatype) error {
	if depth(d) >= format.MaxDatatypeDepth-1 {
		return refused("datatypes nested deeper than %d", format.MaxDatatypeDepth)
	}
	return nil
}

func depth(d *format.Datatype) int {
	n := 0
	if d.Base != nil {
		n = 1 + depth(d.Base)
	}
	for i := range d.Members {
		n = max(n, 1+depth(d.Members[i].Type))
	}
	return n
}

// changed returns a copy that is no longer the committed type.
func changed(d *format.Datatype) *format.Datatype {
	c := *d
	c.Committed = format.Undefined
	return &c
}
