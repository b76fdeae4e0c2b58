package main

// #include "export.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"unicode/utf8"
	"unsafe"

	"clawh5/core/h5err"
)

// showStacks prints the stack of each recovered panic to standard error.
var showStacks = os.Getenv("CLAWH5_DEBUG") != ""

// call runs the body of an export: its error, or its panic, becomes the status
// and the content of *cerr.
func call(cerr *C.clawh5_error, body func() error) C.clawh5_status {
	if err := protect(body); err != nil {
		return report(cerr, err)
	}
	return C.CLAWH5_OK
}

// protect calls f and turns a panic into an Internal error.
func protect(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if showStacks {
				fmt.Fprintf(os.Stderr, "clawh5: panic: %v\n%s", r, debug.Stack())
			}
			err = h5err.New(h5err.Internal, fmt.Sprintf("panic: %v", r))
		}
	}()
	return f()
}

// report fills *cerr, unless it is NULL, and returns the status of err: the
// negative of its kind.
func report(cerr *C.clawh5_error, err error) C.clawh5_status {
	status := -C.clawh5_status(h5err.KindOf(err))
	if cerr == nil {
		return status
	}
	*cerr = C.clawh5_error{status: status, offset: h5err.NoOffset}
	var e *h5err.Error
	if errors.As(err, &e) {
		cerr.offset = C.int64_t(e.Offset)
		cerr.http_status = C.int32_t(e.HTTPStatus)
		setText(cerr.structure[:], e.Structure)
		setText(cerr.path[:], e.Path)
	}
	setText(cerr.message[:], err.Error())
	return status
}

// setText copies s and a NUL, cut before a character that does not fit whole.
func setText(dst []C.char, s string) {
	n := len(dst) - 1
	if n > len(s) {
		n = len(s)
	} else {
		for back := 0; n > 0 && n < len(s) && !utf8.RuneStart(s[n]) && back < utf8.UTFMax; back++ {
			n--
		}
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(&dst[0])), len(dst))
	copy(b, s[:n])
	b[n] = 0
}

// argument is the error of a call that passes nonsense.
func argument(format string, args ...any) error {
	return h5err.New(h5err.Handle, fmt.Sprintf(format, args...))
}

// text is a NUL-terminated argument.
func text(p *C.clawh5_cchar, name string) (string, error) {
	if p == nil {
		return "", argument("%s is NULL", name)
	}
	return C.GoString((*C.char)(unsafe.Pointer(p))), nil
}

// need is an error if an argument that must point somewhere is NULL.
func need(p unsafe.Pointer, name string) error {
	if p == nil {
		return argument("%s is NULL", name)
	}
	return nil
}
