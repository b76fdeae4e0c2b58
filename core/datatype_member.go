package core

import (
	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// Super returns the type that an enumeration, an array, a sequence, a
// variable-length string or a complex type is made of; otherwise one that is not
// valid.
func (t Datatype) Super() Datatype { return Datatype{t.d.Base} }

// BaseType is Super with a Type error where there is none.
func (t Datatype) BaseType() (Datatype, error) {
	if t.d.Base == nil {
		return Datatype{}, newError(h5err.Type, "a datatype of class %s is not made of another", t.Class())
	}
	return t.Super(), nil
}

// Dims returns the dimensions of an array.
func (t Datatype) Dims() []uint64 {
	dims := make([]uint64, len(t.d.Dims))
	for i, n := range t.d.Dims {
		dims[i] = uint64(n)
	}
	return dims
}

// NumMembers returns the number of members of a compound or an enumeration.
func (t Datatype) NumMembers() int { return len(t.d.Members) + len(t.d.Names) }

// Member returns a member of a compound. It panics unless 0 <= i < NumMembers.
func (t Datatype) Member(i int) (name string, offset uint64, typ Datatype) {
	m := &t.d.Members[i]
	return m.Name, uint64(m.Offset), Datatype{m.Type}
}

// TypeMember is a member of a compound or of an enumeration.
type TypeMember struct {
	Name   string
	Offset uint64   // in a compound
	Type   Datatype // in a compound
	Value  []byte   // in an enumeration; nil in a compound
}

// MemberAt returns a member of a compound or an enumeration; a Type error for
// other types, and a NotFound error beyond the last member.
func (t Datatype) MemberAt(i uint64) (TypeMember, error) {
	n, err := t.Property(PropertyMembers)
	if err != nil {
		return TypeMember{}, err
	}
	if i >= n {
		return TypeMember{}, newError(h5err.NotFound, "there is no member %d of %d", i, n)
	}
	m := TypeMember{Name: t.MemberName(int(i))}
	if t.d.Class == format.Enumeration {
		_, m.Value = t.EnumMember(int(i))
	} else {
		_, m.Offset, m.Type = t.Member(int(i))
	}
	return m, nil
}

// MemberName returns the name of a member of a compound or an enumeration. It
// panics unless 0 <= i < NumMembers.
func (t Datatype) MemberName(i int) string {
	if t.d.Class == format.Enumeration {
		return t.d.Names[i]
	}
	return t.d.Members[i].Name
}

// MemberIndex returns the position of the member of a compound or an enumeration
// that has a name.
func (t Datatype) MemberIndex(name string) (int, bool) {
	for i := range t.NumMembers() {
		if t.MemberName(i) == name {
			return i, true
		}
	}
	return 0, false
}

// EnumMember returns a member of an enumeration; the value is Size bytes, not to
// be changed. It panics unless 0 <= i < NumMembers.
func (t Datatype) EnumMember(i int) (name string, value []byte) {
	size := int(t.d.Base.Size)
	return t.d.Names[i], t.d.Values[i*size : (i+1)*size : (i+1)*size]
}

// NameOf returns the name that an enumeration gives a value of Size bytes.
func (t Datatype) NameOf(value []byte) (string, bool) {
	for i := range t.d.Names {
		if name, v := t.EnumMember(i); string(v) == string(value) {
			return name, true
		}
	}
	return "", false
}

// ValueOf returns the value that an enumeration gives a name.
func (t Datatype) ValueOf(name string) ([]byte, bool) {
	for i, n := range t.d.Names {
		if n == name {
			_, value := t.EnumMember(i)
			return value, true
		}
	}
	return nil, false
}
