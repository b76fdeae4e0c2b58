package main

// #include "export.h"
import "C"

import (
	"context"
	"unsafe"

	"clawh5/core"
)

// selectionInto returns the selection of a read and its destination.
func selectionInto(selection *C.clawh5_cselection, dst unsafe.Pointer, size C.size_t) (core.Selection, []byte, error) {
	s, err := selectionOf(selection)
	if err != nil {
		return s, nil, err
	}
	b, err := buffer(dst, size)
	return s, b, err
}

//export goclawh5_read
func goclawh5_read(dataset C.clawh5_id, selection *C.clawh5_cselection, memoryType C.int32_t, dst unsafe.Pointer, size C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withDataset(dataset, err, func(_ *entry, d *core.Dataset) error {
		s, b, err := selectionInto(selection, dst, size)
		if err != nil {
			return err
		}
		return d.Read(context.Background(), s, core.MemoryType(memoryType), b, nil)
	})
}

//export goclawh5_read_slab
func goclawh5_read_slab(dataset C.clawh5_id, rank C.int32_t, startStrideCount *C.clawh5_cuint64, memoryType C.int32_t, dst unsafe.Pointer, size C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withDataset(dataset, err, func(_ *entry, d *core.Dataset) error {
		if rank < 0 || rank > C.CLAWH5_MAX_RANK {
			return argument("rank %d is not within 0 to %d", rank, C.CLAWH5_MAX_RANK)
		}
		if rank > 0 && startStrideCount == nil {
			return argument("start_stride_count is NULL")
		}
		b, err := buffer(dst, size)
		if err != nil {
			return err
		}
		return d.ReadSlab(context.Background(), numbers(startStrideCount, 3*uint64(rank)), core.MemoryType(memoryType), b)
	})
}

//export goclawh5_read_start
func goclawh5_read_start(dataset C.clawh5_id, selection *C.clawh5_cselection, memoryType C.int32_t, dst unsafe.Pointer, size C.size_t, op *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		s, b, err := selectionInto(selection, dst, size)
		if err != nil {
			return err
		}
		return setOpOn(dataset, op, func(ctx context.Context, o *operation, e *entry) error {
			return o.read(ctx, e, s, core.MemoryType(memoryType), b)
		})
	})
}

func (o *operation) read(ctx context.Context, e *entry, s core.Selection, mem core.MemoryType, dst []byte) error {
	d, err := e.object.Dataset(ctx)
	if err != nil {
		return err
	}
	if !d.TypeInfo().Variable {
		return d.Read(ctx, s, mem, dst, &o.progress)
	}
	o.content, err = d.ReadVariable(ctx, s, mem, dst, &o.progress)
	o.slots, o.itemSize = dst, d.ItemSize()
	return err
}
