package filter

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter/inflate"
	"clawh5/core/internal/filter/sz"
)

// szFilter is filter 32017: a stream of SZ 2, compressed once more by Zstandard
// or zlib, or as it is. Fewer than 20 values are stored as they are.
type szFilter struct{}

func (szFilter) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	l, err := sz.Parse(params)
	if err != nil {
		return nil, szError(SZ, err)
	}
	n, ok := l.Bytes(limit)
	if !ok {
		return nil, corrupt(SZ, "decodes to more than %d bytes", limit)
	}
	if l.Stored {
		if len(src) > limit {
			return nil, corrupt(SZ, "decodes to more than %d bytes", limit)
		}
		return append(dst, src...), nil
	}
	stream, err := szStream(src, n)
	if err != nil {
		return nil, err
	}
	dst = grow(dst, n)
	if err := l.Decode(dst[len(dst):len(dst)+n:len(dst)+n], stream); err != nil {
		return nil, szError(SZ, err)
	}
	return dst[:len(dst)+n], nil
}

// szStream undoes the last compression of a stream of so many bytes of values,
// which is hardly longer than they are.
func szStream(src []byte, n int) ([]byte, error) {
	limit := int(min(2*uint64(n)+1<<16, math.MaxInt))
	switch {
	case bytes.HasPrefix(src, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return decodeInto(SZ, nil, src, -1, limit, expandZstd)
	case len(src) > 2 && src[0] == 0x78 && binary.BigEndian.Uint16(src)%31 == 0:
		return decodeInto(SZ, nil, src, -1, limit, inflate.Zlib)
	}
	return src, nil
}

func szError(id ID, err error) error {
	if u := sz.Unsupported(""); errors.As(err, &u) {
		return h5err.At(h5err.Unsupported, id.structure(), h5err.NoOffset, err.Error())
	}
	return corrupt(id, "%v", err)
}
