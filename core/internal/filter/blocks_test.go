package filter_test

import (
	"bytes"
	"errors"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
)

func FuzzBitshuffle(f *testing.F) { fuzzParams(f, filter.Bitshuffle) }

// fuzzParams feeds the filter bytes and the parameters of a case with one of
// them changed.
func fuzzParams(f *testing.F, id filter.ID) {
	cases := casesOf(f, id)
	for i, c := range cases {
		f.Add(c.Stored, i, uint32(0), len(c.Plain))
	}
	under := lookup(f, id)
	f.Fuzz(func(t *testing.T, stored []byte, i int, change uint32, size int) {
		const most = 1 << 16
		if i < 0 || size < -1 || size > most {
			return
		}
		params := bytesOf(cases[i%len(cases)].Params)
		params[i/len(cases)%len(params)] ^= change
		got, err := under.Decode(nil, stored, params, size, most)
		if err != nil && !errors.Is(err, h5err.Corrupt) {
			t.Fatal(err)
		}
		again, err2 := under.Decode(make([]byte, 0, most), stored, params, len(got), most)
		if err == nil && (err2 != nil || len(got) > most || !bytes.Equal(got, again)) {
			t.Fatalf("%x, then %x, %v", got, again, err2)
		}
	})
}

func bytesOf(params []uint32) []uint32 { return append([]uint32(nil), params...) }

// bloscFrame is a frame of one block of 7 bytes.
func bloscFrame(codec byte, stream []byte) []byte {
	n := byte(16 + 4 + 4 + len(stream))
	return append([]byte{2, 1, codec << 5, 1, 7, 0, 0, 0, 7, 0, 0, 0, n, 0, 0, 0, 20, 0, 0, 0, byte(len(stream)), 0, 0, 0}, stream...)
}

func TestBloscLZOfHand(t *testing.T) {
	for _, c := range []struct {
		name   string
		stream []byte
		want   string // "": not valid
	}{
		{"literals", []byte{6, 'a', 'b', 'c', 'd', 'e', 'f', 'g'}, "abcdefg"},
		{"upper bits of the first byte are ignored", []byte{0xe6, 'a', 'b', 'c', 'd', 'e', 'f', 'g'}, "abcdefg"},
		{"a run", []byte{0, 'a', 0x80, 0}, "aaaaaaa"},
		{"a copy", []byte{2, 'a', 'b', 'c', 0x40, 2}, "abcabca"},
		{"a copy from before the block", []byte{0, 'a', 0x80, 1}, ""},
		{"a copy that is too long", []byte{0, 'a', 0xa0, 0}, ""},
		{"a copy that is cut", []byte{0, 'a', 0x60}, ""},
		{"a length that does not end", []byte{0, 'a', 0xe0, 255}, ""},
		{"a far copy from before the block", []byte{0, 'a', 0x9f, 255, 0, 0}, ""},
		{"a far copy that is cut", []byte{0, 'a', 0x9f, 255, 0}, ""},
		{"literals that are cut", []byte{6, 'a', 'b'}, ""},
		{"too few bytes", []byte{1, 'a', 'b'}, ""},
	} {
		got, err := lookup(t, filter.Blosc).Decode(nil, bloscFrame(0, c.stream), nil, 7, 7)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestBloscBlocksMayNotOverlap(t *testing.T) {
	const head = "\x02\x01\x00\x01\x08\x00\x00\x00\x04\x00\x00\x00"
	const stream = "\x08\x00\x00\x00\x00a\x00b\x00c\x00d"
	twice := head + "\x30\x00\x00\x00\x24\x00\x00\x00\x18\x00\x00\x00" + stream + stream
	got, err := lookup(t, filter.Blosc).Decode(nil, []byte(twice), nil, 8, 8)
	if err != nil || string(got) != "abcdabcd" {
		t.Fatalf("two streams: %q, %v", got, err)
	}
	once := head + "\x24\x00\x00\x00\x18\x00\x00\x00\x18\x00\x00\x00" + stream
	if _, err := lookup(t, filter.Blosc).Decode(nil, []byte(once), nil, 8, 8); !errors.Is(err, h5err.Corrupt) {
		t.Fatalf("one stream for both blocks: %v", err)
	}
}

func TestCodecsThatAreNotDefinedAreCorrupt(t *testing.T) {
	for codec := byte(5); codec < 8; codec++ {
		if _, err := lookup(t, filter.Blosc).Decode(nil, bloscFrame(codec, []byte("abc")), nil, 7, 7); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("blosc %d: %v", codec, err)
		}
	}
	for _, params := range [][]uint32{nil, {0, 0, 0}, {0, 0, 1, 0, 1}, {0, 0, 1, 7, 0}, {0, 0, 3, 8, 0}} {
		if _, err := lookup(t, filter.Bitshuffle).Decode(nil, make([]byte, 16), params, 16, 16); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("bitshuffle with %v: %v", params, err)
		}
	}
}
