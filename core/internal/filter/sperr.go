package filter

import "clawh5/core/internal/filter/sperr"

// sperrFilter is filter 32028: the values of a chunk as one field of SPERR.
type sperrFilter struct{}

func (sperrFilter) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	l, err := sperr.Parse(params)
	if err != nil {
		return nil, codecError(SPERR, err)
	}
	n, ok := l.Bytes(limit)
	if !ok {
		return nil, tooLarge(SPERR, limit)
	}
	if dst, err = fill(dst, n, func(room []byte) error { return l.Decode(room, src) }); err != nil {
		return nil, codecError(SPERR, err)
	}
	return dst, nil
}
