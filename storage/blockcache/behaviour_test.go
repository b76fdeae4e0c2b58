package blockcache_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"clawh5/storage"
	"clawh5/storage/blockcache"
	"clawh5/storage/memstore"
	"clawh5/storage/storagetest"
	"clawh5/storage/tracestore"
)

const kib = 1 << 10

func traced(content []byte, o blockcache.Options) (*blockcache.Cache, *tracestore.Trace) {
	tr := tracestore.New(memstore.New(content), 0)
	return blockcache.New(tr, o), tr
}

func view(t *testing.T, c *blockcache.Cache, content []byte, off int64, n int) []byte {
	t.Helper()
	v, err := c.View(context.Background(), off, n)
	if err != nil {
		t.Fatalf("View(%d, %d): %v", off, n, err)
	}
	if !bytes.Equal(v, content[off:off+int64(n)]) {
		t.Fatalf("View(%d, %d): wrong bytes", off, n)
	}
	return v
}

// requests returns offset and length of each request in blocks of 4 KiB.
func requests(tr *tracestore.Trace) [][2]int64 {
	var out [][2]int64
	for _, r := range tr.Requests() {
		out = append(out, [2]int64{r.Off / (4 * kib), (r.Len + 4*kib - 1) / (4 * kib)})
	}
	return out
}

func wantRequests(t *testing.T, tr *tracestore.Trace, want ...[2]int64) {
	t.Helper()
	got := requests(tr)
	if len(got) != len(want) {
		t.Fatalf("requests (block, blocks) %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("requests (block, blocks) %v, want %v", got, want)
		}
	}
}

func small() blockcache.Options {
	return blockcache.Options{BlockSize: 4 * kib, WholeFile: -1, Gap: 8 * kib, MaxFetch: 64 * kib}
}

func TestScatteredMissesFetchOneBlockEach(t *testing.T) {
	content := storagetest.Content(1000 * kib)
	c, tr := traced(content, small())
	for _, b := range []int64{100, 10, 200, 50} {
		view(t, c, content, b*4*kib+7, 100)
		view(t, c, content, b*4*kib+7, 100)
	}
	wantRequests(t, tr, [2]int64{100, 1}, [2]int64{10, 1}, [2]int64{200, 1}, [2]int64{50, 1})
}

func TestConsecutiveMissesDoubleUpToTheLongestRequest(t *testing.T) {
	content := storagetest.Content(400 * kib)
	c, tr := traced(content, small())
	for off := int64(0); off < int64(len(content)); off += kib {
		view(t, c, content, off, kib)
	}
	wantRequests(t, tr, [2]int64{0, 1}, [2]int64{1, 2}, [2]int64{3, 4}, [2]int64{7, 8}, [2]int64{15, 16},
		[2]int64{31, 16}, [2]int64{47, 16}, [2]int64{63, 16}, [2]int64{79, 16}, [2]int64{95, 5})
}

func TestMissAfterTheHeadReadsAhead(t *testing.T) {
	content := storagetest.Content(400 * kib)
	o := small()
	o.Head = content[:16*kib]
	c, tr := traced(content, o)
	view(t, c, content, 16*kib, 10)
	wantRequests(t, tr, [2]int64{4, 8})
}

func TestLoneMissInASmallFileFetchesANeighbourhood(t *testing.T) {
	content := storagetest.Content(1000 * kib)
	o := small()
	o.WholeFile = 250 * kib
	c, tr := traced(content, o)
	view(t, c, content, 400*kib, 10)
	wantRequests(t, tr, [2]int64{100, 16}) // as much as one request may have
}

func TestTwoRunsInTurnBothReadAhead(t *testing.T) {
	content := storagetest.Content(400 * kib)
	c, tr := traced(content, small())
	for i := range int64(7) {
		view(t, c, content, i*4*kib, 10)
		view(t, c, content, (50+i)*4*kib, 10)
	}
	wantRequests(t, tr, [2]int64{0, 1}, [2]int64{50, 1}, [2]int64{1, 2}, [2]int64{51, 2}, [2]int64{3, 4}, [2]int64{53, 4})
}

func TestSmallFileComesWhole(t *testing.T) {
	content := storagetest.Content(101 * kib)
	o := small()
	o.WholeFile, o.MaxFetch = 200*kib, 200*kib
	c, tr := traced(content, o)
	view(t, c, content, 50*kib, 10)
	view(t, c, content, 0, len(content))
	wantRequests(t, tr, [2]int64{0, 26})
}

func TestHeadIsNotFetchedAgain(t *testing.T) {
	content := storagetest.Content(100 * kib)
	o := small()
	o.Head = content[:10*kib] // two whole blocks; the broken one is of no use
	c, tr := traced(content, o)
	view(t, c, content, 0, 8*kib)
	wantRequests(t, tr)
	view(t, c, content, 9*kib, 10)
	if got := requests(tr); len(got) != 1 || got[0][0] != 2 {
		t.Fatalf("requests %v, want one from block 2", got)
	}

	o.Head = content
	c, tr = traced(content, o)
	view(t, c, content, 0, len(content))
	wantRequests(t, tr)
}

func TestPrefetchMergesAndRunsAtOnce(t *testing.T) {
	content := storagetest.Content(1000 * kib)
	tr := tracestore.New(storagetest.Faulty(memstore.New(content), storagetest.Faults{SlowEvery: 1, Delay: 20 * time.Millisecond}), 0)
	c := blockcache.New(tr, small())
	ranges := []storage.Range{
		{Off: 400 * kib, Len: 10},                  // far away
		{Off: 0, Len: 10}, {Off: 4 * kib, Len: 10}, // neighbours
		{Off: 16 * kib, Len: 10},      // hole of two blocks, as wide as the gap
		{Off: 32 * kib, Len: 8 * kib}, // hole of three blocks
	}
	if err := c.Prefetch(context.Background(), ranges); err != nil {
		t.Fatal(err)
	}
	if s := tr.Stats(); s.Requests != 3 || s.Rounds != 1 || s.BytesFetched != (5+2+1)*4*kib {
		t.Errorf("stats %+v; want 3 requests in 1 round, 8 blocks; %v", s, requests(tr))
	}
	for _, r := range ranges {
		view(t, c, content, r.Off, int(r.Len))
		if !c.Contains(r.Off, r.Len) {
			t.Errorf("%v is not there after Prefetch", r)
		}
	}
	if s := tr.Stats(); s.Requests != 3 {
		t.Errorf("%d requests after reads of what was prefetched, want 3", s.Requests)
	}
}

func TestPrefetchKeepsToItsMemory(t *testing.T) {
	content := storagetest.Content(1000 * kib)
	o := small()
	o.Capacity = 256 * kib
	c, tr := traced(content, o)
	if err := c.Prefetch(context.Background(), []storage.Range{{Off: 0, Len: 1000 * kib}}); err != nil {
		t.Fatal(err)
	}
	if got := tr.Stats().BytesFetched; got == 0 || got > 128*kib {
		t.Errorf("%d bytes fetched, want some, at most half of the capacity", got)
	}
}

func TestEvictionIsByBytesAndByUse(t *testing.T) {
	content := storagetest.Content(1000 * kib)
	o := small()
	o.Capacity = 16 * kib // four blocks
	c, tr := traced(content, o)
	for _, b := range []int64{10, 20, 30, 40, 10, 50, 10, 20} {
		view(t, c, content, b*4*kib, 10)
	}
	// 50 evicts 20, not 10, which was used meanwhile.
	wantRequests(t, tr, [2]int64{10, 1}, [2]int64{20, 1}, [2]int64{30, 1}, [2]int64{40, 1}, [2]int64{50, 1}, [2]int64{20, 1})
}

func TestViewOutlivesEvictionAndClose(t *testing.T) {
	content := storagetest.Content(1000 * kib)
	o := small()
	o.Capacity = 8 * kib
	c, _ := traced(content, o)
	v := view(t, c, content, 100, 200)
	for b := range int64(50) {
		view(t, c, content, b*16*kib, 10)
	}
	c.Close()
	if !bytes.Equal(v, content[100:300]) {
		t.Error("View changed")
	}
}

func TestViewOfWhatLiesTogetherIsNotACopy(t *testing.T) {
	content := storagetest.Content(1000 * kib)
	c, _ := traced(content, small())
	a := view(t, c, content, 100*kib, 20*kib) // five blocks, one request
	b := view(t, c, content, 105*kib, 10*kib)
	if &a[5*kib] != &b[0] {
		t.Error("two views of the same bytes have different memory")
	}
	if w, ok := c.TryView(105*kib, 10); !ok || &w[0] != &b[0] {
		t.Error("TryView did not lend the bytes")
	}
	if _, ok := c.TryView(500*kib, 10); ok || c.Contains(500*kib, 10) {
		t.Error("claims to hold what was never read")
	}
	if _, ok := c.TryView(119*kib, 10*kib); ok {
		t.Error("lends bytes past the end of what was read")
	}
}

func TestPagesComeWhole(t *testing.T) {
	content := storagetest.Content(1000 * kib)
	c, tr := traced(content, small())
	c.SetPageSize(16 * kib)
	view(t, c, content, 41*kib, 10)
	wantRequests(t, tr, [2]int64{8, 4})
}

func TestCacheHitDoesNotAllocate(t *testing.T) {
	content := storagetest.Content(100 * kib)
	c, _ := traced(content, small())
	view(t, c, content, 1000, 100)
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() {
		if _, err := c.View(ctx, 1000, 100); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations a hit", n)
	}
}

// gate holds reads back until it is opened, and notes cancelled ones.
type gate struct {
	storage.Reader
	begun     chan struct{}
	open      chan struct{}
	cancelled chan struct{}
}

func newGate(content []byte) *gate {
	return &gate{memstore.New(content), make(chan struct{}, 100), make(chan struct{}), make(chan struct{}, 100)}
}

func (g *gate) ReadAt(ctx context.Context, p []byte, off int64) error {
	g.begun <- struct{}{}
	select {
	case <-g.open:
		return g.Reader.ReadAt(ctx, p, off)
	case <-ctx.Done():
		g.cancelled <- struct{}{}
		return ctx.Err()
	}
}

func TestOneFetchForAllWhoWait(t *testing.T) {
	content := storagetest.Content(100 * kib)
	g := newGate(content)
	c := blockcache.New(g, small())
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			v, err := c.View(context.Background(), 5000, 100)
			if err != nil || !bytes.Equal(v, content[5000:5100]) {
				t.Errorf("View: %v", err)
			}
		})
	}
	<-g.begun
	time.Sleep(10 * time.Millisecond)
	close(g.open)
	wg.Wait()
	if n := len(g.begun); n != 0 {
		t.Errorf("%d further reads", n)
	}
}

func TestFetchSurvivesTheCancelOfOneWaiter(t *testing.T) {
	content := storagetest.Content(100 * kib)
	g := newGate(content)
	c := blockcache.New(g, small())
	ctx, cancel := context.WithCancel(context.Background())
	first, second := make(chan error), make(chan error)
	read := func(ctx context.Context, done chan error) {
		_, err := c.View(ctx, 5000, 100)
		done <- err
	}
	go read(ctx, first)
	<-g.begun
	go read(context.Background(), second)
	for c.Stats().BlockMisses < 2 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("first waiter: %v, want context.Canceled", err)
	}
	close(g.open)
	if err := <-second; err != nil {
		t.Errorf("second waiter: %v", err)
	}
	if len(g.cancelled) != 0 {
		t.Error("the fetch was cancelled")
	}
}

func TestFetchNobodyWaitsForIsCancelled(t *testing.T) {
	content := storagetest.Content(100 * kib)
	g := newGate(content)
	c := blockcache.New(g, small())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- c.Prefetch(ctx, []storage.Range{{Off: 5000, Len: 100}, {Off: 90_000, Len: 10}}) }()
	<-g.begun
	<-g.begun
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Prefetch: %v, want context.Canceled", err)
	}
	<-g.cancelled
	<-g.cancelled
	close(g.open)
	view(t, c, content, 5000, 100) // a later caller starts anew
}

func TestFailureReachesAllWaitersAndIsNotKept(t *testing.T) {
	content := storagetest.Content(100 * kib)
	faulty := storagetest.Faulty(memstore.New(content), storagetest.Faults{FailEvery: 1})
	c := blockcache.New(faulty, small())
	for range 3 {
		if _, err := c.View(context.Background(), 5000, 100); !errors.Is(err, storage.ErrUnavailable) {
			t.Errorf("View of a failing store: %v, want ErrUnavailable", err)
		}
	}
	if s := c.Stats(); s.BlockHits != 0 {
		t.Errorf("%d hits of blocks that could not be read", s.BlockHits)
	}
}

func TestPanicOfAStoreIsAnError(t *testing.T) {
	c := blockcache.New(panicking{memstore.New(make([]byte, 10))}, small())
	if _, err := c.View(context.Background(), 1, 2); !errors.Is(err, storage.ErrInternal) {
		t.Errorf("View: %v, want ErrInternal", err)
	}
}

type panicking struct{ storage.Reader }

func (panicking) ReadAt(context.Context, []byte, int64) error { panic("no") }

// TestEqualsTheBytesOrAnError reads at random from many goroutines, some of
// which give up, through a cache that is too small over a store that is slow
// and fails.
func TestEqualsTheBytesOrAnError(t *testing.T) {
	content := storagetest.Content(600_001)
	for seed := range uint64(3) {
		faulty := storagetest.Faulty(memstore.New(content), storagetest.Faults{
			Seed: seed, FailEvery: 9, SlowEvery: 5, Delay: 200 * time.Microsecond, Pieces: 3000,
		})
		o := blockcache.Options{BlockSize: 2 * kib, WholeFile: -1, Gap: 4 * kib, MaxFetch: 32 * kib, Capacity: 128 * kib, Local: seed == 2}
		o.Head = content[:5*kib]
		c := blockcache.New(faulty, o)
		var wg sync.WaitGroup
		for g := range uint64(16) {
			wg.Go(func() {
				rnd := rand.New(rand.NewPCG(seed, g))
				for range 40 {
					readAtRandom(t, c, content, rnd)
				}
			})
		}
		wg.Wait()
		c.Close()
	}
}

func readAtRandom(t *testing.T, c *blockcache.Cache, content []byte, rnd *rand.Rand) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if rnd.IntN(5) == 0 {
		time.AfterFunc(time.Duration(rnd.IntN(300))*time.Microsecond, cancel)
	}
	off := rnd.IntN(len(content))
	n := rnd.IntN(min(len(content)-off, 1+rnd.IntN(100*kib)))
	var got []byte
	var err error
	switch rnd.IntN(4) {
	case 0:
		got, err = c.View(ctx, int64(off), n)
	case 1:
		got = make([]byte, n)
		err = c.ReadAt(ctx, got, int64(off))
	case 2:
		got = make([]byte, n)
		err = c.ReadRanges(ctx, []storage.Span{{Off: int64(off + n/2), P: got[n/2:]}, {Off: int64(off), P: got[:n/2]}})
	default:
		err = c.Prefetch(ctx, []storage.Range{{Off: int64(off), Len: int64(n)}, {Off: int64(n), Len: int64(off)}})
		got = content[off : off+n]
	}
	switch {
	case err == nil && !bytes.Equal(got, content[off:off+n]):
		t.Errorf("wrong bytes: %d at %d", n, off)
	case err != nil && !errors.Is(err, storage.ErrUnavailable) && !errors.Is(err, context.Canceled):
		t.Errorf("%d at %d: %v", n, off, err)
	}
}

func BenchmarkViewHit(b *testing.B) {
	content := storagetest.Content(1000 * kib)
	c, _ := traced(content, blockcache.Options{})
	ctx := context.Background()
	if _, err := c.View(ctx, 0, len(content)); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.View(ctx, 70_000, 100); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLocalMiss(b *testing.B) {
	content := storagetest.Content(1000 * kib)
	r := memstore.New(content)
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		c := blockcache.New(r, blockcache.Options{Local: true})
		if _, err := c.View(ctx, 70_000, 100); err != nil {
			b.Fatal(err)
		}
	}
}
