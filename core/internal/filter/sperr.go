package filter

import (
	"errors"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter/sperr"
)

// sperrFilter is filter 32028: the values of a chunk as one field of SPERR.
type sperrFilter struct{}

func (sperrFilter) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	l, err := sperr.Parse(params)
	if err != nil {
		return nil, sperrError(err)
	}
	n, ok := l.Bytes(limit)
	if !ok {
		return nil, corrupt(SPERR, "decodes to more than %d bytes", limit)
	}
	dst = grow(dst, n)
	if err := l.Decode(dst[len(dst):len(dst)+n:len(dst)+n], src); err != nil {
		return nil, sperrError(err)
	}
	return dst[:len(dst)+n], nil
}

func sperrError(err error) error {
	if u := sperr.Unsupported(""); errors.As(err, &u) {
		return h5err.At(h5err.Unsupported, SPERR.structure(), h5err.NoOffset, err.Error())
	}
	return corrupt(SPERR, "%v", err)
}
