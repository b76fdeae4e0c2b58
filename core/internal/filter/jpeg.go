package filter

import "clawh5/core/internal/filter/jpeg"

// jpegImage is filter 32019: an image of JPEG, grey or of colors, each sample a
// byte. The parameters, quality, width, height and whether there are colors, say
// how it was made; the image does without them.
type jpegImage struct{}

func (jpegImage) Decode(dst, src []byte, _ []uint32, _, limit int) ([]byte, error) {
	m, err := jpeg.Parse(src)
	if err != nil {
		return nil, codecError(JPEG, err)
	}
	n, ok := m.Bytes(limit)
	if !ok {
		return nil, tooLarge(JPEG, limit)
	}
	if dst, err = fill(dst, n, m.Decode); err != nil {
		return nil, codecError(JPEG, err)
	}
	return dst, nil
}
