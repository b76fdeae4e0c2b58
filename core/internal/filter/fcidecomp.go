package filter

import (
	"errors"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter/jpegls"
)

// fciDecomp is filter 32018: an image of JPEG-LS. The parameters say how it was
// made; the image does without them.
type fciDecomp struct{}

func (fciDecomp) Decode(dst, src []byte, _ []uint32, _, limit int) ([]byte, error) {
	m, err := jpegls.Parse(src)
	if err != nil {
		return nil, fciError(err)
	}
	n, ok := m.Bytes(limit)
	if !ok {
		return nil, corrupt(FCIDecomp, "decodes to more than %d bytes", limit)
	}
	dst = grow(dst, n)
	if err := m.Decode(dst[len(dst) : len(dst)+n : len(dst)+n]); err != nil {
		return nil, fciError(err)
	}
	return dst[:len(dst)+n], nil
}

func fciError(err error) error {
	if u := jpegls.Unsupported(""); errors.As(err, &u) {
		return h5err.At(h5err.Unsupported, FCIDecomp.structure(), h5err.NoOffset, err.Error())
	}
	return corrupt(FCIDecomp, "%v", err)
}
