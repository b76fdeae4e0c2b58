package filter

import (
	"errors"

	"clawh5/core/internal/filter/jpeg"
)

// jpegImage is filter 32019: an image of JPEG, grey or of colors, each sample a
// byte. The parameters, quality, width, height and whether there are colors, say
// how it was made; the image does without them.
type jpegImage struct{}

func (jpegImage) Decode(dst, src []byte, _ []uint32, _, limit int) ([]byte, error) {
	m, err := jpeg.Parse(src)
	if err != nil {
		return nil, jpegError(err)
	}
	n, ok := m.Bytes(limit)
	if !ok {
		return nil, corrupt(JPEG, "decodes to more than %d bytes", limit)
	}
	dst = grow(dst, n)
	if err := m.Decode(dst[len(dst) : len(dst)+n : len(dst)+n]); err != nil {
		return nil, jpegError(err)
	}
	return dst[:len(dst)+n], nil
}

func jpegError(err error) error {
	if u := jpeg.Unsupported(""); errors.As(err, &u) {
		return unsupported(JPEG, "%v", err)
	}
	return corrupt(JPEG, "%v", err)
}
