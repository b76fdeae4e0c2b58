package main

// #include "export.h"
import "C"

import (
	"context"
	"unsafe"

	"clawh5/core"
)

// withDataset runs the body of an export that works on a dataset.
func withDataset(id C.clawh5_id, cerr *C.clawh5_error, body func(*entry, *core.Dataset) error) C.clawh5_status {
	return withObject(id, cerr, func(e *entry) error {
		d, err := e.object.Dataset(context.Background())
		if err != nil {
			return err
		}
		return body(e, d)
	})
}

//export goclawh5_dataset_shape
func goclawh5_dataset_shape(dataset C.clawh5_id, rank *C.int32_t, dims, maxDims *C.uint64_t, err *C.clawh5_error) C.clawh5_status {
	return withDataset(dataset, err, func(_ *entry, d *core.Dataset) error {
		if err := need(unsafe.Pointer(rank), "rank"); err != nil {
			return err
		}
		*rank = C.int32_t(d.Rank())
		setDims(dims, d.Dims())
		setDims(maxDims, d.MaxDims())
		return nil
	})
}

// setDims fills an array of the caller's, which may be NULL.
func setDims(out *C.uint64_t, dims []uint64) {
	if out != nil {
		copy(unsafe.Slice((*uint64)(unsafe.Pointer(out)), len(dims)), dims)
	}
}

//export goclawh5_dataset_type
func goclawh5_dataset_type(dataset C.clawh5_id, info *C.clawh5_type_info, err *C.clawh5_error) C.clawh5_status {
	return withDataset(dataset, err, func(_ *entry, d *core.Dataset) error {
		if err := need(unsafe.Pointer(info), "info"); err != nil {
			return err
		}
		t := d.TypeInfo()
		return setStruct(info, C.clawh5_type_info{
			type_class: C.int32_t(t.Class),
			big_endian: flag(t.BigEndian),
			is_signed:  flag(t.Signed),
			variable:   flag(t.Variable),
			size:       C.uint64_t(t.Size),
			file_size:  C.uint64_t(t.FileSize),
		})
	})
}

func flag(b bool) C.int32_t {
	if b {
		return 1
	}
	return 0
}

//export goclawh5_plan
func goclawh5_plan(dataset C.clawh5_id, selection *C.clawh5_cselection, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withDataset(dataset, err, func(_ *entry, d *core.Dataset) error {
		s, err := selectionOf(selection)
		if err != nil {
			return err
		}
		content, err := d.AppendPlan(context.Background(), nil, s)
		if err != nil {
			return err
		}
		return reply{buf, size, len}.put(content)
	})
}

//export goclawh5_chunks
func goclawh5_chunks(dataset C.clawh5_id, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withDataset(dataset, err, func(e *entry, d *core.Dataset) error {
		return e.putText(reply{buf, size, len}, textKey{what: "chunks"}, func() ([]byte, error) {
			return d.AppendChunks(context.Background(), nil)
		})
	})
}
