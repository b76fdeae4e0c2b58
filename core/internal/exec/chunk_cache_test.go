package exec

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
)

// inUse reports whether anyone holds an entry.
func (c *ChunkCache) inUse() bool {
	for _, e := range c.entries {
		if e.users != 0 || e.state == loading {
			return true
		}
	}
	return false
}

func TestARepeatedSmallReadComesFromTheCacheWithoutAllocations(t *testing.T) {
	w := chunkedWorld(t, 20, 4096)
	store := w.src.Store.(*plainStore)
	cache := NewChunkCache(1 << 20)
	s, _ := sel.Hyperslab(w.shape, []uint64{3, 5}, nil, []uint64{2, 16}, nil)
	p, err := plan.New(context.Background(), &w.src, s)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, 128)
	o := Options{Filters: w.pipeline, Cache: cache, Workers: 1}
	first, err := Run(context.Background(), p, dst, o)
	if err != nil || first.CacheMisses != 2 || first.ChunksDecoded != 2 {
		t.Fatalf("%v %+v", err, first)
	}
	o.Workers = 4
	reads := store.reads.Load()
	allocs := testing.AllocsPerRun(50, func() {
		if stats, err := Run(context.Background(), p, dst, o); err != nil || stats.CacheHits != 2 || stats.ChunksDecoded != 0 {
			t.Fatalf("%v %+v", err, stats)
		}
	})
	if store.reads.Load() != reads || allocs > 4 && !raceEnabled {
		t.Errorf("%d reads, %v allocations", store.reads.Load()-reads, allocs)
	}
	if !bytes.Equal(dst[:64], w.values[3*4096+20:][:64]) || !bytes.Equal(dst[64:], w.values[4*4096+20:][:64]) {
		t.Error("wrong values")
	}
}

func TestWholeChunksAreKeptWhenASmallReadIsRepeated(t *testing.T) {
	w := chunkedWorld(t, 20, 4096)
	s, _ := sel.All(w.shape)
	for _, c := range []struct{ limit, hits int64 }{
		{1 << 20, 20}, // 80 KiB are a small read of such a cache
		{1 << 19, 0},  // not of this one
	} {
		cache := NewChunkCache(c.limit)
		var stats Stats
		for range 3 {
			dst := make([]byte, len(w.values))
			var err error
			if stats, err = read(context.Background(), &w.src, s, dst, Options{Filters: w.pipeline, Cache: cache}); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(dst, w.values) {
				t.Fatal("wrong values")
			}
		}
		if stats.CacheHits != c.hits {
			t.Errorf("cache of %d bytes: %d hits, want %d", c.limit, stats.CacheHits, c.hits)
		}
	}
}

func TestAWholeReadLeavesTheCacheAlone(t *testing.T) {
	w := chunkedWorld(t, 20, 4096)
	s, _ := sel.All(w.shape)
	for _, src := range w.stores() {
		cache := NewChunkCache(1 << 20)
		if _, err := read(context.Background(), &src, s, make([]byte, len(w.values)), Options{Filters: w.pipeline, Cache: cache}); err != nil {
			t.Fatal(err)
		}
		if cache.used != 0 {
			t.Errorf("%d bytes in the cache", cache.used)
		}
	}
}

func TestParallelReadersOfTheSameChunksDecodeEachOnce(t *testing.T) {
	w := chunkedWorld(t, 30, 8192)
	cache := NewChunkCache(1 << 20)
	s, _ := sel.Hyperslab(w.shape, []uint64{0, 5}, nil, []uint64{30, 16}, nil)
	var decoded atomic.Int64
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			src := w.src
			src.Remote = i%2 == 0
			dst := make([]byte, 30*64)
			stats, err := read(context.Background(), &src, s, dst, Options{Filters: w.pipeline, Cache: cache, Workers: 2})
			if err != nil {
				t.Error(err)
			}
			decoded.Add(stats.ChunksDecoded)
			for k := range 30 {
				if !bytes.Equal(dst[k*64:(k+1)*64], w.values[k*8192+20:][:64]) {
					t.Error("wrong values")
				}
			}
		})
	}
	group.Wait()
	if decoded.Load() != 30 || cache.inUse() {
		t.Errorf("%d chunks decoded", decoded.Load())
	}
}

func TestTheCacheStaysWithinItsBoundAndDropsWhatWasUsedLongestAgo(t *testing.T) {
	c := NewChunkCache(100)
	load := func(k uint64, n int) *cacheEntry {
		e, fresh, err := c.acquire(context.Background(), chunkKey{0, 1, k}, n)
		if err != nil || e == nil {
			return e
		}
		if fresh {
			c.loaded(e, true)
		}
		return e
	}
	for k := range uint64(3) {
		c.release(load(k, 30))
	}
	c.release(c.get(chunkKey{0, 1, 0}))
	c.release(load(3, 30))
	if c.has(chunkKey{0, 1, 1}) || !c.has(chunkKey{0, 1, 0}) || !c.has(chunkKey{0, 1, 2}) || c.used != 90 {
		t.Errorf("%d bytes, %v", c.used, c.entries)
	}
	if load(4, 101) != nil {
		t.Error("more than the cache")
	}
	a, b := load(0, 30), load(3, 30)
	if e := load(5, 60); e != nil {
		t.Error("dropped what is in use")
	}
	c.release(a)
	c.release(b)
	old := &a.data[0]
	c.release(c.get(chunkKey{0, 1, 3}))
	for k := uint64(6); c.has(chunkKey{0, 1, 0}); k++ {
		e := load(k, 30)
		if !c.has(chunkKey{0, 1, 0}) && &e.data[0] != old {
			t.Error("the memory of a dropped chunk is not used again")
		}
		c.release(e)
	}
	e, _, _ := c.acquire(context.Background(), chunkKey{0, 1, 99}, 30)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := c.acquire(ctx, chunkKey{0, 1, 99}, 30); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for a chunk: %v", err)
	}
	c.loaded(e, false)
	c.release(e)
	if c.has(chunkKey{0, 1, 99}) || c.used > 100 {
		t.Error("a chunk that was not loaded is there")
	}
}
