package main

// #include "export.h"
import "C"

import (
	"context"
	"encoding/binary"
	"math"
	"sync"
	"time"
	"unsafe"

	"clawh5/core"
	"clawh5/core/h5err"
)

// operation is a call that runs in a goroutine of its own. The goroutine
// writes the results and then closes done; after that nothing of the caller's
// is touched.
type operation struct {
	cancel   context.CancelFunc
	done     chan struct{}
	progress core.Progress

	err      error
	content  []byte // text of a describe, heap of a read
	slots    []byte // destination of a read of strings or sequences…
	itemSize uint64 // …whose items have this size in content

	mu   sync.Mutex
	made *entry // what an open or describe found, until it has a handle
	id   int64  // the handle
}

// setOp starts run and gives out the operation's handle.
func setOp(out *C.clawh5_id, run func(context.Context, *operation) error) error {
	if err := need(unsafe.Pointer(out), "op"); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := &operation{cancel: cancel, done: make(chan struct{})}
	if err := setID(out, &entry{op: o}); err != nil {
		cancel()
		return err
	}
	go o.run(ctx, run)
	return nil
}

func (o *operation) run(ctx context.Context, body func(context.Context, *operation) error) {
	defer close(o.done)
	defer o.cancel()
	o.err = protect(func() error { return body(ctx, o) })
}

// setOpOn is setOp for an operation on an object, which stays in use until
// the operation ends.
func setOpOn(id C.clawh5_id, out *C.clawh5_id, run func(context.Context, *operation, *entry) error) error {
	e, err := useObject(int64(id))
	if err != nil {
		return err
	}
	err = setOp(out, func(ctx context.Context, o *operation) error {
		defer e.release()
		return run(ctx, o, e)
	})
	if err != nil {
		e.release()
	}
	return err
}

// wait waits at most ms milliseconds and reports whether the operation ended.
func (o *operation) wait(ms uint32) bool {
	select {
	case <-o.done:
		return true
	default:
	}
	if ms == math.MaxUint32 {
		<-o.done
		return true
	}
	if ms == 0 {
		return false
	}
	timer := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-o.done:
		return true
	case <-timer.C:
		return false
	}
}

// withOp runs the body of an export that works on an operation.
func withOp(id C.clawh5_id, cerr *C.clawh5_error, body func(*operation) error) C.clawh5_status {
	return call(cerr, func() error {
		e, err := useOp(int64(id))
		if err != nil {
			return err
		}
		defer e.release()
		return body(e.op)
	})
}

// withResult is withOp for an operation that must have succeeded.
func withResult(id C.clawh5_id, cerr *C.clawh5_error, body func(*operation) error) C.clawh5_status {
	return withOp(id, cerr, func(o *operation) error {
		if !o.wait(0) {
			return argument("the operation has not ended")
		}
		if o.err != nil {
			return o.err
		}
		return body(o)
	})
}

//export goclawh5_op_wait
func goclawh5_op_wait(op C.clawh5_id, timeoutMS C.uint32_t, done *C.int32_t, err *C.clawh5_error) C.clawh5_status {
	return withOp(op, err, func(o *operation) error {
		if err := need(unsafe.Pointer(done), "done"); err != nil {
			return err
		}
		if !o.wait(uint32(timeoutMS)) {
			*done = 0
			return nil
		}
		*done = 1
		return o.err
	})
}

//export goclawh5_op_progress
func goclawh5_op_progress(op C.clawh5_id, done, total *C.uint64_t, err *C.clawh5_error) C.clawh5_status {
	return withOp(op, err, func(o *operation) error {
		now, end := o.progress.Bytes()
		if done != nil {
			*done = C.uint64_t(now)
		}
		if total != nil {
			*total = C.uint64_t(end)
		}
		return nil
	})
}

//export goclawh5_op_cancel
func goclawh5_op_cancel(op C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return withOp(op, err, func(o *operation) error {
		o.cancel()
		return nil
	})
}

//export goclawh5_op_result
func goclawh5_op_result(op C.clawh5_id, id *C.clawh5_id, size *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withResult(op, err, func(o *operation) error {
		if id != nil {
			made, err := o.publish()
			if err != nil {
				return err
			}
			*id = C.clawh5_id(made)
		}
		if size != nil {
			*size = C.size_t(len(o.content))
		}
		return nil
	})
}

// publish returns the handle of what the operation made, the same each time.
func (o *operation) publish() (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.made != nil {
		id, err := publish(o.made)
		if err != nil {
			return 0, err
		}
		o.id, o.made = id, nil
	}
	return o.id, nil
}

//export goclawh5_op_copy
func goclawh5_op_copy(op C.clawh5_id, buf unsafe.Pointer, size C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withResult(op, err, func(o *operation) error {
		b, err := buffer(buf, size)
		if err != nil {
			return err
		}
		if len(b) != len(o.content) {
			return h5err.New(h5err.Space, "the size is not that of the result")
		}
		copy(b, o.content)
		return nil
	})
}

//export goclawh5_op_offsets
func goclawh5_op_offsets(op C.clawh5_id, offsets *C.int64_t, n C.size_t, err *C.clawh5_error) C.clawh5_status {
	return withResult(op, err, func(o *operation) error {
		if o.itemSize == 0 {
			return h5err.New(h5err.Type, "only a read of strings, or of sequences of items of fixed size, has offsets")
		}
		if uint64(n) != uint64(len(o.slots)/core.SlotSize)+1 {
			return h5err.New(h5err.Space, "the number of offsets is not that of the elements + 1")
		}
		if err := need(unsafe.Pointer(offsets), "offsets"); err != nil {
			return err
		}
		return o.offsets(unsafe.Slice((*int64)(unsafe.Pointer(offsets)), int(n)))
	})
}

// offsets fills out from the slots. The data of the elements must lie in their
// order without gaps, as core lays it out.
func (o *operation) offsets(out []int64) error {
	end := uint64(0)
	for i := range out[1:] {
		slot := o.slots[i*core.SlotSize:]
		offset, count := binary.NativeEndian.Uint64(slot), binary.NativeEndian.Uint64(slot[8:])
		if count > 0 && offset != end || count > (uint64(len(o.content))-end)/o.itemSize {
			return h5err.New(h5err.Internal, "the elements do not lie in order in the heap")
		}
		out[i] = int64(end)
		end += count * o.itemSize
	}
	out[len(out)-1] = int64(end)
	return nil
}

//export goclawh5_op_free
func goclawh5_op_free(op C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		e, err := handles.remove(int64(op), true)
		if err != nil {
			return err
		}
		e.op.cancel()
		<-e.op.done
		return e.op.discard()
	})
}

// discard lets go of a result that nobody took.
func (o *operation) discard() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	made := o.made
	o.made = nil
	if made == nil {
		return nil
	}
	return made.file.Close()
}
