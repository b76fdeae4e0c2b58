package datatype

import (
	"math"
	"slices"
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
		return nil, refused("a complex number of parts of class %d, not of floats", base.Class)
	}
	if base.Size > math.MaxUint32/2 {
		return nil, refused("a complex number of parts of %d bytes", base.Size)
	}
	return complexOf(base), nil
}

// NewEnum returns an enumeration without members; base is an integer type.
func NewEnum(base *format.Datatype) (*format.Datatype, error) {
	if base.Class != format.FixedPoint {
		return nil, refused("an enumeration of values of class %d, not of integers", base.Class)
	}
	if base.Size > maxEnumSize {
		return nil, refused("an enumeration of values of %d bytes", base.Size)
	}
	return &format.Datatype{Class: format.Enumeration, Version: 1, Size: base.Size, Base: base, Committed: format.Undefined}, nil
}

// InsertEnum returns the enumeration d with one more member, of a value as the
// base type has it.
func InsertEnum(d *format.Datatype, name string, value []byte) (*format.Datatype, error) {
	return ExtendEnum(d, []string{name}, value)
}

// ExtendEnum returns the enumeration d with more members. values has one element
// of the base type for each name.
func ExtendEnum(d *format.Datatype, names []string, values []byte) (*format.Datatype, error) {
	switch {
	case d.Class != format.Enumeration:
		return nil, refused("a value is inserted into a type of class %d, not into an enumeration", d.Class)
	case len(values) != len(names)*int(d.Size):
		return nil, refused("%d bytes for %d values of an enumeration of %d bytes", len(values), len(names), d.Size)
	case len(d.Names)+len(names) > maxMembers:
		return nil, refused("an enumeration of more than %d members", maxMembers)
	}
	c := changed(d)
	c.Names = append(slices.Clip(d.Names), names...)
	c.Values = append(slices.Clip(d.Values), values...)
	known := map[string]bool{}
	owner := map[string]string{}
	for i, name := range c.Names {
		value := string(enumValue(c, i))
		if err := checkName(name); err != nil {
			return nil, err
		}
		if known[name] {
			return nil, refused("two members of the enumeration have the name %q", name)
		}
		if other, ok := owner[value]; ok {
			return nil, refused("members %q and %q of the enumeration have one value", other, name)
		}
		known[name], owner[value] = true, name
	}
	return c, nil
}

// NewCompound returns a compound of size bytes without members.
func NewCompound(size uint64) (*format.Datatype, error) {
	if size == 0 || size > math.MaxUint32 {
		return nil, refused("a compound of %d bytes", size)
	}
	return &format.Datatype{Class: format.Compound, Version: 1, Size: uint32(size), Committed: format.Undefined}, nil
}

// Insert returns the compound d with one more member.
func Insert(d *format.Datatype, name string, offset uint64, member *format.Datatype) (*format.Datatype, error) {
	if offset > math.MaxUint32 {
		return nil, refused("member %q lies at %d", name, offset)
	}
	return Extend(d, []format.Member{{Name: name, Offset: uint32(offset), Type: member}})
}

// Extend returns the compound d with more members.
func Extend(d *format.Datatype, members []format.Member) (*format.Datatype, error) {
	switch {
	case d.Class != format.Compound:
		return nil, refused("a member is inserted into a type of class %d, not into a compound", d.Class)
	case len(d.Members)+len(members) > maxMembers:
		return nil, refused("a compound of more than %d members", maxMembers)
	}
	for _, m := range members {
		if err := checkName(m.Name); err != nil {
			return nil, err
		}
		if err := checkDepth(m.Type); err != nil {
			return nil, err
		}
	}
	c := changed(d)
	c.Members = append(slices.Clip(d.Members), members...)
	if err := checkMembers(c); err != nil {
		return nil, err
	}
	for _, m := range members {
		c.Version = max(c.Version, m.Type.Version)
	}
	if c.Version > d.Version {
		return raised(c, c.Version), nil
	}
	return c, nil
}

// raised returns d with a higher version of its message, where it matters: in
// compounds, arrays and enumerations, and in what is made of those.
func raised(d *format.Datatype, v uint8) *format.Datatype {
	c := *d
	if d.Base != nil {
		c.Base = raised(d.Base, v)
	}
	switch d.Class {
	case format.Compound:
		c.Members = slices.Clone(d.Members)
		for i := range c.Members {
			c.Members[i].Type = raised(c.Members[i].Type, v)
		}
		c.Version = max(d.Version, v)
	case format.Array, format.Enumeration:
		c.Version = max(d.Version, v)
	case format.VariableLength:
		c.Version = max(d.Version, c.Base.Version)
	default:
		return d
	}
	return &c
}

// checkMembers checks that members lie in the compound d, do not overlap and
// have different names.
func checkMembers(d *format.Datatype) error {
	known := map[string]bool{}
	end, last := uint64(0), ""
	for _, i := range byOffset(d) {
		m := &d.Members[i]
		if known[m.Name] {
			return refused("two members of the compound have the name %q", m.Name)
		}
		known[m.Name] = true
		if uint64(m.Offset) < end {
			return refused("members %q and %q overlap", last, m.Name)
		}
		if end, last = uint64(m.Offset)+uint64(m.Type.Size), m.Name; end > uint64(d.Size) {
			return refused("member %q of %d bytes at %d reaches past the %d bytes of the compound", m.Name, m.Type.Size, m.Offset, d.Size)
		}
	}
	return nil
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
