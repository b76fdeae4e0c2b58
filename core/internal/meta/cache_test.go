package meta

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clawh5/core/h5err"
)

func size(n int) int64 { return int64(n) }

func TestConcurrentCallersShareOneLoad(t *testing.T) {
	f := &File{cache: cache{limit: 1 << 20}}
	var loads atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			v, err := Cached(ctx, f, 7, "n", size, func(context.Context) (int, error) {
				loads.Add(1)
				time.Sleep(10 * time.Millisecond)
				return 42, nil
			})
			if v != 42 || err != nil {
				t.Errorf("%d, %v", v, err)
			}
		})
	}
	wg.Wait()
	if loads.Load() != 1 {
		t.Errorf("%d loads", loads.Load())
	}
}

func TestCancelledLoaderDoesNotFailThoseWhoWait(t *testing.T) {
	f := &File{cache: cache{limit: 1 << 20}}
	first, cancel := context.WithCancel(ctx)
	started, done := make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := Cached(first, f, 7, "n", size, func(ctx context.Context) (int, error) {
			close(started)
			<-ctx.Done()
			return 0, StorageError(ctx.Err(), "n", 7)
		})
		done <- err
	}()
	<-started
	got := make(chan error, 1)
	go func() {
		_, err := Cached(ctx, f, 7, "n", size, func(context.Context) (int, error) { return 1, nil })
		got <- err
	}()
	cancel()
	if err := <-done; h5err.KindOf(err) != h5err.Cancelled {
		t.Errorf("the loader got %v", err)
	}
	if err := <-got; err != nil {
		t.Errorf("the other got %v", err)
	}
}

func TestWaiterGoesWhenItsContextEnds(t *testing.T) {
	f := &File{cache: cache{limit: 1 << 20}}
	started, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	go Cached(ctx, f, 7, "n", size, func(context.Context) (int, error) { //nolint:errcheck
		close(started)
		<-release
		return 1, nil
	})
	<-started
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err := Cached(ended, f, 7, "n", size, func(context.Context) (int, error) { return 1, nil })
	if h5err.KindOf(err) != h5err.Cancelled {
		t.Errorf("got %v", err)
	}
}

func TestErrorsAreNotKept(t *testing.T) {
	f := &File{cache: cache{limit: 1 << 20}}
	wrong := errors.New("wrong")
	if _, err := Cached(ctx, f, 7, "n", size, func(context.Context) (int, error) { return 0, wrong }); err != wrong {
		t.Errorf("got %v", err)
	}
	if v, err := Cached(ctx, f, 7, "n", size, func(context.Context) (int, error) { return 5, nil }); v != 5 || err != nil {
		t.Errorf("got %d, %v", v, err)
	}
}

func TestPanickingLoadReleasesThoseWhoWait(t *testing.T) {
	f := &File{cache: cache{limit: 1 << 20}}
	func() {
		defer func() { _ = recover() }()
		Cached(ctx, f, 7, "n", size, func(context.Context) (int, error) { panic("bug") }) //nolint:errcheck
	}()
	if v, err := Cached(ctx, f, 7, "n", size, func(context.Context) (int, error) { return 5, nil }); v != 5 || err != nil {
		t.Errorf("got %d, %v", v, err)
	}
}

func TestCacheIsBoundedAndDropsTheLeastRecentlyUsed(t *testing.T) {
	const each, room = 1000, 10
	f := &File{cache: cache{limit: room * (each + entryOverhead)}}
	load := func(addr uint64) {
		t.Helper()
		if _, err := Cached(ctx, f, addr, "n", func(int) int64 { return each }, func(context.Context) (int, error) { return 1, nil }); err != nil {
			t.Fatal(err)
		}
	}
	for a := range uint64(100) {
		load(a)
		if _, ok := Peek[int](f, 0, "n"); !ok {
			t.Fatalf("the one in use was dropped after %d", a)
		}
		if f.cache.size > f.cache.limit || len(f.cache.entries) > room {
			t.Fatalf("%d bytes in %d entries", f.cache.size, len(f.cache.entries))
		}
	}
	if _, ok := Peek[int](f, 50, "n"); ok {
		t.Error("an old one is still there")
	}
	if _, ok := Peek[int](f, 99, "n"); !ok {
		t.Error("the newest one is not there")
	}
	if _, ok := Peek[int](f, 99, "other"); ok {
		t.Error("another kind is there")
	}
	if _, err := Cached(ctx, f, 1000, "n", func(int) int64 { return 1 << 40 }, func(context.Context) (int, error) { return 1, nil }); err != nil {
		t.Error(err)
	}
	if len(f.cache.entries) != room {
		t.Error("one that does not fit drove out others")
	}
}
