package filter

import (
	"bytes"
	"encoding/binary"
	"math"

	"clawh5/core/internal/filter/inflate"
	"clawh5/core/internal/filter/sz"
)

// szFilter is filter 32017: a stream of SZ 2, compressed once more by Zstandard
// or zlib, or as it is. Fewer than 20 values are stored as they are.
type szFilter struct{}

func (szFilter) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	l, n, err := szLayout(SZ, params, limit)
	if err != nil {
		return nil, err
	}
	if l.Stored {
		return asStored(SZ, dst, src, limit)
	}
	stream, err := szStream(src, n)
	if err != nil {
		return nil, err
	}
	if dst, err = fill(dst, n, func(room []byte) error { return l.Decode(room, stream) }); err != nil {
		return nil, codecError(SZ, err)
	}
	return dst, nil
}

// szLayout decodes the parameters, which SZ 3 has in common, and returns the size
// of the values too.
func szLayout(id ID, params []uint32, limit int) (sz.Layout, int, error) {
	l, err := sz.Parse(params)
	if err != nil {
		return l, 0, codecError(id, err)
	}
	n, ok := l.Bytes(limit)
	if !ok {
		return l, 0, tooLarge(id, limit)
	}
	return l, n, nil
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
