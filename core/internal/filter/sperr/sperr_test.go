package sperr_test

import (
	"bytes"
	"errors"
	"testing"

	"clawh5/core/internal/filter/codec"
	"clawh5/core/internal/filter/filtertest"
	"clawh5/core/internal/filter/sperr"
)

// chunks returns what testdata/make/make_filters_sperr.py had the library store.
func chunks(t testing.TB) []filtertest.Case { return filtertest.Load(t, "../testdata/sperr.json") }

// decode decodes a field of at most limit bytes.
func decode(params []uint32, src []byte, limit int) ([]byte, error) {
	l, err := sperr.Parse(params)
	if err != nil {
		return nil, err
	}
	n, ok := l.Bytes(limit)
	if !ok {
		return nil, errors.New("too large")
	}
	dst := bytes.Repeat([]byte{0xcc}, n)
	return dst, l.Decode(dst, src)
}

func TestDecodesAsTheLibrary(t *testing.T) {
	for _, c := range chunks(t) {
		t.Run(c.Name, func(t *testing.T) {
			got, err := decode(c.Params, c.Stored, len(c.Plain))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, c.Plain) {
				t.Fatalf("got %x, want %x", got, c.Plain)
			}
		})
	}
}

// What was asked to have a number of bits ends where these do, so that a shorter
// one is as good. A plane does not say whether corrections follow.
func TestEveryTruncationIsAnErrorUnlessBitsWereLimited(t *testing.T) {
	for _, c := range chunks(t) {
		params := c.Params
		limited, whole := params[1]>>28&3 == 1, 0
		step := 1 + len(c.Stored)/300
		for n := 0; n < len(c.Stored); n += step {
			got, err := decode(params, c.Stored[:n:n], len(c.Plain))
			if err == nil && !limited {
				whole++
			}
			if whole > 5-len(params) || len(got) != len(c.Plain) {
				t.Fatalf("%s: %d of %d bytes: %d bytes, %v", c.Name, n, len(c.Stored), len(got), err)
			}
		}
	}
}

func TestBytesAfterAFieldAreAnError(t *testing.T) {
	for _, c := range chunks(t) {
		if c.Params[1]>>28&3 == 1 {
			continue // they may be bits of the field
		}
		if _, err := decode(c.Params, append(bytes.Clone(c.Stored), 0), len(c.Plain)); err == nil {
			t.Fatal(c.Name)
		}
	}
}

func TestParameters(t *testing.T) {
	const none, unsupported, bad = 0, 1, 2
	for _, c := range []struct {
		name   string
		params []uint32
		want   int
	}{
		{"a plane", []uint32{1<<10 | 2, 0, 9, 10}, none},
		{"a plane of the first generation", []uint32{2, 0, 9, 10}, none},
		{"a volume of 32 bits", []uint32{1<<10 | 1<<4 | 3, 0, 9, 10, 11}, none},
		{"another generation", []uint32{2<<10 | 2, 0, 9, 10}, unsupported},
		{"no parameters", nil, bad},
		{"one dimension", []uint32{1<<10 | 1, 0, 9}, bad},
		{"two dimensions of three", []uint32{1<<10 | 3, 0, 9, 10}, bad},
		{"three dimensions of two", []uint32{1<<10 | 2, 0, 9, 10, 11}, bad},
		{"no values", []uint32{1<<10 | 2, 0, 0, 10}, bad},
		{"a volume that is too large", []uint32{1<<10 | 3, 0, 9, 10, 1 << 16}, bad},
		{"a plane that is too large", []uint32{1<<10 | 2, 0, 9, 1 << 31}, bad},
	} {
		l, err := sperr.Parse(c.params)
		var u codec.Unsupported
		switch {
		case c.want == none && (err != nil || l.Dims[0] != 9 || l.Dims[1] != 10):
			t.Errorf("%s: %+v, %v", c.name, l, err)
		case c.want == unsupported && !errors.As(err, &u), c.want == bad && (err == nil || errors.As(err, &u)):
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestStreams(t *testing.T) {
	plane := []uint32{1<<10 | 2, 0, 2, 3}
	volume := []uint32{1<<10 | 3, 0, 2, 2, 2}
	const step, one = "\x00\x00\x00\x00\x00\x00\xf0\x3f", "\x80\x00\x00\x00\x00\x00\x00\x00\x00"
	for _, c := range []struct {
		name   string
		params []uint32
		src    string
		want   bool // an error that says that we do not support it
	}{
		{"an unknown way of missing values", plane, "\x03", true},
		{"a value for another number of values", plane, "\x00\x81\x05\x00\x00\x00\x00\x00\x00\x00" + step, false},
		{"a value and more", plane, "\x00\x81\x06\x00\x00\x00\x00\x00\x00\x00" + step + "\x00", false},
		{"a step of 0", plane, "\x00" + one + "\x00\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00\x00", false},
		{"too many planes", plane, "\x00" + one + step + "\x41\x00\x00\x00\x00\x00\x00\x00\x00", false},
		{"bits without planes", plane, "\x00" + one + step + "\x00\x08\x00\x00\x00\x00\x00\x00\x00\xff", false},
		{"more bits than planes have", plane, "\x00" + one + step + "\x01\x40\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", false},
		{"a mask of too few values", plane, "\x01\x21\x00\x00\x00\x00", false},
		{"another version", volume, "\x00\x01\x40\x02\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00", true},
		{"several parts", volume, "\x00\x00\x50\x02\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00", true},
		{"a plane where a volume is to be", volume, "\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00", false},
		{"other dimensions", volume, "\x00\x00\x40\x02\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00", false},
		{"another size", volume, "\x00\x00\x40\x02\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00", false},
	} {
		_, err := decode(c.params, []byte(c.src), 1000)
		var u codec.Unsupported
		if err == nil || errors.As(err, &u) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// All coefficients are 0.
	got, err := decode(plane, []byte("\x00\x80"+step+step+"\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 1000)
	if want := bytes.Repeat([]byte(step), 6); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the mean: %x, %v", got, err)
	}
}

func FuzzDecode(f *testing.F) {
	for i, c := range chunks(f) {
		if len(c.Plain) < 2000 || i%5 == 0 {
			p := c.Params
			f.Add(p[0], p[1], uint16(p[2]), uint16(p[3]), uint16(p[len(p)-1]), c.Stored)
		}
	}
	f.Fuzz(func(t *testing.T, a, b uint32, x, y, z uint16, stored []byte) {
		params := []uint32{a, b, uint32(x), uint32(y), uint32(z)}
		if a&0xf == 2 {
			params = params[:4]
		}
		const most = 1 << 14
		p, errP := decode(params, stored, most)
		q, errQ := decode(params, stored, most)
		if (errP == nil) != (errQ == nil) || errP == nil && !bytes.Equal(p, q) {
			t.Fatalf("%x, %v, then %x, %v", p, errP, q, errQ)
		}
	})
}
