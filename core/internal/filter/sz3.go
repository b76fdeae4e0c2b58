package filter

import "math"

// sz3Filter is filter 32024: an array of SZ 3. Fewer than 20 values are stored as
// they are.
type sz3Filter struct{}

func (sz3Filter) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	l, n, err := szLayout(SZ3, params, limit)
	if err != nil {
		return nil, err
	}
	if l.Stored {
		return asStored(SZ3, dst, src, limit)
	}
	s, err := l.ParseSZ3(src)
	if err != nil {
		return nil, codecError(SZ3, err)
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
	if dst, err = fill(dst, n, func(room []byte) error { return l.DecodeSZ3(room, stream, s) }); err != nil {
		return nil, codecError(SZ3, err)
	}
	return dst, nil
}
