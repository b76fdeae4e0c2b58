package filter

import (
	"errors"
	"sync"

	zstdstream "github.com/klauspost/compress/zstd"
)

// zstd is filter 32015: a Zstandard frame (RFC 8878), whose checksum is verified
// if it has one.
type zstd struct{}

var errZstd = errors.New("not a valid Zstandard frame")

// zstdDecoder decodes as many chunks at once as there are processors. It gives
// no more bytes than its destination has room for and keeps no window of its
// own.
var zstdDecoder = sync.OnceValue(func() *zstdstream.Decoder {
	d, err := zstdstream.NewReader(nil, zstdstream.WithDecoderConcurrency(0),
		zstdstream.WithDecodeAllCapLimit(true), zstdstream.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // the options contradict each other
	}
	return d
})

func (zstd) Decode(dst, src []byte, _ []uint32, size, limit int) ([]byte, error) {
	return decodeInto(Zstd, dst, src, size, limit, expandZstd)
}

func expandZstd(room, src []byte) (int, error) {
	if len(src) == 0 {
		return 0, errZstd
	}
	out, err := zstdDecoder().DecodeAll(src, room[:0])
	switch {
	case errors.Is(err, zstdstream.ErrDecoderSizeExceeded):
		return 0, errRoom
	case err != nil:
		return 0, errZstd
	}
	return len(out), nil
}
