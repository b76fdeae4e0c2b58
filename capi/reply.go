package main

// #include "export.h"
import "C"

import (
	"unsafe"

	"clawh5/core/h5err"
)

// reply is where a call puts a text: the caller's buffer and length.
type reply struct {
	buf  *C.char
	size C.size_t
	len  *C.size_t
}

var errSpace = h5err.New(h5err.Space, "the buffer is too small for the text, whose length is told")

// put copies content and a NUL into the buffer. The length is told even if
// there is no room.
func (r reply) put(content []byte) error {
	if r.len != nil {
		*r.len = C.size_t(len(content))
	}
	if uint64(r.size) <= uint64(len(content)) {
		return errSpace
	}
	if r.buf == nil {
		return argument("buf is NULL and size is not 0")
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(r.buf)), len(content)+1)
	copy(b, content)
	b[len(content)] = 0
	return nil
}

// textKey names a text that can be had from a handle.
type textKey struct {
	what, path string
	flags      uint32
}

// keptText is a text that did not fit the caller's buffer.
type keptText struct {
	key     textKey
	content []byte
}

// putText is put of the text that make produces. A text that does not fit is
// kept with the handle for the caller's next try with a larger buffer, so that
// it is not produced twice.
func (e *entry) putText(r reply, key textKey, make func() ([]byte, error)) error {
	var content []byte
	if kept := e.kept.Load(); kept != nil && kept.key == key && e.kept.CompareAndSwap(kept, nil) {
		content = kept.content
	} else {
		var err error
		if content, err = make(); err != nil {
			return err
		}
	}
	err := r.put(content)
	if err == errSpace {
		e.kept.Store(&keptText{key, content})
	}
	return err
}
