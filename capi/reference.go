package main

// #include "export.h"
import "C"

import (
	"context"
	"unsafe"

	"clawh5/core"
)

//export goclawh5_reference
func goclawh5_reference(file C.clawh5_id, ref *C.clawh5_cbyte, refSize C.size_t, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(file, err, func(e *entry) error {
		r, err := buffer(unsafe.Pointer(ref), refSize)
		if err != nil {
			return err
		}
		key := textKey{what: "reference", path: string(r)}
		return e.putText(reply{buf, size, len}, key, func() ([]byte, error) {
			return e.object.File().AppendReference(context.Background(), nil, r)
		})
	})
}

//export goclawh5_reference_open
func goclawh5_reference_open(file C.clawh5_id, ref *C.clawh5_cbyte, refSize C.size_t, object *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return withObject(file, err, func(e *entry) error {
		r, err := buffer(unsafe.Pointer(ref), refSize)
		if err != nil {
			return err
		}
		return e.setObject(object, func() (*core.Object, error) {
			return e.object.File().OpenReference(context.Background(), r)
		})
	})
}
