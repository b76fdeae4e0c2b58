package filter

import (
	"bytes"
	bzip2stream "compress/bzip2"
	"errors"
	"io"
)

// bzip2 is filter 307: a bzip2 stream, whose checksums are verified. What
// follows it, as where a later filter pads, is ignored, as libhdf5's plugin does.
type bzip2 struct{}

var errBzip2 = errors.New("not a valid bzip2 stream")

// bzip2Ended is what the standard library says of bytes behind a stream.
const bzip2Ended = bzip2stream.StructuralError("bad magic value in continuation file")

func (bzip2) Decode(dst, src []byte, _ []uint32, size, limit int) ([]byte, error) {
	return decodeInto(Bzip2, dst, src, size, limit, expandBzip2)
}

func expandBzip2(room, src []byte) (int, error) {
	r := bzip2stream.NewReader(bytes.NewReader(src))
	n := 0
	for n < len(room) {
		k, err := r.Read(room[n:])
		n += k
		if err == io.EOF || err == bzip2Ended {
			return n, nil
		}
		if err != nil {
			return 0, errBzip2
		}
	}
	// The stream must end here; its last checksum lies behind the last byte.
	more := make([]byte, 1)
	k, err := r.Read(more)
	switch {
	case k > 0:
		return 0, errRoom
	case err != io.EOF && err != bzip2Ended:
		return 0, errBzip2
	}
	return n, nil
}
