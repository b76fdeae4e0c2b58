package main

// #include "export.h"
import "C"

import (
	"strconv"
	"unsafe"

	"clawh5/core"
	"clawh5/core/h5err"
)

//export goclawh5_datatype_get
func goclawh5_datatype_get(typ C.clawh5_id, property C.int32_t, value *C.uint64_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error {
		if err := need(unsafe.Pointer(value), "value"); err != nil {
			return err
		}
		v, err := t.Property(core.Property(property))
		if err == nil {
			*value = C.uint64_t(v)
		}
		return err
	})
}

//export goclawh5_datatype_set
func goclawh5_datatype_set(typ C.clawh5_id, property C.int32_t, value C.uint64_t, err *C.clawh5_error) C.clawh5_status {
	return changeType(typ, err, func(t core.Datatype) (core.Datatype, error) {
		return t.WithProperty(core.Property(property), uint64(value))
	})
}

//export goclawh5_datatype_set_fields
func goclawh5_datatype_set_fields(typ C.clawh5_id, spos, epos, esize, mpos, msize C.uint64_t, err *C.clawh5_error) C.clawh5_status {
	return changeType(typ, err, func(t core.Datatype) (core.Datatype, error) {
		return t.WithFields(core.FloatFields{Sign: uint64(spos), ExponentAt: uint64(epos), ExponentBits: uint64(esize),
			MantissaAt: uint64(mpos), MantissaBits: uint64(msize)})
	})
}

//export goclawh5_datatype_tag
func goclawh5_datatype_tag(typ C.clawh5_id, buf *C.char, size C.size_t, n *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error {
		tag, err := t.OpaqueTag()
		if err != nil {
			return err
		}
		return reply{buf, size, n}.put([]byte(tag))
	})
}

//export goclawh5_datatype_set_tag
func goclawh5_datatype_set_tag(typ C.clawh5_id, tag *C.clawh5_cchar, err *C.clawh5_error) C.clawh5_status {
	return changeType(typ, err, func(t core.Datatype) (core.Datatype, error) {
		s, err := text(tag, "tag")
		if err != nil {
			return core.Datatype{}, err
		}
		return t.WithTag(s)
	})
}

//export goclawh5_datatype_name
func goclawh5_datatype_name(typ C.clawh5_id, buf *C.char, size C.size_t, n *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error {
		name, ok := t.PredefinedName()
		if !ok {
			return h5err.New(h5err.NotFound, "the datatype is none of the predefined ones")
		}
		return reply{buf, size, n}.put([]byte(name))
	})
}

// withMember runs the body of an export that asks for a member of a compound or
// an enumeration.
func withMember(typ C.clawh5_id, i C.uint32_t, cerr *C.clawh5_error, body func(core.TypeMember) error) C.clawh5_status {
	return withType(typ, cerr, func(t core.Datatype) error {
		m, err := t.MemberAt(uint64(i))
		if err != nil {
			return err
		}
		return body(m)
	})
}

//export goclawh5_datatype_member_name
func goclawh5_datatype_member_name(typ C.clawh5_id, i C.uint32_t, buf *C.char, size C.size_t, n *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withMember(typ, i, err, func(m core.TypeMember) error { return reply{buf, size, n}.put([]byte(m.Name)) })
}

//export goclawh5_datatype_member
func goclawh5_datatype_member(typ C.clawh5_id, i C.uint32_t, offset *C.uint64_t, member *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return withMember(typ, i, err, func(m core.TypeMember) error {
		if m.Value != nil {
			return h5err.New(h5err.Type, "a member of an enumeration has no datatype of its own")
		}
		if offset != nil {
			*offset = C.uint64_t(m.Offset)
		}
		if member == nil {
			return nil
		}
		return giveType(member, m.Type)
	})
}

//export goclawh5_datatype_member_value
func goclawh5_datatype_member_value(typ C.clawh5_id, i C.uint32_t, value unsafe.Pointer, size C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withMember(typ, i, err, func(m core.TypeMember) error {
		if m.Value == nil {
			return h5err.New(h5err.Type, "a member of a compound has no value")
		}
		return putValue(value, size, m.Value)
	})
}

//export goclawh5_datatype_member_index
func goclawh5_datatype_member_index(typ C.clawh5_id, name *C.clawh5_cchar, index *C.uint32_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error {
		s, err := text(name, "name")
		if err != nil {
			return err
		}
		if err := need(unsafe.Pointer(index), "index"); err != nil {
			return err
		}
		i, ok := t.MemberIndex(s)
		if !ok {
			return h5err.New(h5err.NotFound, "there is no member "+strconv.Quote(s))
		}
		*index = C.uint32_t(i)
		return nil
	})
}

//export goclawh5_datatype_nameof
func goclawh5_datatype_nameof(typ C.clawh5_id, value *C.clawh5_cbyte, valueSize C.size_t, buf *C.char, size C.size_t, n *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error {
		v, err := buffer(unsafe.Pointer(value), valueSize)
		if err != nil {
			return err
		}
		name, ok := t.NameOf(v)
		if !ok {
			return h5err.New(h5err.NotFound, "the enumeration has no name for the value")
		}
		return reply{buf, size, n}.put([]byte(name))
	})
}

//export goclawh5_datatype_valueof
func goclawh5_datatype_valueof(typ C.clawh5_id, name *C.clawh5_cchar, value unsafe.Pointer, size C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error {
		s, err := text(name, "name")
		if err != nil {
			return err
		}
		v, ok := t.ValueOf(s)
		if !ok {
			return h5err.New(h5err.NotFound, "the enumeration has no value for "+strconv.Quote(s))
		}
		return putValue(value, size, v)
	})
}

//export goclawh5_datatype_array_dims
func goclawh5_datatype_array_dims(typ C.clawh5_id, rank *C.int32_t, dims *C.uint64_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error {
		n, err := t.Property(core.PropertyRank)
		if err != nil {
			return err
		}
		if rank != nil {
			*rank = C.int32_t(n)
		}
		setDims(dims, t.Dims())
		return nil
	})
}

//export goclawh5_datatype_insert
func goclawh5_datatype_insert(typ C.clawh5_id, name *C.clawh5_cchar, offset C.uint64_t, member C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return changeType(typ, err, func(t core.Datatype) (core.Datatype, error) {
		s, err := text(name, "name")
		if err != nil {
			return core.Datatype{}, err
		}
		m, err := datatypeOf(int64(member))
		if err != nil {
			return core.Datatype{}, err
		}
		return t.Insert(s, uint64(offset), m)
	})
}

//export goclawh5_datatype_enum_insert
func goclawh5_datatype_enum_insert(typ C.clawh5_id, name *C.clawh5_cchar, value *C.clawh5_cbyte, size C.size_t, err *C.clawh5_error) C.clawh5_status {
	return changeType(typ, err, func(t core.Datatype) (core.Datatype, error) {
		s, err := text(name, "name")
		if err != nil {
			return core.Datatype{}, err
		}
		v, err := buffer(unsafe.Pointer(value), size)
		if err != nil {
			return core.Datatype{}, err
		}
		return t.EnumInsert(s, v)
	})
}

//export goclawh5_datatype_equal
func goclawh5_datatype_equal(a, b C.clawh5_id, equal *C.int32_t, err *C.clawh5_error) C.clawh5_status {
	return withType(a, err, func(t core.Datatype) error {
		u, err := datatypeOf(int64(b))
		if err != nil {
			return err
		}
		if err := need(unsafe.Pointer(equal), "equal"); err != nil {
			return err
		}
		*equal = flag(t.Equal(u))
		return nil
	})
}

//export goclawh5_datatype_detect_class
func goclawh5_datatype_detect_class(typ C.clawh5_id, class C.int32_t, found *C.int32_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error {
		if err := need(unsafe.Pointer(found), "found"); err != nil {
			return err
		}
		if class < 0 || class > C.int32_t(core.ClassComplex) {
			return argument("there is no class %d", class)
		}
		*found = flag(t.DetectClass(core.Class(class)))
		return nil
	})
}
