package exec

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"clawh5/core/internal/chunk"
	"clawh5/core/internal/format"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
	"clawh5/storage"
)

// counting counts the bytes between the begin of a fetch and the end of the run.
type counting struct {
	plainStore
	mu            sync.Mutex
	inFlight, max int
	bytes, peak   int64
}

func (c *counting) ReadAt(ctx context.Context, p []byte, off int64) error {
	c.mu.Lock()
	c.inFlight++
	c.bytes += int64(len(p))
	c.max, c.peak = max(c.max, c.inFlight), max(c.peak, c.bytes)
	c.mu.Unlock()
	time.Sleep(time.Millisecond)
	err := c.plainStore.ReadAt(ctx, p, off)
	c.mu.Lock()
	c.inFlight--
	c.bytes -= int64(len(p))
	c.mu.Unlock()
	return err
}

func TestRequestsInFlightAreBoundByNumberAndBytes(t *testing.T) {
	w := chunkedWorld(t, 40, 1<<14)
	// Far apart: each chunk is a request of its own.
	list := slices.Clone(w.src.Index.(listIndex))
	file := make([]byte, len(list)*(storage.MergeGap+1<<15))
	for i := range list {
		addr := uint64(i * (storage.MergeGap + 1<<15))
		copy(file[addr:], w.file[list[i].Addr:][:list[i].Size])
		list[i].Addr = addr
	}
	src := w.src
	src.Index, src.End, src.Remote = list, uint64(len(file)), true
	s, _ := sel.All(w.shape)
	size := int64(list[0].Size) + 100
	for _, c := range []struct {
		inFlight, most int
		budget         int64
	}{
		{3, 6, 1 << 30}, // requests under 1 MiB: twice as many
		{100, 4, 4 * size},
		{100, 1, 1},
	} {
		store := &counting{plainStore: plainStore{b: file}}
		src.Store = store
		got := make([]byte, len(w.values))
		stats, err := read(context.Background(), &src, s, got, Options{Filters: w.pipeline, MaxInFlight: c.inFlight, Budget: c.budget})
		if err != nil || !bytes.Equal(got, w.values) {
			t.Fatal(err)
		}
		if store.max > c.most || stats.Requests != 40 {
			t.Errorf("%d in flight, %d requests; want at most %d", store.max, stats.Requests, c.most)
		}
		if c.budget > size && store.peak > c.budget {
			t.Errorf("%d bytes in flight of %d", store.peak, c.budget)
		}
	}
}

func TestBytesThatHaveArrivedCountUntilTheyAreDecoded(t *testing.T) {
	b := newBudget(100)
	if !b.acquire(60) || !b.acquire(40) {
		t.Fatal("what fits was refused")
	}
	got := make(chan bool)
	go func() { got <- b.acquire(500) }() // alone only
	b.release(60)
	select {
	case <-got:
		t.Fatal("more than the budget beside others")
	case <-time.After(5 * time.Millisecond):
	}
	b.release(40)
	if !<-got || b.used != 500 {
		t.Errorf("%d used", b.used)
	}
	go func() { got <- b.acquire(1) }()
	b.close()
	if <-got {
		t.Error("a closed budget gives")
	}
}

func TestRemoteChunksAreFetchedInMergedRequests(t *testing.T) {
	w := chunkedWorld(t, 300, 4096)
	src := w.src
	store := &plainStore{b: w.file}
	src.Store, src.Remote = store, true
	s, _ := sel.All(w.shape)
	got := make([]byte, len(w.values))
	stats, err := read(context.Background(), &src, s, got, Options{Filters: w.pipeline})
	if err != nil || !bytes.Equal(got, w.values) {
		t.Fatal(err)
	}
	if store.reads.Load() != 1 || stats.Requests != 1 || stats.ChunksDecoded != 300 {
		t.Errorf("%d reads, %+v", store.reads.Load(), stats)
	}
}

func TestAChunkLargerThanARequestIsFetchedInPieces(t *testing.T) {
	shape := []uint64{10 << 20}
	file := make([]byte, 10<<20)
	for i := range file {
		file[i] = byte(i * 7 >> 3)
	}
	store := &plainStore{b: file}
	src := plan.Source{ElemSize: 1, Space: &format.Dataspace{Dims: shape}, Store: store, End: uint64(len(file)), Remote: true,
		Layout: &format.Layout{Version: 4, Class: format.ChunkedLayout, ChunkDims: shape},
		Index:  listIndex{chunk.Chunk{Scaled: []uint64{0}, Size: 10 << 20}}}
	s, _ := sel.All(shape)
	got := make([]byte, len(file))
	stats, err := read(context.Background(), &src, s, got, Options{})
	if err != nil || !bytes.Equal(got, file) || store.reads.Load() != 3 || stats.Requests != 3 {
		t.Errorf("%v, %d reads, %+v", err, store.reads.Load(), stats)
	}
}
