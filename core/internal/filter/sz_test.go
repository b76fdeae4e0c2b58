package filter_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/klauspost/compress/zstd"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/filter/filtertest"
)

func szCases(t testing.TB) []filtertest.Case { return filtertest.Load(t, "testdata/sz.json") }

func TestSZPassesTheSuite(t *testing.T) {
	filtertest.Run(t, lookup(t, filter.SZ), szCases(t))
}

// szStream returns the stream of a case before its last compression.
func szStream(t testing.TB, c filtertest.Case) []byte {
	t.Helper()
	if binary.LittleEndian.Uint32(c.Stored) != 0xfd2fb528 {
		return bytes.Clone(c.Stored)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	plain, err := d.DecodeAll(c.Stored, nil)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// A stream may do without the last compression, whose checks the bytes of the
// suite hardly pass.
func TestSZBadStreamsAreRefusedOrKeepTheLimit(t *testing.T) {
	f := lookup(t, filter.SZ)
	for _, c := range szCases(t) {
		plain := szStream(t, c)
		if len(c.Plain) < 20*4 || plain[0] != 2 {
			continue
		}
		got, err := f.Decode(nil, plain, c.Params, -1, len(c.Plain))
		if err != nil || !bytes.Equal(got, c.Plain) {
			t.Fatalf("%s: %x, %v", c.Name, got, err)
		}
		step := 1 + len(plain)/70
		for n := 0; n < len(plain); n += step {
			checkBounded(t, f, plain[:n:n], c.Params, len(c.Plain))
			for _, flip := range []byte{0x01, 0x80, 0xff} {
				plain[n] ^= flip
				checkBounded(t, f, plain, c.Params, len(c.Plain))
				plain[n] ^= flip
			}
		}
	}
}

// Values are kept in the range that the stream has, if it says so.
func TestSZValuesAreKeptInTheirRange(t *testing.T) {
	for _, c := range szCases(t) {
		plain := szStream(t, c)
		if c.Params[1] != 0 || len(c.Plain) < 20*4 || plain[3]&0x11 != 0 {
			continue
		}
		plain[3] |= 4
		binary.BigEndian.PutUint32(plain[4+20:], math.Float32bits(-1))
		binary.BigEndian.PutUint32(plain[4+24:], math.Float32bits(2))
		got, err := lookup(t, filter.SZ).Decode(nil, plain, c.Params, -1, len(c.Plain))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(got); i += 4 {
			v := math.Float32frombits(binary.LittleEndian.Uint32(c.Plain[i:]))
			if w := math.Float32frombits(binary.LittleEndian.Uint32(got[i:])); w != min(max(v, -1), 2) {
				t.Fatalf("%s: %v, not %v in -1 to 2", c.Name, w, v)
			}
		}
	}
}

func TestSZKnowsWhatIsNotSupported(t *testing.T) {
	c := szCases(t)[0]
	f := lookup(t, filter.SZ)
	params := bytesOf(c.Params)
	params[1] = 7 // integers
	if _, err := f.Decode(nil, c.Stored, params, -1, 1000); !errors.Is(err, h5err.Unsupported) {
		t.Error(err)
	}
	for name, change := range map[string]func(stream []byte){
		"an older version":          func(s []byte) { s[2] = 7 },
		"errors relative to values": func(s []byte) { s[3] |= 0x20 },
		"sizes of four bytes":       func(s []byte) { s[3] &^= 0x40 },
		"another way to compress":   func(s []byte) { s[4+14] = 104 },
	} {
		stream := szStream(t, c)
		change(stream)
		if _, err := f.Decode(nil, stream, c.Params, -1, len(c.Plain)); !errors.Is(err, h5err.Unsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzSZ(f *testing.F) {
	cases := szCases(f)
	for i, c := range cases {
		f.Add(szStream(f, c), i)
	}
	under := lookup(f, filter.SZ)
	f.Fuzz(func(t *testing.T, stored []byte, i int) {
		if i >= 0 {
			c := cases[i%len(cases)]
			checkBounded(t, under, stored, c.Params, len(c.Plain))
		}
	})
}
