package filter_test

import (
	"bytes"
	"errors"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
)

func FuzzBitshuffle(f *testing.F) { fuzzParams(f, filter.Bitshuffle) }
func FuzzSZip(f *testing.F)       { fuzzParams(f, filter.SZip) }

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
		if err != nil && !errors.Is(err, h5err.Corrupt) && !errors.Is(err, h5err.Unsupported) {
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
		{"no bytes", nil, ""},
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

func TestBloscHeadersThatContradictThemselves(t *testing.T) {
	good := bloscFrame(0, []byte{6, 'a', 'b', 'c', 'd', 'e', 'f', 'g'})
	for name, change := range map[string]func(b []byte){
		"version":             func(b []byte) { b[0] = 3 },
		"codec version":       func(b []byte) { b[1] = 2 },
		"reserved flag":       func(b []byte) { b[2] |= 8 },
		"no element size":     func(b []byte) { b[3] = 0 },
		"no block size":       func(b []byte) { b[8] = 0 },
		"large block":         func(b []byte) { b[8]++ },
		"large frame":         func(b []byte) { b[12]++ },
		"small frame":         func(b []byte) { b[12] = 15 },
		"copied":              func(b []byte) { b[2] |= 2 },
		"start after the end": func(b []byte) { b[16] = 200 },
		"start at the end":    func(b []byte) { b[16] = b[12] - 3 },
		"large stream":        func(b []byte) { b[20]++ },
	} {
		bad := bytes.Clone(good)
		change(bad)
		if _, err := lookup(t, filter.Blosc).Decode(nil, bad, nil, 7, 7); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Blocks of 257 bytes are not two equal streams.
	split := append([]byte{2, 1, 0, 2, 1, 1, 0, 0, 1, 1, 0, 0, 30, 0, 0, 0, 20, 0, 0, 0}, make([]byte, 10)...)
	if _, err := lookup(t, filter.Blosc).Decode(nil, split, nil, 257, 257); !errors.Is(err, h5err.Corrupt) {
		t.Errorf("split: %v", err)
	}
}

// szipChunk is a chunk whose bits are given as 0 and 1, with spaces between.
func szipChunk(size byte, stream string) []byte {
	chunk := []byte{size, 0, 0, 0}
	n := 0
	for _, c := range stream {
		if c == ' ' {
			continue
		}
		if n%8 == 0 {
			chunk = append(chunk, 0)
		}
		chunk[len(chunk)-1] |= byte(c-'0') << (7 - n%8)
		n++
	}
	return chunk
}

func TestSZipOfHand(t *testing.T) {
	const predicted = 32
	for _, c := range []struct {
		name   string
		mask   uint32
		block  uint32
		size   byte
		stream string
		want   []byte // nil: not valid
	}{
		{"as they are", 0, 2, 2, "111 00000001 10000000", []byte{1, 128}},
		{"counts only", 0, 2, 2, "001 0001 1", []byte{3, 0}},
		{"counts and two bits", 0, 2, 2, "011 01 1 11 10", []byte{7, 2}},
		{"a pair", 0, 2, 2, "000 1 00001", []byte{1, 1}}, // (1+1)(1+1+1)/2 + 1
		{"a pair that is too large", 0, 2, 2, "000 1 " + string(bytes.Repeat([]byte("0"), 91)) + "1", nil},
		{"two blocks of zeros", 0, 2, 4, "000 0 01", []byte{0, 0, 0, 0}},
		{"zeros to the end", 0, 2, 6, "000 0 00001", []byte{0, 0, 0, 0, 0, 0}},
		{"more zeros than the line has", 0, 2, 6, "000 0 0000001", nil},
		{"a sample of more than eight bits", 0, 2, 2, "110 000000001 1 00000 00000", nil},
		{"differences", predicted, 4, 4, "011 00001010 1 01 1 01 10 00", []byte{10, 9, 12, 12}}, // 10, then 1, 6, 0
		{"differences at the lower end", predicted, 2, 2, "100 00000010 01 001", []byte{2, 9}},
		{"differences at the upper end", predicted, 2, 2, "100 11111101 01 001", []byte{253, 246}},
		{"a zero difference in a pair", predicted, 2, 2, "000 1 00000111 01", []byte{7, 7}},
		{"no bits", 0, 2, 2, "", nil},
	} {
		params := []uint32{c.mask, c.block, 8, 6}
		got, err := lookup(t, filter.SZip).Decode(nil, szipChunk(c.size, c.stream), params, int(c.size), int(c.size))
		if !bytes.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

func TestSZipParametersAreChecked(t *testing.T) {
	for _, params := range [][]uint32{
		nil, {0, 2, 8}, {0, 0, 8, 6}, {0, 3, 8, 6}, {0, 34, 8, 6}, {0, 2, 8, 0}, {0, 2, 8, 4097}, {0, 2, 0, 6}, {0, 2, 33, 6},
		{0, 2, 1 << 31, 6}, {0, 2, 16, 6}, {0, 2, 32, 6}, {0, 2, 24, 6},
	} {
		chunk := szipChunk(3, "111 00000001 10000000 111 00000001 10000000")
		if _, err := lookup(t, filter.SZip).Decode(nil, chunk, params, 3, 3); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%v: %v", params, err)
		}
	}
}
