package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"clawh5/core/h5err"
	"clawh5/core/internal/convert"
	"clawh5/core/internal/format"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
	"clawh5/storage"
)

func TestEveryLayoutSelectionAndConversionGivesTheRightValues(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		w := newWorld(t, r)
		cache := NewChunkCache(int64(1 + r.IntN(3000)))
		for range 6 {
			s, at := w.choose(t)
			for _, c := range w.conversions() {
				want := w.want(at, c)
				for i, src := range w.stores() {
					got := newGuarded(len(want))
					o := w.options(c, cache)
					if r.IntN(3) == 0 {
						o.Cache = nil
					}
					var done atomic.Int64
					o.Done = &done
					stats, err := read(context.Background(), &src, s, got.bytes(), o)
					if err != nil {
						t.Fatalf("store %d, %v of %v in %v: %v", i, s.OutShape(), w.shape, w.src.Layout, err)
					}
					if !bytes.Equal(got.bytes(), want) || !got.intact() {
						t.Fatalf("store %d, element size %d, %v of %v in %+v:\n% x\nwant\n% x", i, w.elem, s.OutShape(), w.shape, w.src.Layout, got.bytes(), want)
					}
					if done.Load() != s.NumElements() {
						t.Fatalf("%d of %d elements done, store %d, %+v", done.Load(), s.NumElements(), i, w.src.Layout)
					}
					if stats.BytesFetched > 0 && stats.Requests == 0 {
						t.Fatalf("%+v", stats)
					}
				}
			}
		}
	}
}

func TestAFaultyStoreGivesAnErrorOrTheRightValues(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var failed, succeeded int
	for range 100 {
		w := newWorld(t, r)
		s, at := w.choose(t)
		c := w.conversions()[r.IntN(4)]
		want := w.want(at, c)
		src := w.src
		src.Remote = r.IntN(2) == 0
		var n atomic.Int64
		every := 1 + r.Int64N(6)
		src.Store = &plainStore{b: w.file, fail: func(off int64, _ int) error {
			if n.Add(1)%every == 0 {
				return fmt.Errorf("%w: broken line", storage.ErrUnavailable)
			}
			return nil
		}}
		got := newGuarded(len(want))
		_, err := read(context.Background(), &src, s, got.bytes(), w.options(c, NewChunkCache(1000)))
		switch {
		case err == nil:
			succeeded++
			if !bytes.Equal(got.bytes(), want) {
				t.Fatalf("success with wrong values")
			}
		case errors.Is(err, h5err.Unavailable):
			failed++
			var e *h5err.Error
			if errors.As(err, &e); e.Offset < 0 || e.Structure == "" {
				t.Fatalf("no place in %v", err)
			}
		default:
			t.Fatal(err)
		}
		if !got.intact() {
			t.Fatal("wrote outside the destination")
		}
	}
	if failed == 0 || succeeded == 0 {
		t.Errorf("%d failed, %d succeeded", failed, succeeded)
	}
}

func TestDamagedChunksAreCorruptWithTheirPlace(t *testing.T) {
	w := chunkedWorld(t, 20, 4096)
	s, _ := sel.All(w.shape)
	list := w.src.Index.(listIndex)
	bad := list[13]
	for i := range bad.Size {
		w.file[bad.Addr+i] ^= 0x5a
	}
	for _, src := range w.stores() {
		_, err := read(context.Background(), &src, s, make([]byte, len(w.values)), Options{Filters: w.pipeline})
		var e *h5err.Error
		if !errors.As(err, &e) || e.Kind != h5err.Corrupt || e.Offset != int64(bad.Addr) {
			t.Errorf("%v, want corrupt at %d", err, bad.Addr)
		}
	}
	list[13].Mask = 3 // then the stored bytes are the values, and they are too few
	_, err := read(context.Background(), &w.src, s, make([]byte, len(w.values)), Options{Filters: w.pipeline})
	if !errors.Is(err, h5err.Corrupt) || !strings.Contains(err.Error(), "for 4096 bytes") {
		t.Errorf("unfiltered chunk of another size: %v", err)
	}
}

// blocking is a store whose reads wait for the end of the context.
type blocking struct {
	plainStore
	begun *waiter
}

func (b *blocking) ReadAt(ctx context.Context, p []byte, off int64) error {
	b.begun.reached()
	<-ctx.Done()
	return storage.ContextError(ctx, "test", off, int64(len(p)))
}

func TestCancelEndsEveryGoroutineAndSaysSo(t *testing.T) {
	w := chunkedWorld(t, 200, 4096)
	s, _ := sel.All(w.shape)
	for _, remote := range []bool{false, true} {
		src := w.src
		src.Remote = remote
		store := &blocking{plainStore{b: w.file}, newWaiter()}
		src.Store = store
		before := runtime.NumGoroutine()
		ctx, cancel := context.WithCancel(context.Background())
		go func() { store.begun.wait(); cancel() }()
		_, err := read(ctx, &src, s, make([]byte, len(w.values)), Options{Filters: w.pipeline, Workers: 4, Budget: 8000})
		if !errors.Is(err, h5err.Cancelled) {
			t.Errorf("remote %v: %v", remote, err)
		}
		for i := 0; runtime.NumGoroutine() > before && i < 1000; i++ {
			time.Sleep(time.Millisecond)
		}
		if n := runtime.NumGoroutine(); n > before {
			t.Errorf("remote %v: %d goroutines, %d before", remote, n, before)
		}
	}
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(1, 0))
	defer cancel()
	if _, err := read(ctx, &w.src, s, make([]byte, len(w.values)), Options{Filters: w.pipeline}); !errors.Is(err, h5err.Timeout) {
		t.Errorf("deadline: %v", err)
	}
}

func TestACancelAtAnyMomentLeavesNothingRunning(t *testing.T) {
	w := chunkedWorld(t, 100, 2048)
	s, _ := sel.All(w.shape)
	for i := range 60 {
		src := w.src
		src.Remote = i%2 == 0
		ctx, cancel := context.WithCancel(context.Background())
		var n atomic.Int64
		src.Store = &plainStore{b: w.file, fail: func(int64, int) error {
			if n.Add(1) == int64(i/2) {
				cancel()
			}
			return nil
		}}
		got := make([]byte, len(w.values))
		_, err := read(ctx, &src, s, got, Options{Filters: w.pipeline, Workers: 3, Budget: 4000, MaxInFlight: 3})
		snapshot := bytes.Clone(got)
		if err == nil && !bytes.Equal(got, w.values) || err != nil && !errors.Is(err, h5err.Cancelled) {
			t.Fatalf("%v", err)
		}
		time.Sleep(time.Millisecond)
		if !bytes.Equal(got, snapshot) {
			t.Fatal("the destination changed after the return")
		}
		cancel()
	}
}

func TestAPanicInAWorkerIsAnInternalError(t *testing.T) {
	w := chunkedWorld(t, 50, 1024)
	s, _ := sel.All(w.shape)
	part, _ := sel.Hyperslab(w.shape, []uint64{0, 3}, nil, []uint64{50, 10}, nil)
	var n atomic.Int64
	conv := convert.Conversion{SrcSize: 4, DstSize: 4, Run: func(dst, src []byte, k int) {
		if n.Add(1)%7 == 0 {
			panic("boom")
		}
	}}
	cache := NewChunkCache(1 << 20)
	for _, src := range w.stores() {
		for _, s := range []*sel.Selection{s, part} {
			_, err := read(context.Background(), &src, s, make([]byte, len(w.values)), Options{Filters: w.pipeline, Conv: conv, Workers: 3, Cache: cache})
			if !errors.Is(err, h5err.Internal) || !strings.Contains(err.Error(), "boom") {
				t.Errorf("%v", err)
			}
		}
	}
	if cache.inUse() {
		t.Error("a panic left a chunk in use")
	}
}

func TestTheFirstErrorWins(t *testing.T) {
	w := chunkedWorld(t, 50, 1024)
	s, _ := sel.All(w.shape)
	src := w.src
	src.Store = &plainStore{b: w.file, fail: func(off int64, _ int) error {
		return &storage.Error{Op: "read", Off: off, HTTPStatus: 503, Err: storage.ErrUnavailable}
	}}
	for _, src.Remote = range []bool{false, true} {
		_, err := read(context.Background(), &src, s, make([]byte, len(w.values)), Options{Filters: w.pipeline, Workers: 4})
		var e *h5err.Error
		if !errors.As(err, &e) || e.Kind != h5err.Unavailable || e.HTTPStatus != 503 {
			t.Errorf("remote %v: %v", src.Remote, err)
		}
	}
}

func TestADestinationThatIsTooSmallIsRefusedUntouched(t *testing.T) {
	w := chunkedWorld(t, 5, 1024)
	s, _ := sel.All(w.shape)
	dst := bytes.Repeat([]byte{7}, len(w.values)-1)
	_, err := read(context.Background(), &w.src, s, dst, Options{Filters: w.pipeline})
	if !errors.Is(err, h5err.Space) || bytes.Count(dst, []byte{7}) != len(dst) {
		t.Errorf("%v", err)
	}
}

func TestASmallContiguousReadIsOneReadWithoutAGoroutine(t *testing.T) {
	shape := []uint64{64, 144, 192}
	file := make([]byte, 64*144*192*4)
	for i := range file {
		file[i] = byte(i / 3)
	}
	store := &plainStore{b: file}
	src := plan.Source{ElemSize: 4, Space: &format.Dataspace{Dims: shape}, Store: store, End: uint64(len(file)),
		Layout: &format.Layout{Version: 3, Class: format.ContiguousLayout, Size: uint64(len(file))}}
	s, _ := sel.Hyperslab(shape, []uint64{5, 6, 7}, nil, []uint64{1, 16, 16}, nil)
	p, err := plan.New(context.Background(), &src, s)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, 1024)
	allocs := testing.AllocsPerRun(50, func() {
		if _, err := Run(context.Background(), p, dst, Options{}); err != nil {
			t.Fatal(err)
		}
	})
	if store.reads.Load() != 51 || allocs > 4 && !raceEnabled {
		t.Errorf("%d reads in 51 runs, %v allocations", store.reads.Load(), allocs)
	}
	for i := range 16 {
		at := ((5*144+6+i)*192 + 7) * 4
		if !bytes.Equal(dst[i*64:(i+1)*64], file[at:at+64]) {
			t.Errorf("row %d", i)
		}
	}
}

func TestWorkersShareTheWork(t *testing.T) {
	shape := []uint64{64, 64, 1024}
	file := bytes.Repeat([]byte{1, 2, 3, 4}, 64*64*1024)
	for _, remote := range []bool{false, true} {
		store := &plainStore{b: file}
		src := plan.Source{ElemSize: 4, Space: &format.Dataspace{Dims: shape}, Store: store, End: uint64(len(file)), Remote: remote,
			Layout: &format.Layout{Version: 3, Class: format.ContiguousLayout, Size: uint64(len(file))}}
		s, _ := sel.All(shape)
		got := make([]byte, len(file))
		p, err := plan.New(context.Background(), &src, s)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := Run(context.Background(), p, got, Options{Workers: 3})
		if err != nil || !bytes.Equal(got, file) {
			t.Fatal(err)
		}
		if want := p.Parts[0].Cost().Requests; store.reads.Load() != want || stats.BytesFetched != int64(len(file)) {
			t.Errorf("remote %v: %d reads, want %d; %+v", remote, store.reads.Load(), want, stats)
		}
	}
}

func TestHostileIndexesGiveErrorsAndNothingElse(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 800 {
		w := newWorld(t, r)
		list, ok := w.src.Index.(listIndex)
		if !ok || len(list) == 0 {
			continue
		}
		for range 1 + r.IntN(3) {
			c := &list[r.IntN(len(list))]
			switch r.IntN(5) {
			case 0:
				c.Addr = r.Uint64N(uint64(len(w.file)) + 10)
			case 1:
				c.Addr = r.Uint64()
			case 2:
				c.Size = r.Uint64() >> r.IntN(64)
			case 3:
				c.Mask = r.Uint32() >> r.IntN(32)
			case 4:
				c.Scaled = slices.Clone(list[r.IntN(len(list))].Scaled)
				c.Scaled[r.IntN(len(c.Scaled))] = r.Uint64() >> r.IntN(64)
			}
		}
		s, at := w.choose(t)
		conversions := w.conversions()
		c := conversions[r.IntN(len(conversions))]
		got := newGuarded(len(w.want(at, c)))
		src := w.stores()[r.IntN(5)]
		_, err := read(context.Background(), &src, s, got.bytes(), w.options(c, NewChunkCache(1000)))
		if k := h5err.KindOf(err); k != 0 && k != h5err.Corrupt && k != h5err.Limit {
			t.Fatal(err)
		}
		if !got.intact() {
			t.Fatal("wrote outside the destination")
		}
	}
}
