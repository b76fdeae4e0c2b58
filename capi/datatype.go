package main

// #include "export.h"
import "C"

import (
	"context"
	"math"
	"strconv"
	"unsafe"

	"clawh5/core"
	"clawh5/core/h5err"
)

// makeType runs the body of an export that makes a datatype and gives out its
// handle.
func makeType(out *C.clawh5_id, cerr *C.clawh5_error, body func() (core.Datatype, error)) C.clawh5_status {
	return call(cerr, func() error {
		t, err := body()
		if err != nil {
			return err
		}
		return giveType(out, t)
	})
}

// withType runs the body of an export that asks a datatype.
func withType(id C.clawh5_id, cerr *C.clawh5_error, body func(core.Datatype) error) C.clawh5_status {
	return call(cerr, func() error {
		t, err := datatypeOf(int64(id))
		if err != nil {
			return err
		}
		return body(t)
	})
}

// changeType runs the body of an export that changes a datatype. Changes by
// several threads at once follow one another.
func changeType(id C.clawh5_id, cerr *C.clawh5_error, body func(core.Datatype) (core.Datatype, error)) C.clawh5_status {
	return call(cerr, func() error {
		e, err := useDatatype(int64(id))
		if err != nil {
			return err
		}
		defer e.release()
		for {
			old := e.datatype.Load()
			t, err := body(*old)
			if err != nil {
				return err
			}
			if e.datatype.CompareAndSwap(old, &t) {
				return nil
			}
		}
	})
}

//export goclawh5_dataset_datatype
func goclawh5_dataset_datatype(dataset C.clawh5_id, typ *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return withDataset(dataset, err, func(_ *entry, d *core.Dataset) error {
		return giveType(typ, d.Datatype())
	})
}

// giveType gives out the handle of a datatype.
func giveType(out *C.clawh5_id, t core.Datatype) error {
	if err := need(unsafe.Pointer(out), "type"); err != nil {
		return err
	}
	return setID(out, datatypeEntry(t))
}

//export goclawh5_attribute_datatype
func goclawh5_attribute_datatype(object C.clawh5_id, name *C.clawh5_cchar, typ *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return withObject(object, err, func(e *entry) error {
		n, err := text(name, "name")
		if err != nil {
			return err
		}
		info, err := e.object.AttributeInfo(context.Background(), n)
		if err != nil {
			return err
		}
		return giveType(typ, info.Type)
	})
}

//export goclawh5_datatype_open
func goclawh5_datatype_open(loc C.clawh5_id, path *C.clawh5_cchar, typ *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return withObject(loc, err, func(e *entry) error {
		p, err := text(path, "path")
		if err != nil {
			return err
		}
		o, err := e.object.Open(context.Background(), p)
		if err != nil {
			return err
		}
		t, err := o.Datatype(context.Background())
		if err != nil {
			return err
		}
		return giveType(typ, t)
	})
}

//export goclawh5_datatype_predefined
func goclawh5_datatype_predefined(name *C.clawh5_cchar, typ *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return makeType(typ, err, func() (core.Datatype, error) {
		n, err := text(name, "name")
		if err != nil {
			return core.Datatype{}, err
		}
		t, ok := core.Predefined(n)
		if !ok {
			return core.Datatype{}, h5err.New(h5err.NotFound, "there is no predefined datatype "+strconv.Quote(n))
		}
		return t, nil
	})
}

//export goclawh5_datatype_create
func goclawh5_datatype_create(class C.int32_t, size C.uint64_t, typ *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return makeType(typ, err, func() (core.Datatype, error) {
		switch {
		case class == C.CLAWH5_CLASS_COMPOUND:
			return core.NewCompound(uint64(size))
		case class == C.CLAWH5_CLASS_OPAQUE:
			return core.NewOpaque(uint64(size), "")
		case class == C.CLAWH5_CLASS_STRING && uint64(size) == math.MaxUint64:
			return core.NewVariableString(), nil
		case class == C.CLAWH5_CLASS_STRING:
			return core.NewString(uint64(size))
		}
		return core.Datatype{}, argument("datatypes of class %d are made from others", class)
	})
}

// derivations makes a datatype from another.
var derivations = map[C.int32_t]func(core.Datatype) (core.Datatype, error){
	C.CLAWH5_TYPE_COPY:           func(t core.Datatype) (core.Datatype, error) { return t, nil },
	C.CLAWH5_TYPE_SUPER:          core.Datatype.BaseType,
	C.CLAWH5_TYPE_NATIVE:         core.Datatype.Native,
	C.CLAWH5_TYPE_PACKED:         func(t core.Datatype) (core.Datatype, error) { return t.Pack(), nil },
	C.CLAWH5_TYPE_ENUM:           core.NewEnum,
	C.CLAWH5_TYPE_VLEN:           core.NewVlen,
	C.CLAWH5_TYPE_COMPLEX:        core.NewComplex,
	C.CLAWH5_TYPE_LIBRARY:        core.Datatype.Library,
	C.CLAWH5_TYPE_NATIVE_LIBRARY: core.Datatype.NativeLibrary,
}

//export goclawh5_datatype_derive
func goclawh5_datatype_derive(base C.clawh5_id, how C.int32_t, typ *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return makeType(typ, err, func() (core.Datatype, error) {
		derive, ok := derivations[how]
		if !ok {
			return core.Datatype{}, argument("there is no derivation %d", how)
		}
		t, err := datatypeOf(int64(base))
		if err != nil {
			return core.Datatype{}, err
		}
		return derive(t)
	})
}

//export goclawh5_datatype_array_create
func goclawh5_datatype_array_create(base C.clawh5_id, rank C.int32_t, dims *C.clawh5_cuint64, typ *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return makeType(typ, err, func() (core.Datatype, error) {
		t, err := datatypeOf(int64(base))
		if err != nil {
			return core.Datatype{}, err
		}
		if rank < 1 || rank > C.CLAWH5_MAX_RANK || dims == nil {
			return core.Datatype{}, argument("an array of rank %d", rank)
		}
		return core.NewArray(t, unsafe.Slice((*uint64)(unsafe.Pointer(dims)), int(rank))...)
	})
}

//export goclawh5_text_to_dtype
func goclawh5_text_to_dtype(ddl *C.clawh5_cchar, typ *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return makeType(typ, err, func() (core.Datatype, error) {
		s, err := text(ddl, "text")
		if err != nil {
			return core.Datatype{}, err
		}
		return core.ParseDatatype(s)
	})
}

//export goclawh5_dtype_to_text
func goclawh5_dtype_to_text(typ C.clawh5_id, buf *C.char, size C.size_t, n *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error { return reply{buf, size, n}.put([]byte(t.Text())) })
}

//export goclawh5_datatype_describe
func goclawh5_datatype_describe(typ C.clawh5_id, buf *C.char, size C.size_t, n *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error { return reply{buf, size, n}.put(t.AppendJSON(nil)) })
}

//export goclawh5_datatype_decode
func goclawh5_datatype_decode(encoded *C.clawh5_cbyte, size C.size_t, typ *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return makeType(typ, err, func() (core.Datatype, error) {
		p, err := buffer(unsafe.Pointer(encoded), size)
		if err != nil {
			return core.Datatype{}, err
		}
		return core.DecodeDatatype(p)
	})
}

//export goclawh5_datatype_encode
func goclawh5_datatype_encode(typ C.clawh5_id, buf unsafe.Pointer, size C.size_t, n *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withType(typ, err, func(t core.Datatype) error {
		encoded := t.AppendEncoded(nil)
		if n != nil {
			*n = C.size_t(len(encoded))
		}
		return putValue(buf, size, encoded)
	})
}

// putValue copies a value into the caller's buffer, which may be longer.
func putValue(buf unsafe.Pointer, size C.size_t, value []byte) error {
	dst, err := buffer(buf, size)
	if err != nil {
		return err
	}
	if len(dst) < len(value) {
		return h5err.New(h5err.Space, "the buffer is too small for the value of "+strconv.Itoa(len(value))+" bytes")
	}
	copy(dst, value)
	return nil
}

//export goclawh5_datatype_convert
func goclawh5_datatype_convert(from, to C.clawh5_id, n C.uint64_t, src *C.clawh5_cbyte, srcSize C.size_t, dst unsafe.Pointer, dstSize C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withType(from, err, func(t core.Datatype) error {
		u, err := datatypeOf(int64(to))
		if err != nil {
			return err
		}
		in, err := buffer(unsafe.Pointer(src), srcSize)
		if err != nil {
			return err
		}
		out, err := buffer(dst, dstSize)
		if err != nil {
			return err
		}
		return t.Convert(u, out, in, uint64(n))
	})
}
