package main

// #include "export.h"
import "C"

import (
	"context"
	"unsafe"

	"clawh5/core"
)

// withObject runs the body of an export that works on an object.
func withObject(id C.clawh5_id, cerr *C.clawh5_error, body func(*entry) error) C.clawh5_status {
	return call(cerr, func() error {
		e, err := useObject(int64(id))
		if err != nil {
			return err
		}
		defer e.release()
		return body(e)
	})
}

// setObject gives out the handle of an object that was found through e.
func (e *entry) setObject(out *C.clawh5_id, find func() (*core.Object, error)) error {
	if err := need(unsafe.Pointer(out), "object"); err != nil {
		return err
	}
	o, err := find()
	if err != nil {
		return err
	}
	return setID(out, e.objectEntry(o))
}

//export goclawh5_object_open
func goclawh5_object_open(loc C.clawh5_id, path *C.clawh5_cchar, object *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return withObject(loc, err, func(e *entry) error {
		p, err := text(path, "path")
		if err != nil {
			return err
		}
		return e.setObject(object, func() (*core.Object, error) { return e.object.Open(context.Background(), p) })
	})
}

//export goclawh5_object_open_address
func goclawh5_object_open_address(file C.clawh5_id, address C.uint64_t, object *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		e, err := useFile(int64(file))
		if err != nil {
			return err
		}
		defer e.release()
		return e.setObject(object, func() (*core.Object, error) {
			return e.file.ObjectAt(context.Background(), uint64(address))
		})
	})
}

//export goclawh5_object_file
func goclawh5_object_file(object C.clawh5_id, file *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return withObject(object, err, func(e *entry) error {
		if err := need(unsafe.Pointer(file), "file"); err != nil {
			return err
		}
		f := e.object.File()
		f.Retain()
		return setID(file, fileEntry(f))
	})
}

//export goclawh5_object_kind
func goclawh5_object_kind(object C.clawh5_id, kind *C.int32_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(object, err, func(e *entry) error {
		if err := need(unsafe.Pointer(kind), "kind"); err != nil {
			return err
		}
		*kind = C.int32_t(e.object.Kind())
		return nil
	})
}

//export goclawh5_object_address
func goclawh5_object_address(object C.clawh5_id, address *C.uint64_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(object, err, func(e *entry) error {
		if err := need(unsafe.Pointer(address), "address"); err != nil {
			return err
		}
		*address = C.uint64_t(e.object.Address())
		return nil
	})
}

//export goclawh5_group_count
func goclawh5_group_count(group C.clawh5_id, count *C.uint64_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(group, err, func(e *entry) error {
		if err := need(unsafe.Pointer(count), "count"); err != nil {
			return err
		}
		n, err := e.object.LinkCount(context.Background())
		if err == nil {
			*count = C.uint64_t(n)
		}
		return err
	})
}

//export goclawh5_group_names
func goclawh5_group_names(group C.clawh5_id, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(group, err, func(e *entry) error {
		return e.putText(reply{buf, size, len}, textKey{what: "names"}, func() ([]byte, error) {
			names, err := e.object.LinkNames(context.Background())
			var list []byte
			for _, name := range names {
				list = append(append(list, name...), 0)
			}
			return list, err
		})
	})
}
