//go:build !(libdeflate && cgo)

package inflate

import (
	"bytes"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// Implementation is what decodes.
const Implementation = "klauspost"

// inflater is a zlib reader with the reader that it reads from. It holds 40 KB
// and a worker borrows it for a chunk.
type inflater struct {
	src  bytes.Reader
	zlib io.ReadCloser // nil until it has seen the first good header
}

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// Zlib decodes a zlib stream into room and returns the number of bytes. src and room
// do not overlap.
func Zlib(room, src []byte) (int, error) {
	f := inflaters.Get().(*inflater)
	n, err := f.decode(room, src)
	f.src.Reset(nil)
	inflaters.Put(f)
	return n, err
}

func (f *inflater) decode(room, src []byte) (int, error) {
	f.src.Reset(src)
	if f.zlib == nil {
		z, err := zlib.NewReader(&f.src)
		if err != nil {
			return 0, ErrStream
		}
		f.zlib = z
	} else if err := f.zlib.(zlib.Resetter).Reset(&f.src, nil); err != nil {
		return 0, ErrStream
	}
	n := 0
	for n < len(room) {
		k, err := f.zlib.Read(room[n:])
		n += k
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return 0, ErrStream
		}
	}
	return n, f.end()
}

// end reads what follows the last byte wanted: the checksum, and nothing else.
func (f *inflater) end() error {
	var more [1]byte
	switch k, err := io.ReadFull(f.zlib, more[:]); {
	case k > 0:
		return ErrRoom
	case err == io.EOF:
		return nil
	default:
		return ErrStream
	}
}
