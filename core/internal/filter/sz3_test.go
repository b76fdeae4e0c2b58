package filter_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/klauspost/compress/zstd"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/filter/filtertest"
)

func sz3Cases(t testing.TB) []filtertest.Case { return filtertest.Load(t, "testdata/sz3.json") }

func TestSZ3DecodesAsTheLibrary(t *testing.T) {
	for _, c := range sz3Cases(t) {
		got, err := lookup(t, filter.SZ3).Decode(nil, c.Stored, c.Params, len(c.Plain), len(c.Plain))
		if err != nil || !bytes.Equal(got, c.Plain) {
			t.Errorf("%s: got %x, %v, want %x", c.Name, got, err, c.Plain)
		}
	}
}

func TestSZ3PassesTheSuite(t *testing.T) {
	var cases []filtertest.Case
	for i, c := range sz3Cases(t) {
		if i%6 == 0 {
			cases = append(cases, c)
		}
	}
	filtertest.Run(t, lookup(t, filter.SZ3), cases)
}

// sz3Parts takes a chunk apart: the stream before its last compression, and the
// configuration with its size.
func sz3Parts(t testing.TB, c filtertest.Case) (stream, config []byte) {
	t.Helper()
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	end := len(c.Stored) - 4 - int(binary.LittleEndian.Uint32(c.Stored[len(c.Stored)-4:]))
	if stream, err = d.DecodeAll(c.Stored[8:end], nil); err != nil {
		t.Fatal(err)
	}
	return stream, bytes.Clone(c.Stored[end:])
}

// sz3Chunk makes a chunk of its parts.
func sz3Chunk(t testing.TB, e *zstd.Encoder, stream, config []byte) []byte {
	t.Helper()
	chunk := binary.LittleEndian.AppendUint64(nil, uint64(len(stream)))
	return append(e.EncodeAll(stream, chunk), config...)
}

func newZstd(t testing.TB) *zstd.Encoder {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSZ3BadStreamsAreRefusedOrKeepTheLimit(t *testing.T) {
	f, e := lookup(t, filter.SZ3), newZstd(t)
	for i, c := range sz3Cases(t) {
		if i%5 != 0 || len(c.Stored) == len(c.Plain) {
			continue
		}
		stream, config := sz3Parts(t, c)
		got, err := f.Decode(nil, sz3Chunk(t, e, stream, config), c.Params, -1, len(c.Plain))
		if err != nil || !bytes.Equal(got, c.Plain) {
			t.Fatalf("%s: %x, %v", c.Name, got, err)
		}
		for n := 0; n < len(stream); n += 1 + n/12 {
			if _, err := f.Decode(nil, sz3Chunk(t, e, stream[:n], config), c.Params, -1, len(c.Plain)); !errors.Is(err, h5err.Corrupt) {
				t.Fatalf("%s: %d of %d bytes: %v", c.Name, n, len(stream), err)
			}
			for _, flip := range []byte{0x01, 0x80, 0xff} {
				stream[n] ^= flip
				checkBounded(t, f, sz3Chunk(t, e, stream, config), c.Params, len(c.Plain))
				stream[n] ^= flip
			}
		}
		for n := range config {
			config[n] ^= 0xff
			checkBounded(t, f, sz3Chunk(t, e, stream, config), c.Params, len(c.Plain))
			config[n] ^= 0xff
		}
	}
}

func TestSZ3KnowsWhatIsNotSupported(t *testing.T) {
	c := sz3Cases(t)[0]
	f, e := lookup(t, filter.SZ3), newZstd(t)
	stream, config := sz3Parts(t, c)
	const algorithm = 1 + 8 + 8 // of an array of one dimension
	config[algorithm] = 1
	if _, err := f.Decode(nil, sz3Chunk(t, e, stream, config), c.Params, -1, len(c.Plain)); !errors.Is(err, h5err.Unsupported) {
		t.Error(err)
	}
	config[algorithm], config[algorithm+2+16+2] = 0, 1 // planes
	if _, err := f.Decode(nil, sz3Chunk(t, e, stream, config), c.Params, -1, len(c.Plain)); !errors.Is(err, h5err.Unsupported) {
		t.Error(err)
	}
	later := append([]byte{0x10, 0xf3, 0x42, 0xf3}, c.Stored...)
	if _, err := f.Decode(nil, later, c.Params, -1, len(c.Plain)); !errors.Is(err, h5err.Unsupported) {
		t.Error(err)
	}
}

func FuzzSZ3(f *testing.F) {
	cases, e := sz3Cases(f), newZstd(f)
	for i, c := range cases {
		if len(c.Stored) != len(c.Plain) {
			stream, config := sz3Parts(f, c)
			f.Add(stream, config, i)
		}
	}
	under := lookup(f, filter.SZ3)
	f.Fuzz(func(t *testing.T, stream, config []byte, i int) {
		if i >= 0 {
			c := cases[i%len(cases)]
			checkBounded(t, under, sz3Chunk(t, e, stream, config), c.Params, len(c.Plain))
		}
	})
}
