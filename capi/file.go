package main

// #include "export.h"
import "C"

import (
	"context"
	"math"
	"unsafe"

	"clawh5/core"
	"clawh5/core/h5err"
)

//export goclawh5_open
func goclawh5_open(location *C.clawh5_cchar, options *C.clawh5_copen_options, file *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		open, err := opener(location, options)
		if err != nil {
			return err
		}
		return setFile(file, open)
	})
}

//export goclawh5_open_start
func goclawh5_open_start(location *C.clawh5_cchar, options *C.clawh5_copen_options, op *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		open, err := opener(location, options)
		if err != nil {
			return err
		}
		return setOp(op, func(ctx context.Context, o *operation) error {
			f, err := open(ctx)
			if err == nil {
				o.made = fileEntry(f)
			}
			return err
		})
	})
}

//export goclawh5_open_memory
func goclawh5_open_memory(image *C.clawh5_cbyte, size C.size_t, options *C.clawh5_copen_options, file *C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		_, o, err := openOptions(options)
		if err != nil {
			return err
		}
		bytes, err := buffer(unsafe.Pointer(image), size)
		if err != nil {
			return err
		}
		return setFile(file, func(ctx context.Context) (*core.File, error) {
			return core.OpenMemory(ctx, append([]byte(nil), bytes...), o)
		})
	})
}

// opener returns the function that opens location; it keeps nothing of the caller's.
func opener(location *C.clawh5_cchar, options *C.clawh5_copen_options) (func(context.Context) (*core.File, error), error) {
	where, err := text(location, "location")
	if err != nil {
		return nil, err
	}
	store, o, err := openOptions(options)
	return func(ctx context.Context) (*core.File, error) {
		return core.OpenLocation(ctx, where, store, o)
	}, err
}

// setFile opens a file and its handle.
func setFile(file *C.clawh5_id, open func(context.Context) (*core.File, error)) error {
	if err := need(unsafe.Pointer(file), "file"); err != nil {
		return err
	}
	f, err := open(context.Background())
	if err != nil {
		return err
	}
	return setID(file, fileEntry(f))
}

// setID gives out the handle of a new entry.
func setID(out *C.clawh5_id, e *entry) error {
	id, err := publish(e)
	if err == nil {
		*out = C.clawh5_id(id)
	}
	return err
}

//export goclawh5_close
func goclawh5_close(id C.clawh5_id, err *C.clawh5_error) C.clawh5_status {
	return call(err, func() error {
		e, err := handles.remove(int64(id), false)
		if err != nil {
			return err
		}
		return e.release()
	})
}

//export goclawh5_open_handles
func goclawh5_open_handles() C.int64_t {
	return C.int64_t(handles.open.Load())
}

//export goclawh5_file_info
func goclawh5_file_info(file C.clawh5_id, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return fileText(file, reply{buf, size, len}, err, (*core.File).AppendInfo)
}

//export goclawh5_stats
func goclawh5_stats(file C.clawh5_id, buf *C.char, size C.size_t, len *C.size_t, err *C.clawh5_error) C.clawh5_status {
	return fileText(file, reply{buf, size, len}, err, (*core.File).AppendStats)
}

func fileText(file C.clawh5_id, r reply, cerr *C.clawh5_error, append func(*core.File, []byte) []byte) C.clawh5_status {
	return call(cerr, func() error {
		e, err := useFile(int64(file))
		if err != nil {
			return err
		}
		defer e.release()
		return r.put(append(e.file, nil))
	})
}

// buffer is the caller's memory as a slice.
func buffer(p unsafe.Pointer, size C.size_t) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	if p == nil {
		return nil, argument("the buffer is NULL and its size is not 0")
	}
	if uint64(size) > math.MaxInt {
		return nil, h5err.New(h5err.Space, "the size is larger than any buffer")
	}
	return unsafe.Slice((*byte)(p), int(size)), nil
}
