package format

import (
	"cmp"
	"math/bits"
	"slices"
)

// A member takes at least a NUL, an offset and the fields that all types have.
const minMemberSize = 1 + 1 + 8

func decodeCompound(d *Datatype, r *datatypeReader) {
	n := int(r.bits & 0xffff)
	switch {
	case n == 0:
		r.Corrupt("a compound datatype without members")
	case n > r.Len()/minMemberSize:
		r.Corrupt("%d members in %d bytes", n, r.Len())
	}
	if r.Failed() {
		return
	}
	d.Members = make([]Member, n)
	for i := range d.Members {
		d.Members[i] = d.member(r)
		if r.Failed() {
			return
		}
	}
	d.checkMembers(r)
}

func (d *Datatype) member(r *datatypeReader) Member {
	m := Member{Name: d.name(r)}
	if d.Version < 3 {
		m.Offset = r.U32()
	} else {
		m.Offset = uint32(r.Uint((bits.Len32(d.Size) + 7) / 8))
	}
	var dims []uint32
	if d.Version == 1 {
		dims = memberDims(r)
	}
	m.Type = r.base()
	if len(dims) > 0 && !r.Failed() {
		size, ok := arraySize(dims, m.Type.Size)
		if !ok || size == 0 {
			r.Corrupt("member %q is an array of %v elements of %d bytes", m.Name, dims, m.Type.Size)
		}
		m.Type = &Datatype{Class: Array, Version: d.Version, Size: size, Dims: dims, Base: m.Type, Committed: Undefined}
	}
	if !r.Failed() && uint64(m.Offset)+uint64(m.Type.Size) > uint64(d.Size) {
		r.Corrupt("member %q of %d bytes at %d reaches past the %d bytes of the element", m.Name, m.Type.Size, m.Offset, d.Size)
	}
	return m
}

// memberDims reads the dimensions that members of version 1 have themselves.
func memberDims(r *datatypeReader) []uint32 {
	n := int(r.U8())
	r.Skip(3 + 4 + 4) // reserved, permutation, reserved
	var dims [4]uint32
	for i := range dims {
		dims[i] = r.U32()
	}
	if n > len(dims) {
		r.Corrupt("a member of %d dimensions", n)
		return nil
	}
	return slices.Clone(dims[:n])
}

// checkMembers checks that neither names nor bytes are used twice.
func (d *Datatype) checkMembers(r *datatypeReader) {
	order := make([]int, len(d.Members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(d.Members[a].Offset, d.Members[b].Offset) })
	for i, at := range order[1:] {
		a, b := &d.Members[order[i]], &d.Members[at]
		if a.Offset+a.Type.Size > b.Offset {
			r.Corrupt("members %q and %q overlap", a.Name, b.Name)
			return
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(d.Members[a].Name, d.Members[b].Name) })
	for i, at := range order[1:] {
		if d.Members[order[i]].Name == d.Members[at].Name {
			r.Corrupt("two members of the name %q", d.Members[at].Name)
			return
		}
	}
}
