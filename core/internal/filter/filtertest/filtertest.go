// Package filtertest is what every filter must pass.
package filtertest

import (
	"bytes"
	"sync"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
)

// Case is a chunk that went through one filter.
type Case struct {
	Name   string
	Params []uint32
	Stored []byte
	Plain  []byte
}

// Run checks that f decodes each case, keeps the contract of filter.Filter, and
// meets bad bytes with an error.
func Run(t *testing.T, f filter.Filter, cases []Case) {
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	changes := min(80, 10+1500/len(cases))
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Run("decodes", func(t *testing.T) { decodes(t, f, c) })
			t.Run("appends", func(t *testing.T) { appends(t, f, c) })
			t.Run("keeps the limit", func(t *testing.T) { limits(t, f, c) })
			t.Run("survives bad bytes", func(t *testing.T) { survives(t, f, c, min(changes, 10+40000/(1+len(c.Plain)))) })
		})
	}
	t.Run("at once", func(t *testing.T) { atOnce(t, f, cases) })
}

func decodes(t *testing.T, f filter.Filter, c Case) {
	for _, size := range []int{len(c.Plain), -1} {
		before := bytes.Clone(c.Stored)
		got, err := f.Decode(nil, c.Stored, c.Params, size, 2*len(c.Plain)+16)
		if err != nil {
			t.Fatalf("size %d: %v", size, err)
		}
		if !bytes.Equal(got, c.Plain) {
			t.Fatalf("size %d: got %x, want %x", size, got, c.Plain)
		}
		if !bytes.Equal(before, c.Stored) {
			t.Fatal("the stored bytes were changed")
		}
	}
}

func appends(t *testing.T, f filter.Filter, c Case) {
	const prefix, after = "before", 0xa5
	for _, size := range []int{len(c.Plain), -1} {
		room := make([]byte, len(prefix)+len(c.Plain)+1)
		copy(room, prefix)
		room[len(room)-1] = after
		dst := room[: len(prefix) : len(room)-1]
		got, err := f.Decode(dst, c.Stored, c.Params, size, len(c.Plain))
		if err != nil {
			t.Fatal(err)
		}
		if string(got[:len(prefix)]) != prefix || !bytes.Equal(got[len(prefix):], c.Plain) {
			t.Fatalf("got %x", got)
		}
		if &got[0] != &room[0] {
			t.Fatal("moved although there was room")
		}
		if room[len(room)-1] != after {
			t.Fatal("wrote after the room")
		}
	}
}

func limits(t *testing.T, f filter.Filter, c Case) {
	for _, limit := range []int{0, 1, len(c.Plain) / 2, len(c.Plain) - 1} {
		if limit >= len(c.Plain) {
			continue
		}
		for _, size := range []int{-1, limit, len(c.Plain)} {
			got, err := f.Decode(nil, c.Stored, c.Params, size, limit)
			if err == nil {
				t.Fatalf("%d bytes with a limit of %d", len(got), limit)
			}
			wantCorrupt(t, err)
		}
	}
}

// survives decodes truncations, and some changes of each byte; of long cases
// those of a part of the bytes, about as many as most says.
func survives(t *testing.T, f filter.Filter, c Case, most int) {
	limit := len(c.Plain) + 16
	room := make([]byte, 0, limit)
	try := func(stored []byte) {
		for _, size := range []int{len(c.Plain), -1} {
			got, err := f.Decode(room, stored, c.Params, size, limit)
			if err != nil {
				wantRefused(t, err)
			} else if len(got) > limit {
				t.Fatalf("%d bytes with a limit of %d", len(got), limit)
			}
		}
	}
	step := 1 + len(c.Stored)/most
	for n := 0; n < len(c.Stored); n += step {
		try(c.Stored[:n:n])
	}
	bad := bytes.Clone(c.Stored)
	for i := 0; i < len(bad); i += step {
		for _, flip := range []byte{0x01, 0x80, 0xff} {
			bad[i] ^= flip
			try(bad)
			bad[i] ^= flip
		}
	}
}

func atOnce(t *testing.T, f filter.Filter, cases []Case) {
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range cases {
				c := cases[(i+worker)%len(cases)]
				got, err := f.Decode(nil, c.Stored, c.Params, len(c.Plain), len(c.Plain))
				if err != nil || !bytes.Equal(got, c.Plain) {
					t.Errorf("%s: %v", c.Name, err)
				}
			}
		})
	}
	group.Wait()
}

// Fuzz feeds f bytes and checks that it ends with no more than it may give.
func Fuzz(t *testing.F, f filter.Filter, cases []Case) {
	for _, c := range cases {
		t.Add(c.Stored, firstParam(c.Params), len(c.Plain))
	}
	t.Fuzz(func(t *testing.T, stored []byte, param uint32, size int) {
		const most = 1 << 16
		if size < -1 || size > most {
			return
		}
		got, err := f.Decode(nil, stored, []uint32{param}, size, most)
		if err != nil {
			wantRefused(t, err)
		}
		if len(got) > most {
			t.Fatalf("%d bytes with a limit of %d", len(got), most)
		}
		again, err2 := f.Decode(make([]byte, 0, most), stored, []uint32{param}, len(got), most)
		if err == nil && (err2 != nil || !bytes.Equal(got, again)) {
			t.Fatalf("size -1 or %d gave %x, size %d %x, %v", size, got, len(got), again, err2)
		}
	})
}

func firstParam(params []uint32) uint32 {
	if len(params) == 0 {
		return 0
	}
	return params[0]
}

func wantCorrupt(t *testing.T, err error) {
	t.Helper()
	if h5err.KindOf(err) != h5err.Corrupt {
		t.Fatalf("%v is no Corrupt error", err)
	}
}

// wantRefused is for bytes that may as well say something that is not read.
func wantRefused(t *testing.T, err error) {
	t.Helper()
	if h5err.KindOf(err) != h5err.Unsupported {
		wantCorrupt(t, err)
	}
}
