package main

// #include "export.h"
import "C"

import (
	"context"
	"unsafe"

	"clawh5/core"
)

//export goclawh5_describe
func goclawh5_describe(loc C.clawh5_id, path *C.clawh5_cchar, flags C.uint32_t, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(loc, err, func(e *entry) error {
		p, err := text(path, "path")
		if err != nil {
			return err
		}
		return e.putText(reply{buf, size, len}, describeKey(p, flags), func() ([]byte, error) {
			content, _, err := e.object.AppendDescription(context.Background(), nil, p, core.DescribeFlags(flags))
			return content, err
		})
	})
}

func describeKey(path string, flags C.uint32_t) textKey {
	return textKey{what: "describe", path: path, flags: uint32(flags)}
}

//export goclawh5_object_describe
func goclawh5_object_describe(loc C.clawh5_id, path *C.clawh5_cchar, flags C.uint32_t, object *C.clawh5_id, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(loc, err, func(e *entry) error {
		p, err := text(path, "path")
		if err != nil {
			return err
		}
		var content []byte
		err = e.setObject(object, func() (o *core.Object, err error) {
			content, o, err = e.object.AppendDescription(context.Background(), nil, p, core.DescribeFlags(flags))
			return o, err
		})
		if err != nil {
			return err
		}
		return e.putText(reply{buf, size, len}, describeKey(p, flags), func() ([]byte, error) { return content, nil })
	})
}

//export goclawh5_describe_start
func goclawh5_describe_start(loc C.clawh5_id, path *C.clawh5_cchar, flags C.uint32_t, op *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		p, err := text(path, "path")
		if err != nil {
			return err
		}
		return setOpOn(loc, op, func(ctx context.Context, o *operation, e *entry) error {
			content, object, err := e.object.AppendDescription(ctx, nil, p, core.DescribeFlags(flags))
			if err == nil {
				o.content, o.made = content, e.objectEntry(object)
			}
			return err
		})
	})
}

//export goclawh5_link
func goclawh5_link(loc C.clawh5_id, path *C.clawh5_cchar, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return objectText(loc, "link", path, reply{buf, size, len}, err, (*core.Object).AppendLink)
}

//export goclawh5_region
func goclawh5_region(file C.clawh5_id, ref *C.clawh5_cbyte, refSize C.size_t, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(file, err, func(e *entry) error {
		r, err := buffer(unsafe.Pointer(ref), refSize)
		if err != nil {
			return err
		}
		key := textKey{what: "region", path: string(r)}
		return e.putText(reply{buf, size, len}, key, func() ([]byte, error) {
			return e.object.File().AppendRegion(context.Background(), nil, r)
		})
	})
}

//export goclawh5_attribute
func goclawh5_attribute(object C.clawh5_id, name *C.clawh5_cchar, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return objectText(object, "attribute", name, reply{buf, size, len}, err, (*core.Object).AppendAttribute)
}

// objectText answers with a text about something of an object that has a name.
func objectText(id C.clawh5_id, what string, name *C.clawh5_cchar, r reply, cerr *C.clawh5_error,
	append func(*core.Object, context.Context, []byte, string) ([]byte, error)) C.clawh5_status {
	return withObject(id, cerr, func(e *entry) error {
		n, err := text(name, "name")
		if err != nil {
			return err
		}
		return e.putText(r, textKey{what: what, path: n}, func() ([]byte, error) {
			return append(e.object, context.Background(), nil, n)
		})
	})
}

// nameInto returns the name of an attribute that is read and the destination.
func nameInto(name *C.clawh5_cchar, dst unsafe.Pointer, size C.size_t) (string, []byte, error) {
	n, err := text(name, "name")
	if err != nil {
		return "", nil, err
	}
	b, err := buffer(dst, size)
	return n, b, err
}

//export goclawh5_attribute_read
func goclawh5_attribute_read(object C.clawh5_id, name *C.clawh5_cchar, memoryType C.int32_t, dst unsafe.Pointer, size C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(object, err, func(e *entry) error {
		n, b, err := nameInto(name, dst, size)
		if err != nil {
			return err
		}
		return e.object.ReadAttribute(context.Background(), n, core.MemoryType(memoryType), b)
	})
}
