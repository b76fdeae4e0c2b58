package filter

import "clawh5/core/internal/filter/jpegls"

// fciDecomp is filter 32018: an image of JPEG-LS. The parameters say how it was
// made; the image does without them.
type fciDecomp struct{}

func (fciDecomp) Decode(dst, src []byte, _ []uint32, _, limit int) ([]byte, error) {
	m, err := jpegls.Parse(src)
	if err != nil {
		return nil, codecError(FCIDecomp, err)
	}
	n, ok := m.Bytes(limit)
	if !ok {
		return nil, tooLarge(FCIDecomp, limit)
	}
	if dst, err = fill(dst, n, m.Decode); err != nil {
		return nil, codecError(FCIDecomp, err)
	}
	return dst, nil
}
