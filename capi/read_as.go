package main

// #include "export.h"
import "C"

import (
	"context"
	"unsafe"

	"clawh5/core"
	"clawh5/core/h5err"
)

// memoryOf returns the memory datatype of a call that returns no heap.
func memoryOf(id C.clawh5_id) (core.Datatype, error) {
	t, err := datatypeOf(int64(id))
	if err == nil && t.HasVariableLength() {
		err = h5err.New(h5err.Type, "a memory datatype with variable-length elements needs an operation, which has the heap")
	}
	return t, err
}

//export goclawh5_read_as
func goclawh5_read_as(dataset C.clawh5_id, selection *C.clawh5_cselection, memory C.clawh5_id, dst unsafe.Pointer, size C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withDataset(dataset, err, func(_ *entry, d *core.Dataset) error {
		t, err := memoryOf(memory)
		if err != nil {
			return err
		}
		s, b, err := selectionInto(selection, dst, size)
		if err != nil {
			return err
		}
		_, err = d.ReadAs(context.Background(), s, t, b, nil)
		return err
	})
}

//export goclawh5_read_as_start
func goclawh5_read_as_start(dataset C.clawh5_id, selection *C.clawh5_cselection, memory C.clawh5_id, dst unsafe.Pointer, size C.size_t, op *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		t, err := datatypeOf(int64(memory))
		if err != nil {
			return err
		}
		s, b, err := selectionInto(selection, dst, size)
		if err != nil {
			return err
		}
		return setOpOn(dataset, op, func(ctx context.Context, o *operation, e *entry) error {
			d, err := e.object.Dataset(ctx)
			if err != nil {
				return err
			}
			o.content, err = d.ReadAs(ctx, s, t, b, &o.progress)
			o.slots, o.itemSize = b, t.ItemSize()
			return err
		})
	})
}

//export goclawh5_attribute_read_as
func goclawh5_attribute_read_as(object C.clawh5_id, name *C.clawh5_cchar, memory C.clawh5_id, dst unsafe.Pointer, size C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withObject(object, err, func(e *entry) error {
		t, err := memoryOf(memory)
		if err != nil {
			return err
		}
		n, b, err := nameInto(name, dst, size)
		if err != nil {
			return err
		}
		_, err = e.object.ReadAttributeAs(context.Background(), n, t, b)
		return err
	})
}

//export goclawh5_attribute_read_as_start
func goclawh5_attribute_read_as_start(object C.clawh5_id, name *C.clawh5_cchar, memory C.clawh5_id, dst unsafe.Pointer, size C.size_t, op *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		t, err := datatypeOf(int64(memory))
		if err != nil {
			return err
		}
		n, b, err := nameInto(name, dst, size)
		if err != nil {
			return err
		}
		return setOpOn(object, op, func(ctx context.Context, o *operation, e *entry) (err error) {
			o.content, err = e.object.ReadAttributeAs(ctx, n, t, b)
			o.slots, o.itemSize = b, t.ItemSize()
			return err
		})
	})
}
