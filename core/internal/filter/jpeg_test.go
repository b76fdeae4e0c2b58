package filter_test

import (
	"bytes"
	"errors"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
)

// jpegSegments returns where the segments of an image begin, by their markers.
func jpegSegments(image []byte) map[byte]int {
	at := map[byte]int{}
	for i := 2; i+4 <= len(image) && image[i] == 0xff; i += 2 + int(image[i+2])<<8 + int(image[i+3]) {
		at[image[i+1]] = i
	}
	return at
}

func TestTruncatedJPEGIsCorrupt(t *testing.T) {
	for _, name := range []string{"grey/9x1", "colors 2/5x4", "restarts"} {
		c := chunkNamed(t, name)
		for n := range c.Stored {
			if _, err := lookup(t, filter.JPEG).Decode(nil, c.Stored[:n:n], nil, -1, len(c.Plain)); !errors.Is(err, h5err.Corrupt) {
				t.Fatalf("%s: %d of %d bytes: %v", name, n, len(c.Stored), err)
			}
		}
	}
}

func TestJPEGHeaders(t *testing.T) {
	c := chunkNamed(t, "colors 2/16x17")
	const app0, sof, dht, sos, dqt = 0xe0, 0xc0, 0xc4, 0xda, 0xdb
	at := jpegSegments(c.Stored)
	for name, h := range map[string]struct {
		change func(b []byte)
		want   h5err.Kind
	}{
		"start":                    {func(b []byte) { b[0] = 0 }, h5err.Corrupt},
		"no marker":                {func(b []byte) { b[at[sof]] = 0 }, h5err.Corrupt},
		"segment of one byte":      {func(b []byte) { b[at[app0]+2], b[at[app0]+3] = 0, 1 }, h5err.Corrupt},
		"segment beyond the image": {func(b []byte) { b[at[app0]+2] = 0xff }, h5err.Corrupt},
		"progressive":              {func(b []byte) { b[at[sof]+1] = 0xc2 }, h5err.Unsupported},
		"arithmetic":               {func(b []byte) { b[at[sof]+1] = 0xc9 }, h5err.Unsupported},
		"extended":                 {func(b []byte) { b[at[sof]+1] = 0xc1 }, 0},
		"12 bits":                  {func(b []byte) { b[at[sof]+4] = 12 }, h5err.Unsupported},
		"no height":                {func(b []byte) { b[at[sof]+6] = 0 }, h5err.Unsupported},
		"more lines":               {func(b []byte) { b[at[sof]+6]++ }, h5err.Corrupt},
		"four components":          {func(b []byte) { b[at[sof]+9] = 4 }, h5err.Corrupt},
		"sampling 0":               {func(b []byte) { b[at[sof]+11] = 0x20 }, h5err.Corrupt},
		"sampling 1x2":             {func(b []byte) { b[at[sof]+11] = 0x12 }, h5err.Unsupported},
		"sampling of a color":      {func(b []byte) { b[at[sof]+14] = 0x21 }, h5err.Unsupported},
		"quantization table 4":     {func(b []byte) { b[at[sof]+12] = 4 }, h5err.Corrupt},
		"quantization table lacks": {func(b []byte) { b[at[sof]+12] = 3 }, h5err.Corrupt},
		"table of steps 4":         {func(b []byte) { b[at[dqt]+4] = 4 }, h5err.Corrupt},
		"wide steps":               {func(b []byte) { b[at[dqt]+4] |= 0x10 }, h5err.Corrupt},
		"table of codes 4":         {func(b []byte) { b[at[dht]+4] = 4 }, h5err.Corrupt},
		"more codes than fit":      {func(b []byte) { b[at[dht]+5] = 3 }, h5err.Corrupt},
		"codes lack":               {func(b []byte) { b[at[sos]+6] = 0x22 }, h5err.Corrupt},
		"another component":        {func(b []byte) { b[at[sos]+5] = 9 }, h5err.Corrupt},
		"two of the components":    {func(b []byte) { b[at[sos]+4] = 2 }, h5err.Corrupt},
		"some coefficients":        {func(b []byte) { b[at[sos]+12] = 5 }, h5err.Corrupt},
		"no end":                   {func(b []byte) { b[len(b)-1] = 0xda }, h5err.Corrupt},
	} {
		image := bytes.Clone(c.Stored)
		h.change(image)
		_, err := lookup(t, filter.JPEG).Decode(nil, image, nil, -1, 1<<16)
		if h.want == 0 && err != nil || h.want != 0 && h5err.KindOf(err) != h.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
