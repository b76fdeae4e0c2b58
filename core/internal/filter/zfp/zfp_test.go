package zfp_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"clawh5/core/internal/filter/filtertest"
	"clawh5/core/internal/filter/zfp"
)

// chunks returns what testdata/make/make_filters_zfp.py had the library store.
func chunks(t testing.TB) []filtertest.Case { return filtertest.Load(t, "../testdata/zfp.json") }

// header returns the bytes of the header: the first parameter is none of it.
func header(c filtertest.Case) []byte {
	var raw []byte
	for _, p := range c.Params[1:] {
		raw = binary.LittleEndian.AppendUint32(raw, p)
	}
	return raw
}

func parse(t testing.TB, c filtertest.Case) zfp.Header {
	t.Helper()
	h, err := zfp.ParseHeader(header(c))
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	return h
}

func TestDecodesAsTheLibrary(t *testing.T) {
	for _, c := range chunks(t) {
		t.Run(c.Name, func(t *testing.T) {
			h := parse(t, c)
			if n, ok := h.Bytes(len(c.Plain)); !ok || n != len(c.Plain) {
				t.Fatalf("%d bytes, %v, want %d", n, ok, len(c.Plain))
			}
			got := bytes.Repeat([]byte{0xcc}, len(c.Plain))
			if err := zfp.Decode(got, c.Stored, &h, false); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, c.Plain) {
				t.Fatalf("got %x, want %x", got, c.Plain)
			}
		})
	}
}

func TestBigEndianValuesAreThoseOfTheOtherOrder(t *testing.T) {
	for _, c := range chunks(t) {
		h := parse(t, c)
		got, want := make([]byte, len(c.Plain)), bytes.Clone(c.Plain)
		if err := zfp.Decode(got, c.Stored, &h, true); err != nil {
			t.Fatal(err)
		}
		size := h.Type.Size()
		for v := want; len(v) > 0; v = v[size:] {
			for i := range size / 2 {
				v[i], v[size-1-i] = v[size-1-i], v[i]
			}
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%s: got %x, want %x", c.Name, got, want)
		}
	}
}

func TestEveryTruncationOfAStreamIsAnError(t *testing.T) {
	for _, c := range chunks(t) {
		h := parse(t, c)
		dst := make([]byte, len(c.Plain))
		for n := range c.Stored {
			if zfp.Decode(dst, c.Stored[:n:n], &h, false) == nil {
				t.Fatalf("%s: %d of %d bytes decode", c.Name, n, len(c.Stored))
			}
		}
	}
}

func TestHeaders(t *testing.T) {
	const arr = "\x00\x00\x00\x00\x00\x00" // bits 4 to 51 of an array of one value
	for _, c := range []struct {
		name  string
		raw   string
		bytes int
		want  string // "": no error
	}{
		{"32-bit integers, rate", "zfp\x05\x30" + arr + "\x00", 16, ""},
		{"64-bit numbers", "zfp\x05\x33" + arr + "\x00", 32, ""},
		{"another mark", "zfq\x05\x30" + arr + "\x00", 0, "a header that does not begin as one of zfp"},
		{"another codec", "zfp\x06\x30" + arr + "\x00", 0, zfp.ErrCodec.Error()},
		{"most bits less than least", "zfp\x05\x30\x00\x00\x00\x00\x00\xf0\xff\x01\x00\x00\x00\x00\x00\x00", 0, "a header whose limits of a block contradict each other"},
	} {
		h, err := zfp.ParseHeader([]byte(c.raw))
		if c.want != "" {
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if n, ok := h.Bytes(1000); err != nil || !ok || n != c.bytes {
			t.Errorf("%s: %d bytes, %v, %v", c.name, n, ok, err)
		}
		for n := range len(c.raw) {
			if _, err := zfp.ParseHeader([]byte(c.raw[:n])); err == nil || errors.Is(err, zfp.ErrCodec) {
				t.Errorf("%s: %d bytes: %v", c.name, n, err)
			}
		}
	}
}

func TestLargeArraysExceedTheLimit(t *testing.T) {
	for rank := range 4 {
		raw := append([]byte("zfp\x05"), byte(rank<<2|3)|0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0)
		h, err := zfp.ParseHeader(raw)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := h.Bytes(1<<31 - 1); ok {
			t.Errorf("rank %d: %d bytes", rank+1, n)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range chunks(f) {
		f.Add(header(c), c.Stored)
	}
	f.Fuzz(func(t *testing.T, raw, stored []byte) {
		h, err := zfp.ParseHeader(raw)
		if err != nil {
			return
		}
		n, ok := h.Bytes(1 << 16)
		if !ok {
			return
		}
		a, b := make([]byte, n), bytes.Repeat([]byte{1}, n)
		errA, errB := zfp.Decode(a, stored, &h, false), zfp.Decode(b, stored, &h, false)
		if (errA == nil) != (errB == nil) || errA == nil && !bytes.Equal(a, b) {
			t.Fatalf("%x, %v, then %x, %v", a, errA, b, errB)
		}
	})
}
