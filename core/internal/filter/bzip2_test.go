package filter_test

import (
	"encoding/hex"
	"testing"

	"clawh5/core/internal/filter"
)

// What BZ2_bzCompress of libbz2 1.0.8 makes of "abc" five times.
const bzip2Stream = "425a6839314159265359783187ca00000201003800200030cc089a49924e2ee48a70a120f0630f94"

func TestBytesBehindBzip2StreamAreIgnored(t *testing.T) {
	stream, err := hex.DecodeString(bzip2Stream)
	if err != nil {
		t.Fatal(err)
	}
	const want = "abcabcabcabcabc"
	for _, behind := range []string{"", "\x00\x00", "\x00\x00\x00\x00\x00\x00\x01\x00", "BA"} {
		for _, limit := range []int{len(want), 100} {
			got, err := lookup(t, filter.Bzip2).Decode(nil, append(stream[:len(stream):len(stream)], behind...), nil, limit, limit)
			if err != nil || string(got) != want {
				t.Errorf("%q behind the stream, room for %d: %q, %v", behind, limit, got, err)
			}
		}
	}
}
