package storage_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"clawh5/storage"
)

func TestMergeRanges(t *testing.T) {
	type rs = []storage.Range
	cases := map[string]struct {
		in         rs
		gap, limit int64
		want       rs
	}{
		"nothing":                  {nil, 10, 100, rs{}},
		"empty and negative gone":  {rs{{5, 0}, {-1, 3}, {7, -2}, {1, 1}}, 10, 100, rs{{1, 1}}},
		"touching":                 {rs{{0, 5}, {5, 5}}, 0, 100, rs{{0, 10}}},
		"hole as wide as the gap":  {rs{{0, 5}, {8, 2}}, 3, 100, rs{{0, 10}}},
		"hole wider than the gap":  {rs{{0, 5}, {9, 2}}, 3, 100, rs{{0, 5}, {9, 2}}},
		"any order":                {rs{{20, 5}, {0, 5}, {10, 5}}, 5, 100, rs{{0, 25}}},
		"limit stops merging":      {rs{{0, 5}, {5, 5}, {10, 5}}, 0, 10, rs{{0, 10}, {10, 5}}},
		"long range stays whole":   {rs{{0, 50}, {50, 5}}, 0, 10, rs{{0, 50}, {50, 5}}},
		"overlap beyond the limit": {rs{{0, 8}, {4, 8}}, 0, 10, rs{{0, 12}}},
		"one inside the other":     {rs{{0, 50}, {4, 8}}, 0, 10, rs{{0, 50}}},
		"end of the number range":  {rs{{math.MaxInt64 - 5, 100}, {1, 1}}, 0, 10, rs{{1, 1}, {math.MaxInt64 - 5, 5}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(c.in)
			got := storage.MergeRanges(c.in, c.gap, c.limit)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if !slices.Equal(before, c.in) {
				t.Errorf("input changed to %v", c.in)
			}
		})
	}
}

func TestMergeRangesOfRandomInput(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		gap, limit := rnd.Int64N(20), 1+rnd.Int64N(60)
		in := make([]storage.Range, rnd.IntN(20))
		for i := range in {
			in[i] = storage.Range{Off: rnd.Int64N(300), Len: rnd.Int64N(30)}
		}
		out := storage.MergeRanges(in, gap, limit)
		for i := 1; i < len(out); i++ {
			a, b := out[i-1], out[i]
			hole := b.Off - (a.Off + a.Len)
			if hole < 0 {
				t.Fatalf("%v: %v and %v overlap", in, a, b)
			}
			if hole <= gap && b.Off+b.Len-a.Off <= limit {
				t.Fatalf("gap %d limit %d: %v and %v could be one", gap, limit, a, b)
			}
		}
		for _, r := range in {
			if r.Len == 0 {
				continue
			}
			inside := 0
			for _, o := range out {
				if o.Off <= r.Off && r.Off+r.Len <= o.Off+o.Len {
					inside++
				}
			}
			if inside != 1 {
				t.Fatalf("%v lies in %d of %v, want 1", r, inside, out)
			}
		}
	}
}

func TestSplitRangeCoversItEvenly(t *testing.T) {
	for _, c := range []struct{ n, limit int64 }{{0, 5}, {1, 5}, {5, 5}, {6, 5}, {11, 5}, {100, 7}, {math.MaxInt64 / 2, math.MaxInt64 / 9}, {9, 0}} {
		next := int64(3)
		pieces := storage.SplitRange(storage.Range{Off: 3, Len: c.n}, c.limit)
		least, most := int64(math.MaxInt64), int64(0)
		for _, p := range pieces {
			if p.Off != next {
				t.Errorf("%+v: piece at %d, want %d", c, p.Off, next)
			}
			next += p.Len
			least, most = min(least, p.Len), max(most, p.Len)
		}
		if next != 3+c.n || c.limit > 0 && most > c.limit || most-least > 1 {
			t.Errorf("%+v: pieces %v", c, pieces)
		}
	}
}

// plain is a Reader without batches that counts the reads at once.
type plain struct{ at, most atomic.Int64 }

var errBad = errors.New("bad")

func (p *plain) ReadAt(ctx context.Context, b []byte, off int64) error {
	n := p.at.Add(1)
	defer p.at.Add(-1)
	for m := p.most.Load(); n > m && !p.most.CompareAndSwap(m, n); m = p.most.Load() {
	}
	if off == 13 {
		return errBad
	}
	if off == 14 {
		<-ctx.Done()
		return ctx.Err()
	}
	for i := range b {
		b[i] = byte(off)
	}
	return nil
}
func (p *plain) Size() int64      { return 1 << 20 }
func (p *plain) Identity() string { return "" }
func (p *plain) Close() error     { return nil }

func TestReadRangesWithoutBatches(t *testing.T) {
	for _, parallel := range []int{0, 1, 3} {
		p := &plain{}
		spans := make([]storage.Span, 12)
		for i := range spans {
			spans[i] = storage.Span{Off: int64(i), P: make([]byte, 2)}
		}
		if err := storage.ReadRanges(context.Background(), p, spans, parallel); err != nil {
			t.Fatal(err)
		}
		for i, s := range spans {
			if s.P[0] != byte(i) || s.P[1] != byte(i) {
				t.Errorf("span %d holds %v", i, s.P)
			}
		}
		if most := p.most.Load(); most > int64(max(parallel, 1)) {
			t.Errorf("%d reads at once, want at most %d", most, parallel)
		}
	}
}

func TestFirstErrorCancelsTheOthers(t *testing.T) {
	spans := []storage.Span{{Off: 14, P: make([]byte, 1)}, {Off: 13, P: make([]byte, 1)}, {Off: 1, P: make([]byte, 1)}}
	if err := storage.ReadRanges(context.Background(), &plain{}, spans, 2); !errors.Is(err, errBad) {
		t.Fatalf("got %v, want the first error", err)
	}
}

func TestParallelEndsWithItsContext(t *testing.T) {
	for _, limit := range []int{1, 2} {
		ctx, cancel := context.WithCancel(context.Background())
		var calls atomic.Int64
		err := storage.Parallel(ctx, 100, limit, func(context.Context, int) error {
			calls.Add(1)
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) || calls.Load() > int64(limit) {
			t.Errorf("limit %d: %v after %d calls", limit, err, calls.Load())
		}
	}
}

func TestPanicInParallelIsAnError(t *testing.T) {
	err := storage.Parallel(context.Background(), 4, 2, func(context.Context, int) error { panic("oops") })
	if !errors.Is(err, storage.ErrInternal) || !strings.Contains(err.Error(), "oops") {
		t.Fatalf("got %v, want ErrInternal that says oops", err)
	}
}

func TestCheckRange(t *testing.T) {
	for _, c := range []struct {
		size, off, n int64
		ok           bool
	}{
		{10, 0, 10, true}, {10, 10, 0, true}, {0, 0, 0, true}, {10, 9, 1, true},
		{10, 10, 1, false}, {10, 11, 0, false}, {10, -1, 1, false}, {10, 0, -1, false},
		{10, math.MaxInt64, math.MaxInt64, false}, {10, 5, math.MaxInt64, false},
	} {
		err := storage.CheckRange("x", c.size, c.off, c.n)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, storage.ErrOutOfRange) {
			t.Errorf("CheckRange(%+v) = %v", c, err)
		}
	}
}
