package jpegls_test

import (
	"bytes"
	"errors"
	"testing"

	"clawh5/core/internal/filter/codec"
	"clawh5/core/internal/filter/filtertest"
	"clawh5/core/internal/filter/jpegls"
)

// chunks returns what testdata/make/make_filters_fcidecomp.py had the library
// store.
func chunks(t testing.TB) []filtertest.Case { return filtertest.Load(t, "../testdata/fcidecomp.json") }

// decode decodes an image of at most limit bytes.
func decode(src []byte, limit int) ([]byte, error) {
	m, err := jpegls.Parse(src)
	if err != nil {
		return nil, err
	}
	n, ok := m.Bytes(limit)
	if !ok {
		return nil, errors.New("too large")
	}
	dst := make([]byte, n)
	return dst, m.Decode(dst)
}

func TestDecodesAsTheLibrary(t *testing.T) {
	for _, c := range chunks(t) {
		t.Run(c.Name, func(t *testing.T) {
			got, err := decode(c.Stored, len(c.Plain))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, c.Plain) {
				t.Fatalf("got %x, want %x", got, c.Plain)
			}
		})
	}
}

// The last byte is the second one of the marker that ends the image.
func TestEveryTruncationIsAnError(t *testing.T) {
	for _, c := range chunks(t) {
		step := 1 + len(c.Stored)/200
		for n := 0; n < len(c.Stored)-1; n += step {
			if _, err := decode(c.Stored[:n:n], len(c.Plain)); err == nil {
				t.Fatalf("%s: %d of %d bytes decode", c.Name, n, len(c.Stored))
			}
		}
	}
}

// header is that of an image of 4 by 2 samples of 8 bits, without its scan.
func header(segments string) []byte {
	const frame = "\xff\xf7\x00\x0b\x08\x00\x02\x00\x04\x01\x01\x11\x00"
	return []byte("\xff\xd8" + frame + segments)
}

const scan = "\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00"

// A line of zeros is a one for each run, of which the first four have one sample.
func TestAnImageOfZerosIsARunInEachLine(t *testing.T) {
	for _, c := range []struct {
		name string
		bits string
		ok   bool
	}{
		{"four runs, then two of two", "\xfc\xff\xd9", true},
		{"fill bytes before the marker", "\xfc\xff\xff\xd9", true},
		{"padding of ones", "\xfe\xff\xd9", false},
		{"bytes after the scan", "\xfc\x00\xff\xd9", false},
		{"no bits", "\xff\xd9", false},
	} {
		got, err := decode(append(header(scan), c.bits...), 8)
		if (err == nil) != c.ok || c.ok && !bytes.Equal(got, make([]byte, 8)) {
			t.Errorf("%s: %x, %v", c.name, got, err)
		}
	}
}

func TestHeaders(t *testing.T) {
	const (
		none = iota
		unsupported
		bad
	)
	for _, c := range []struct {
		name     string
		segments string
		want     int
	}{
		{"a comment and data of an application", "\xff\xfe\x00\x04hi\xff\xe8\x00\x03x" + scan, none},
		{"thresholds", "\xff\xf8\x00\x0d\x01\x00\xff\x00\x05\x00\x06\x00\x07\x00\x40" + scan, none},
		{"usual thresholds", "\xff\xf8\x00\x0d\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" + scan, none},
		{"thresholds out of order", "\xff\xf8\x00\x0d\x01\x00\xff\x00\x08\x00\x06\x00\x07\x00\x40" + scan, bad},
		{"thresholds that are too high", "\xff\xf8\x00\x0d\x01\x00\xff\x00\x05\x00\x06\x01\x00\x00\x40" + scan, bad},
		{"reset at once", "\xff\xf8\x00\x0d\x01\x00\xff\x00\x05\x00\x06\x00\x07\x00\x02" + scan, bad},
		{"a lower highest value", "\xff\xf8\x00\x0d\x01\x00\xfe\x00\x05\x00\x06\x00\x07\x00\x40" + scan, unsupported},
		{"a table", "\xff\xf8\x00\x05\x02\x00\x00" + scan, unsupported},
		{"presets that are cut", "\xff\xf8\x00\x05\x01\x00\xff" + scan, bad},
		{"a transform of colors", "\xff\xe8\x00\x07mrfx\x01" + scan, unsupported},
		{"restart intervals", "\xff\xdd\x00\x04\x00\x01" + scan, unsupported},
		{"two frames", "\xff\xf7\x00\x0b\x08\x00\x02\x00\x04\x01\x01\x11\x00" + scan, bad},
		{"a scan of two components", "\xff\xda\x00\x0a\x02\x01\x00\x02\x00\x00\x01\x00", bad},
		{"too much loss", "\xff\xda\x00\x08\x01\x01\x00\x80\x00\x00", bad},
		{"a point transform", "\xff\xda\x00\x08\x01\x01\x00\x00\x00\x01", unsupported},
		{"an unknown interleave", "\xff\xda\x00\x08\x01\x01\x00\x00\x03\x00", bad},
		{"no marker", "\x00" + scan, bad},
		{"a segment of one byte", "\xff\xfe\x00\x01" + scan, bad},
	} {
		m, err := jpegls.Parse(header(c.segments))
		var u codec.Unsupported
		switch {
		case c.want == none && (err != nil || m.Width != 4 || m.Height != 2 || m.Bits != 8 || m.Components != 1):
			t.Errorf("%s: %+v, %v", c.name, m, err)
		case c.want == unsupported && !errors.As(err, &u), c.want == bad && (err == nil || errors.As(err, &u)):
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct{ name, frame string }{
		{"samples of one bit", "\x01\x00\x02\x00\x04\x01\x01\x11\x00"},
		{"samples of 17 bits", "\x11\x00\x02\x00\x04\x01\x01\x11\x00"},
		{"no lines", "\x08\x00\x00\x00\x04\x01\x01\x11\x00"},
		{"no width", "\x08\x00\x02\x00\x00\x01\x01\x11\x00"},
		{"no components", "\x08\x00\x02\x00\x04\x00"},
		{"fewer components than it says", "\x08\x00\x02\x00\x04\x02\x01\x11\x00"},
		{"half of the samples", "\x08\x00\x02\x00\x04\x01\x01\x21\x00"},
	} {
		src := append([]byte("\xff\xd8\xff\xf7\x00"), byte(len(c.frame)+2))
		if m, err := jpegls.Parse(append(append(src, c.frame...), scan...)); err == nil {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
	if _, err := jpegls.Parse([]byte("\xff\xd8" + scan)); err == nil {
		t.Error("a scan without a frame")
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range chunks(f) {
		f.Add(c.Stored)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		a, errA := decode(src, 1<<16)
		b, errB := decode(src, 1<<16)
		if (errA == nil) != (errB == nil) || errA == nil && !bytes.Equal(a, b) {
			t.Fatalf("%x, %v, then %x, %v", a, errA, b, errB)
		}
	})
}
