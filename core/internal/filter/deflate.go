package filter

import "clawh5/core/internal/filter/inflate"

// deflate is filter 1: a zlib stream (RFC 1950), whose Adler-32 is verified.
// Bytes after the stream are ignored, as libhdf5 does.
type deflate struct{}

func (deflate) Decode(dst, src []byte, _ []uint32, size, limit int) ([]byte, error) {
	return decodeInto(Deflate, dst, src, size, limit, inflate.Zlib)
}
