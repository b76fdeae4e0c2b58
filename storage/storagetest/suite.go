// Package storagetest is the suite that every store passes, and a wrapper that
// makes a store slow, short of breath or unreliable.
package storagetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"clawh5/storage"
)

// Content makes n bytes that differ from place to place.
func Content(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, r.Uint64())
	}
	return b[:n:n]
}

// Run checks the contracts of storage.Reader and of the optional interfaces
// that the store has. open makes a store of the content; the suite closes it.
func Run(t *testing.T, open func(t *testing.T, content []byte) storage.Reader) {
	t.Helper()
	tests := []struct {
		name string
		size int
		f    func(*testing.T, storage.Reader, []byte)
	}{
		{"Empty", 0, testWhole},
		{"OneByte", 1, testWhole},
		{"Whole", 300_001, testWhole},
		{"EverySmallRange", 9, testEverySmallRange},
		{"OutsideIsOutOfRange", 1000, testOutside},
		{"OutsideOfEmpty", 0, testOutside},
		{"Concurrent", 400_000, testConcurrent},
		{"CancelledContext", 200_000, testCancelled},
		{"CancelWhileReading", 500_000, testCancelWhileReading},
		{"Batches", 300_000, testBatches},
		{"Views", 300_000, testViews},
		{"PrefetchChangesNothing", 300_000, testPrefetch},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			content := Content(tt.size)
			r := open(t, content)
			t.Cleanup(func() {
				if err := r.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
			tt.f(t, r, content)
		})
	}
}

// read reads n bytes at off and compares them with the content.
func read(t *testing.T, r storage.Reader, content []byte, off, n int) {
	t.Helper()
	p := make([]byte, n)
	if err := r.ReadAt(context.Background(), p, int64(off)); err != nil {
		t.Fatalf("ReadAt(%d bytes at %d): %v", n, off, err)
	}
	if !bytes.Equal(p, content[off:off+n]) {
		t.Fatalf("ReadAt(%d bytes at %d): wrong bytes", n, off)
	}
}

func testWhole(t *testing.T, r storage.Reader, content []byte) {
	if r.Size() != int64(len(content)) {
		t.Fatalf("Size = %d, want %d", r.Size(), len(content))
	}
	id := r.Identity()
	read(t, r, content, 0, len(content))
	read(t, r, content, 0, len(content))
	if r.Identity() != id {
		t.Errorf("Identity changed from %q to %q", id, r.Identity())
	}
}

func testEverySmallRange(t *testing.T, r storage.Reader, content []byte) {
	for off := 0; off <= len(content); off++ {
		for n := 0; off+n <= len(content); n++ {
			read(t, r, content, off, n)
		}
	}
}

func testOutside(t *testing.T, r storage.Reader, content []byte) {
	size := int64(len(content))
	for _, rg := range []storage.Range{
		{Off: size, Len: 1}, {Off: size + 1, Len: 0}, {Off: 0, Len: size + 1}, {Off: size / 2, Len: size},
		{Off: -1, Len: 1}, {Off: -1, Len: 0}, {Off: math.MaxInt64, Len: 2}, {Off: math.MinInt64, Len: 1},
	} {
		if rg.Off >= 0 && rg.Off <= size && rg.Len <= size-rg.Off {
			continue // of an empty object
		}
		p := make([]byte, rg.Len)
		if err := r.ReadAt(context.Background(), p, rg.Off); !errors.Is(err, storage.ErrOutOfRange) {
			t.Errorf("ReadAt(%d bytes at %d) of %d = %v, want ErrOutOfRange", rg.Len, rg.Off, size, err)
		}
		if v, ok := r.(storage.Viewer); ok {
			if _, err := v.View(context.Background(), rg.Off, int(rg.Len)); !errors.Is(err, storage.ErrOutOfRange) {
				t.Errorf("View(%d, %d) of %d = %v, want ErrOutOfRange", rg.Off, rg.Len, size, err)
			}
		}
		if rr, ok := r.(storage.RangeReader); ok {
			if err := rr.ReadRanges(context.Background(), []storage.Span{{Off: rg.Off, P: p}}); !errors.Is(err, storage.ErrOutOfRange) {
				t.Errorf("ReadRanges(%d bytes at %d) of %d = %v, want ErrOutOfRange", rg.Len, rg.Off, size, err)
			}
		}
	}
	if v, ok := r.(storage.Viewer); ok {
		if _, err := v.View(context.Background(), 0, -1); !errors.Is(err, storage.ErrOutOfRange) {
			t.Errorf("View(0, -1) = %v, want ErrOutOfRange", err)
		}
	}
	read(t, r, content, len(content), 0)
}

func testConcurrent(t *testing.T, r storage.Reader, content []byte) {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(g), 2))
			for range 20 {
				off := rnd.IntN(len(content))
				p := make([]byte, rnd.IntN(len(content)-off))
				if err := r.ReadAt(context.Background(), p, int64(off)); err != nil {
					t.Errorf("ReadAt(%d bytes at %d): %v", len(p), off, err)
				} else if !bytes.Equal(p, content[off:off+len(p)]) {
					t.Errorf("ReadAt(%d bytes at %d): wrong bytes", len(p), off)
				}
			}
		})
	}
	wg.Wait()
}

// isContextError tells an error that the caller's context caused.
func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// testCancelled wants right bytes (which a store may have at hand) or the
// error of the context.
func testCancelled(t *testing.T, r storage.Reader, content []byte) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, off := range []int{0, 150_000} {
		p := make([]byte, 1000)
		switch err := r.ReadAt(ctx, p, int64(off)); {
		case err == nil && !bytes.Equal(p, content[off:off+len(p)]):
			t.Errorf("wrong bytes at %d", off)
		case err != nil && !errors.Is(err, context.Canceled):
			t.Errorf("ReadAt at %d = %v, want context.Canceled", off, err)
		}
	}
	read(t, r, content, 0, len(content))
}

// testCancelWhileReading overwrites the buffer after the return: a store that
// still wrote to it would spoil it, and the race detector sees it.
func testCancelWhileReading(t *testing.T, r storage.Reader, content []byte) {
	var spoiled [][]byte
	for i := range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			for range i * 50 {
				_ = ctx.Err()
			}
			cancel()
			close(done)
		}()
		p := make([]byte, 100_000)
		off := i * 20_000
		err := r.ReadAt(ctx, p, int64(off))
		if err == nil && !bytes.Equal(p, content[off:off+len(p)]) {
			t.Errorf("wrong bytes at %d", off)
		}
		if err != nil && !isContextError(err) {
			t.Errorf("ReadAt at %d = %v, want the context's error", off, err)
		}
		clear(p)
		spoiled = append(spoiled, p)
		<-done
	}
	for i, p := range spoiled {
		if !bytes.Equal(p, make([]byte, len(p))) {
			t.Errorf("buffer %d was written to after ReadAt had returned", i)
		}
	}
	read(t, r, content, 0, len(content))
}

func randomSpans(rnd *rand.Rand, size, n int) []storage.Span {
	spans := make([]storage.Span, n)
	for i := range spans {
		off := rnd.IntN(size + 1)
		spans[i] = storage.Span{Off: int64(off), P: make([]byte, min(size-off, rnd.IntN(3000)))}
	}
	return spans
}

func testBatches(t *testing.T, r storage.Reader, content []byte) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 2, 7, 40} {
		spans := randomSpans(rnd, len(content), n)
		if err := storage.ReadRanges(context.Background(), r, spans, 4); err != nil {
			t.Fatalf("ReadRanges of %d spans: %v", len(spans), err)
		}
		for _, s := range spans {
			if !bytes.Equal(s.P, content[s.Off:s.Off+int64(len(s.P))]) {
				t.Fatalf("ReadRanges: wrong bytes at %d", s.Off)
			}
		}
	}
	bad := append(randomSpans(rnd, len(content), 5), storage.Span{Off: int64(len(content)), P: make([]byte, 1)})
	if err := storage.ReadRanges(context.Background(), r, bad, 4); !errors.Is(err, storage.ErrOutOfRange) {
		t.Errorf("ReadRanges with a span past the end = %v, want ErrOutOfRange", err)
	}
}

func testViews(t *testing.T, r storage.Reader, content []byte) {
	v, ok := r.(storage.Viewer)
	if !ok {
		t.Skip("not a Viewer")
	}
	rnd := rand.New(rand.NewPCG(4, 4))
	type view struct {
		off int
		b   []byte
	}
	var views []view
	for range 50 {
		off := rnd.IntN(len(content))
		n := rnd.IntN(min(len(content)-off, 100_000))
		b, err := v.View(context.Background(), int64(off), n)
		if err != nil {
			t.Fatalf("View(%d, %d): %v", off, n, err)
		}
		if len(b) != n {
			t.Fatalf("View(%d, %d): %d bytes", off, n, len(b))
		}
		views = append(views, view{off, b})
	}
	for _, w := range views {
		if !bytes.Equal(w.b, content[w.off:w.off+len(w.b)]) {
			t.Fatalf("View of %d bytes at %d: wrong bytes after other reads", len(w.b), w.off)
		}
	}
}

func testPrefetch(t *testing.T, r storage.Reader, content []byte) {
	p, ok := r.(storage.Prefetcher)
	if !ok {
		t.Skip("not a Prefetcher")
	}
	size := int64(len(content))
	err := p.Prefetch(context.Background(), []storage.Range{
		{Off: 100, Len: 5000}, {Off: 2000, Len: 10}, {Off: size - 5, Len: 100}, {Off: size + 5, Len: 10},
		{Off: -4, Len: 10}, {Off: 7, Len: 0}, {Off: 9, Len: -1}, {Off: 150_000, Len: math.MaxInt64},
	})
	if err != nil {
		t.Fatalf("Prefetch: %v", err)
	}
	read(t, r, content, 100, 5000)
	read(t, r, content, len(content)-5, 5)
	read(t, r, content, 0, len(content))
}
