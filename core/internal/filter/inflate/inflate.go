// Package inflate decodes zlib streams (RFC 1950) whose size is known or bounded.
// It has two implementations, which give the same results and errors:
// libdeflate through cgo with the build tag libdeflate, klauspost/compress
// otherwise. It is a package of its own because one that uses cgo cannot hold
// Go assembly.
package inflate

import "errors"

var (
	// ErrRoom says that the stream holds more bytes than there is room for. A
	// stream that is cut off may give it too.
	ErrRoom = errors.New("no room")
	// ErrStream says that the bytes are no zlib stream, that it is cut off, or
	// that its Adler-32 differs.
	ErrStream = errors.New("not a valid zlib stream")
)
