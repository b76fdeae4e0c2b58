package datatype

import (
	"cmp"
	"math"
	"slices"

	"clawh5/core/internal/format"
)

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
		return nil, refused("a member is inserted into a type of class %s, not into a compound", d.Class)
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
	check := checkMembers
	if len(members) == 1 {
		check = checkLastMember
	}
	if err := check(c); err != nil {
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
	var last *format.Member
	for _, i := range byOffset(d) {
		m := &d.Members[i]
		if known[m.Name] {
			return twoMembers(m.Name)
		}
		known[m.Name] = true
		if last != nil && uint64(m.Offset) < memberEnd(last) {
			return overlap(last, m)
		}
		last = m
		if err := checkEnd(d, m); err != nil {
			return err
		}
	}
	return nil
}

// checkLastMember is checkMembers for the last member.
func checkLastMember(d *format.Datatype) error {
	n := len(d.Members) - 1
	m := &d.Members[n]
	for i := range d.Members[:n] {
		other := &d.Members[i]
		if other.Name == m.Name {
			return twoMembers(m.Name)
		}
		if uint64(m.Offset) < memberEnd(other) && uint64(other.Offset) < memberEnd(m) {
			return overlap(other, m)
		}
	}
	return checkEnd(d, m)
}

func memberEnd(m *format.Member) uint64 { return uint64(m.Offset) + uint64(m.Type.Size) }

func checkEnd(d *format.Datatype, m *format.Member) error {
	if memberEnd(m) > uint64(d.Size) {
		return refused("member %q of %d bytes at %d reaches past the %d bytes of the compound", m.Name, m.Type.Size, m.Offset, d.Size)
	}
	return nil
}

func twoMembers(name string) error {
	return refused("two members of the compound have the name %q", name)
}

func overlap(a, b *format.Member) error { return refused("members %q and %q overlap", a.Name, b.Name) }

// Pack returns d without gaps between and after the members of compounds, at any
// depth. Members get the order of their bytes.
func Pack(d *format.Datatype) *format.Datatype {
	if !Contains(d, format.Compound) {
		return d
	}
	c := changed(d)
	if d.Base != nil {
		c.Base = Pack(d.Base)
		if d.Class == format.Array {
			c.Size = d.Size / d.Base.Size * c.Base.Size
		}
		return c
	}
	c.Members = nil
	at := uint32(0)
	for _, i := range byOffset(d) {
		m := format.Member{Name: d.Members[i].Name, Offset: at, Type: Pack(d.Members[i].Type)}
		c.Members = append(c.Members, m)
		at += m.Type.Size
	}
	c.Size = max(at, 1)
	return c
}

// byOffset returns the positions of the members of a compound in the order of
// their bytes.
func byOffset(d *format.Datatype) []int {
	order := make([]int, len(d.Members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(d.Members[i].Offset, d.Members[j].Offset) })
	return order
}
