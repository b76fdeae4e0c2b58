package object

import (
	"context"
	"errors"
	"sync"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/meta"
	"clawh5/storage"
	"clawh5/storage/memstore"
)

// roundStore counts the batches and the reads of bytes that no batch has named.
type roundStore struct {
	storage.Reader
	mu      sync.Mutex
	batches int
	known   map[int64]bool
	alone   int
}

func (s *roundStore) Prefetch(_ context.Context, ranges []storage.Range) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(ranges) > 0 {
		s.batches++
	}
	for _, r := range ranges {
		for i := range r.Len {
			s.known[r.Off+i] = true
		}
	}
	return nil
}

func (s *roundStore) ReadAt(ctx context.Context, p []byte, off int64) error {
	s.mu.Lock()
	for i := range p {
		if !s.known[off+int64(i)] {
			s.alone++
			break
		}
	}
	s.mu.Unlock()
	return s.Reader.ReadAt(ctx, p, off)
}

func openRounds(t *testing.T, p []byte) (*File, *roundStore) {
	t.Helper()
	s := &roundStore{Reader: memstore.New(p), known: map[int64]bool{}}
	m, err := meta.Open(ctx, s, meta.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(ctx, m, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s.batches, s.alone = 0, 0
	return f, s
}

func TestHeadersOfManyObjectsTakeOneBatchALevelOfContinuations(t *testing.T) {
	b := newBuilder()
	var addrs []uint64
	for range 50 {
		b.add(make([]byte, 1000)) // so that no read finds a neighbour by chance
		second := continuationV2(noData)
		secondAt := b.add(second)
		b.add(make([]byte, 1000))
		first := continuationV2(scalarSpace, continuation(secondAt, len(second)))
		firstAt := b.add(first)
		b.add(make([]byte, 1000))
		addrs = append(addrs, b.add(headerV2(0, int32Type, continuation(firstAt, len(first)))))
	}
	f, s := openRounds(t, b.file(addrs[0]))
	if err := f.PrefetchHeaders(ctx, addrs); err != nil {
		t.Fatal(err)
	}
	if s.batches != 3 || s.alone != 0 {
		t.Errorf("%d batches, %d reads beside them", s.batches, s.alone)
	}
	for _, addr := range addrs {
		if h, err := f.Header(ctx, addr); err != nil || len(h.Messages) != 3 {
			t.Errorf("%v, %v", h, err)
		}
	}
	if s.batches != 3 || s.alone != 0 {
		t.Errorf("the headers were not kept: %d batches, %d reads beside them", s.batches, s.alone)
	}
}

func TestPrefetchLeavesBadHeadersForLater(t *testing.T) {
	b := newBuilder()
	good := b.group()
	bad := b.add([]byte("OHDR what is this?"))
	loop := b.next()
	n := len(messagesV1([]msg{continuation(0, 0)}))
	b.add(messagesV1([]msg{continuation(loop, n)}))
	round := b.add(headerV1(1, 2, continuation(loop, n)))
	f, _ := openRounds(t, b.file(good))
	if err := f.PrefetchHeaders(ctx, []uint64{bad, good, 1 << 60, round, ^uint64(0)}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Header(ctx, good); err != nil {
		t.Error(err)
	}
	for _, addr := range []uint64{bad, round, 1 << 60} {
		if _, err := f.Header(ctx, addr); !errors.Is(err, h5err.Corrupt) && !errors.Is(err, h5err.Unsupported) {
			t.Errorf("at %d: %v", addr, err)
		}
	}
}

func TestContentsOfManyObjectsTakeOneBatch(t *testing.T) {
	f, s := openRounds(t, testFile(t, "dense.h5"))
	many := at(t, f, "/many")
	s.batches = 0
	if err := f.PrefetchContents(ctx, []*Header{many, at(t, f, "/target")}); err != nil || s.batches != 1 {
		t.Errorf("%d batches, %v", s.batches, err)
	}
	s.alone = 0
	if _, err := f.LinkCount(ctx, many); err != nil || s.alone != 0 {
		t.Errorf("%d reads beside the batch, %v", s.alone, err)
	}
}

func TestLookUpsInDenseGroupsAreNotListings(t *testing.T) {
	f, s := openRounds(t, testFile(t, "dense.h5"))
	many := at(t, f, "/many")
	s.alone = 0
	if _, err := f.Link(ctx, many, "link05"); err != nil {
		t.Fatal(err)
	}
	// Headers of heap and tree, at most one node a level, one heap block with
	// its indirect block.
	if s.alone > 6 {
		t.Errorf("%d reads for one link", s.alone)
	}
}
