//go:build libdeflate && cgo

package inflate

/*
#cgo LDFLAGS: -l:libdeflate.a
#cgo noescape clawh5_inflate
#cgo nocallback clawh5_inflate
#include <libdeflate.h>
#include <stdint.h>

// The number of bytes written, -1 for a bad stream, -2 if there is no room.
static int64_t clawh5_inflate(struct libdeflate_decompressor *d,
                              const void *in, size_t in_size, void *out, size_t out_size)
{
	size_t written;
	switch (libdeflate_zlib_decompress(d, in, in_size, out, out_size, &written)) {
	case LIBDEFLATE_SUCCESS:
		return (int64_t)written;
	case LIBDEFLATE_INSUFFICIENT_SPACE:
		return -2;
	default:
		return -1;
	}
}
*/
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// Implementation is what decodes.
const Implementation = "libdeflate"

type decompressor struct {
	c *C.struct_libdeflate_decompressor
}

// decompressors are not safe for concurrent use and cost 30 KB: a worker
// borrows one for a chunk.
var decompressors = sync.Pool{New: func() any {
	c := C.libdeflate_alloc_decompressor()
	if c == nil {
		panic("inflate: out of memory")
	}
	d := &decompressor{c}
	runtime.AddCleanup(d, func(c *C.struct_libdeflate_decompressor) { C.libdeflate_free_decompressor(c) }, c)
	return d
}}

// Zlib decodes a zlib stream into room and returns the number of bytes. src and room
// do not overlap.
func Zlib(room, src []byte) (int, error) {
	if len(src) == 0 {
		return 0, ErrStream
	}
	var none [1]byte // a place to point at where there is no room
	out := none[:]
	if len(room) > 0 {
		out = room
	}
	d := decompressors.Get().(*decompressor)
	n := C.clawh5_inflate(d.c, unsafe.Pointer(&src[0]), C.size_t(len(src)), unsafe.Pointer(&out[0]), C.size_t(len(room)))
	decompressors.Put(d)
	switch n {
	case -1:
		return 0, ErrStream
	case -2:
		return 0, ErrRoom
	}
	return int(n), nil
}
