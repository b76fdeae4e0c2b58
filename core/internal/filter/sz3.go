package filter

import (
	"math"

	"clawh5/core/internal/filter/sz"
)

// sz3Filter is filter 32024: an array of SZ 3. Fewer than 20 values are stored as
// they are.
type sz3Filter struct{}

func (sz3Filter) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	l, err := sz.Parse(params)
	if err != nil {
		return nil, szError(SZ3, err)
	}
	n, ok := l.Bytes(limit)
	if !ok {
		return nil, corrupt(SZ3, "decodes to more than %d bytes", limit)
	}
	if l.Stored {
		if len(src) > limit {
			return nil, corrupt(SZ3, "decodes to more than %d bytes", limit)
		}
		return append(dst, src...), nil
	}
	s, err := l.ParseSZ3(src)
	if err != nil {
		return nil, szError(SZ3, err)
	}
	// A code may need two nodes of 13 bytes for each value.
	most := uint64(n)*10 + 1<<16
	if s.Size > min(most, math.MaxInt) {
		return nil, corrupt(SZ3, "a stream of %d bytes for %d of values", s.Size, n)
	}
	stream, err := decodeInto(SZ3, nil, s.Stream, int(s.Size), int(s.Size), expandZstd)
	if err != nil {
		return nil, err
	}
	dst = grow(dst, n)
	if err := l.DecodeSZ3(dst[len(dst):len(dst)+n:len(dst)+n], stream, s); err != nil {
		return nil, szError(SZ3, err)
	}
	return dst[:len(dst)+n], nil
}
