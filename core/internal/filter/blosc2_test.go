package filter_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
)

func FuzzBlosc2(f *testing.F) { fuzzParams(f, filter.Blosc2) }

func TestBlosc2FramesOfWhatIsNotUndoneAreUnsupportedByName(t *testing.T) {
	text, err := os.ReadFile("testdata/blosc2_refused.json")
	if err != nil {
		t.Fatal(err)
	}
	var frames []struct {
		Name   string
		Stored []byte
	}
	if err := json.Unmarshal(text, &frames); err != nil || len(frames) == 0 {
		t.Fatal(err, len(frames))
	}
	for _, f := range frames {
		_, err := lookup(t, filter.Blosc2).Decode(nil, f.Stored, nil, -1, 1<<20)
		if !errors.Is(err, h5err.Unsupported) || !strings.Contains(err.Error(), f.Name) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// chunkNamed returns the chunk of a name.
func chunkNamed(t *testing.T, name string) chunk {
	t.Helper()
	for _, c := range chunks(t) {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no case %s", name)
	return chunk{}
}

func TestBlosc2ArrayOfAnotherShapeThanTheParametersIsCorrupt(t *testing.T) {
	c := chunkNamed(t, "blosc2 array/many blocks")
	good := c.Filters[0].Params // ..., rank, 40, 60
	for name, params := range map[string][]uint32{
		"rank":       append(bytesOf(good[:7]), 3, 40, 60, 1),
		"transposed": append(bytesOf(good[:7]), 2, 60, 40),
		"cut":        bytesOf(good[:9]),
	} {
		if _, err := lookup(t, filter.Blosc2).Decode(nil, c.Stored, params, -1, 1<<20); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	got, err := lookup(t, filter.Blosc2).Decode(nil, c.Stored, nil, -1, 1<<20)
	if err != nil || !bytes.Equal(got, c.Plain) {
		t.Errorf("without parameters: %v", err)
	}
}

func TestBlosc2HeadersThatContradictThemselves(t *testing.T) {
	c := chunkNamed(t, "blosc2 array/many blocks")
	header := int(binary.BigEndian.Uint32(c.Stored[0x0b:]))
	meta := bytes.Index(c.Stored, []byte("b2nd")) + 9
	meta = int(binary.BigEndian.Uint32(c.Stored[meta-4:])) + 5 // rank at 2, shape from 4
	for name, change := range map[string]func(b []byte){
		"magic":                       func(b []byte) { b[2] = 'B' },
		"header beyond the frame":     func(b []byte) { b[0x0b] = 1 },
		"header too short":            func(b []byte) { b[0x0d], b[0x0e] = 0, 0x56 },
		"frame beyond the bytes":      func(b []byte) { b[0x17]++ },
		"chunks beyond the frame":     func(b []byte) { b[0x27+5] = 1 },
		"elements of no bytes":        func(b []byte) { b[0x33] = 0 },
		"metalayer beyond the header": func(b []byte) { b[bytes.Index(b, []byte("b2nd"))+6] = 1 },
		"rank 0":                      func(b []byte) { b[meta+2] = 0 },
		"rank 17":                     func(b []byte) { b[meta+2] = 17 },
		"a dimension of 0":            func(b []byte) { b[meta+4+8] = 0 },
		"a block of 0":                func(b []byte) { clear(b[meta+4+18+1+10+1+1:][:4]) },
		"a block larger than it all":  func(b []byte) { b[meta+4+18+1+10+1+3] = 1 },
		"another shape than the data": func(b []byte) { b[meta+4+18+1+10+1+4] /= 2 },
		"elements of other sizes":     func(b []byte) { b[0x33] = 4 },
		"chunk beyond the frame":      func(b []byte) { b[header+14]++ },
		"chunk of other size":         func(b []byte) { b[header+4]-- },
		"block of no bytes":           func(b []byte) { clear(b[header+8 : header+12]) },
		"start beyond the chunk":      func(b []byte) { b[header+32+3] = 0x40 },
	} {
		bad := bytes.Clone(c.Stored)
		change(bad)
		if bytes.Equal(bad, c.Stored) {
			t.Errorf("%s: nothing is changed", name)
		}
		if _, err := lookup(t, filter.Blosc2).Decode(nil, bad, nil, -1, 1<<20); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// blosc2Frame is a frame of one chunk, without metalayers, of elements of one
// byte and 8 bytes in blocks of 4.
func blosc2Frame(filter, flags, codec byte, streams ...byte) []byte {
	chunk := []byte{5, 1, 5 | codec<<5 | 0x10, 1, 8, 0, 0, 0, 4, 0, 0, 0, byte(32 + len(streams)), 0, 0, 0}
	chunk = append(chunk, 0, 0, 0, 0, 0, filter, 0, 0, 0, 0, 0, 0, 0, 0, 0, flags)
	chunk = append(chunk, streams...)
	frame := append([]byte("\x9e\xa8b2frame\x00\xd2\x00\x00\x00\x57\xcf"), 0, 0, 0, 0, 0, 0, 0, byte(0x57+len(chunk)+32))
	frame = append(frame, 0xa4, 0x12, 0, 0, 0, 0xd3, 0, 0, 0, 0, 0, 0, 0, 8, 0xd3, 0, 0, 0, 0, 0, 0, 0, byte(len(chunk)))
	frame = append(frame, 0xd2, 0, 0, 0, 1, 0xd2, 0, 0, 0, 4, 0xd2, 0, 0, 0, 8)
	frame = append(append(frame, make([]byte, 0x57-len(frame))...), chunk...)
	zeros := append([]byte{5, 1, 5, 8, 8, 0, 0, 0, 8, 0, 0, 0, 32, 0, 0, 0}, make([]byte, 16)...)
	zeros[31] = 1 << 4
	return append(frame, zeros...)
}

func TestBlosc2ChunksOfHand(t *testing.T) {
	twoRuns := []byte{40, 0, 0, 0, 45, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0x9f, 0xff, 0xff, 0xff, 1}
	for _, c := range []struct {
		name          string
		filter, flags byte
		codec         byte
		streams       []byte
		want          string // "": Corrupt; "-": Unsupported
	}{
		{"runs of a byte", 0, 0, 0, twoRuns, "\x01\x01\x01\x01aaaa"},
		{"a run of no kind", 0, 0, 0, []byte{40, 0, 0, 0, 45, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 2, 0x9f, 0xff, 0xff, 0xff, 1}, ""},
		{"a run of more than a byte", 0, 0, 0, []byte{40, 0, 0, 0, 40, 0, 0, 0, 0, 0xff, 0xff, 0xff, 1}, ""},
		{"as they are, in any order", 0, 0, 0, []byte{48, 0, 0, 0, 40, 0, 0, 0, 4, 0, 0, 0, 'e', 'f', 'g', 'h', 4, 0, 0, 0, 'a', 'b', 'c', 'd'}, "abcdefgh"},
		{"blocks that overlap", 0, 0, 0, []byte{40, 0, 0, 0, 40, 0, 0, 0, 4, 0, 0, 0, 'a', 'b', 'c', 'd'}, ""},
		{"zeros", 0, 0, 0, []byte{40, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"differences", 3, 0, 0, []byte{40, 0, 0, 0, 48, 0, 0, 0, 4, 0, 0, 0, 'a', 3, 1, 7, 4, 0, 0, 0, 1, 2, 3, 4}, "abcd````"},
		{"truncated precision", 4, 0, 0, twoRuns, "\x01\x01\x01\x01aaaa"},
		{"a run that is cut", 0, 0, 0, []byte{40, 0, 0, 0, 45, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0x9f, 0xff, 0xff, 0xff}, ""},
		{"starts that are cut", 0, 0, 0, []byte{40, 0, 0, 0, 45}, ""},
		{"repeated values", 0, 3 << 4, 0, []byte("ab"), "abababab"},
		{"repeated values of a wrong size", 0, 3 << 4, 0, []byte("abc"), ""},
		{"values not set", 0, 4 << 4, 0, nil, "\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"NaN of one byte", 0, 2 << 4, 0, nil, ""},
		{"undefined special values", 0, 5 << 4, 0, nil, ""},
		{"codec 5", 0, 0, 5, twoRuns, ""},
		{"codec of a user", 0, 0, 6, twoRuns, "-"},
		{"filter 5", 5, 0, 0, twoRuns, "-"},
		{"lazy", 0, 8, 0, twoRuns, ""},
		{"dictionary", 0, 1, 0, twoRuns, "-"},
		{"instrumented", 0, 0x80, 0, twoRuns, "-"},
	} {
		got, err := lookup(t, filter.Blosc2).Decode(nil, blosc2Frame(c.filter, c.flags, c.codec, c.streams...), nil, 8, 8)
		switch {
		case c.want == "" && !errors.Is(err, h5err.Corrupt), c.want == "-" && !errors.Is(err, h5err.Unsupported):
			t.Errorf("%s: %q, %v", c.name, got, err)
		case len(c.want) > 1 && (err != nil || string(got) != c.want):
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}
