package tracestore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"clawh5/storage"
	"clawh5/storage/memstore"
	"clawh5/storage/storagetest"
	"clawh5/storage/tracestore"
)

func TestSuite(t *testing.T) {
	storagetest.Run(t, func(t *testing.T, content []byte) storage.Reader {
		return tracestore.New(memstore.New(content), 5)
	})
}

// gated is a Reader whose reads return when they are told to.
type gated struct {
	storage.Reader
	begun, release chan int64
}

func (g gated) ReadAt(ctx context.Context, p []byte, off int64) error {
	g.begun <- off
	for o := range g.release {
		if o == off {
			return nil
		}
		g.release <- o
	}
	return errors.New("gate closed")
}

func newGated() gated {
	return gated{memstore.New(make([]byte, 100)), make(chan int64), make(chan int64, 100)}
}

func TestRoundsAreTheLongestChain(t *testing.T) {
	g := newGated()
	tr := tracestore.New(g, 0)
	done := make(chan struct{}, 10)
	begin := func(off int64) {
		go func() {
			tr.ReadAt(context.Background(), make([]byte, 10), off)
			done <- struct{}{}
		}()
		<-g.begun
	}
	end := func(off int64) { g.release <- off; <-done }

	// 0 spans everything; 1 and 2 overlap; 3 follows 1; 4 follows 3.
	begin(0)
	begin(1)
	begin(2)
	end(1)
	begin(3)
	end(2)
	end(3)
	begin(4)
	end(4)
	end(0)
	if s := tr.Stats(); s.Rounds != 3 || s.Requests != 5 || s.BytesFetched != 50 {
		t.Errorf("stats %+v, want 5 requests of 10 bytes in 3 rounds", s)
	}
	rounds := map[int64]int64{}
	for _, r := range tr.Requests() {
		rounds[r.Off] = r.Round
		if r.End < r.Start {
			t.Errorf("request %+v ends before it starts", r)
		}
	}
	for off, want := range map[int64]int64{0: 1, 1: 1, 2: 1, 3: 2, 4: 3} {
		if rounds[off] != want {
			t.Errorf("request %d is in round %d, want %d", off, rounds[off], want)
		}
	}
}

func TestBatchIsOneRound(t *testing.T) {
	tr := tracestore.New(storagetest.Faulty(memstore.New(make([]byte, 100)), storagetest.Faults{SlowEvery: 1}), 0)
	spans := make([]storage.Span, 7)
	for i := range spans {
		spans[i] = storage.Span{Off: int64(i), P: make([]byte, 3)}
	}
	for range 2 {
		if err := tr.ReadRanges(context.Background(), spans); err != nil {
			t.Fatal(err)
		}
	}
	s := tr.Stats()
	if s.Rounds != 2 || s.Requests != 14 || s.Waiting <= 0 {
		t.Errorf("stats %+v, want 14 requests in 2 rounds, with time", s)
	}
}

func TestFailedRequestsCountWithoutBytes(t *testing.T) {
	tr := tracestore.New(memstore.New(make([]byte, 10)), 0)
	err := tr.ReadAt(context.Background(), make([]byte, 5), 8)
	s, log := tr.Stats(), tr.Requests()
	if err == nil || s.Requests != 1 || s.BytesFetched != 0 || len(log) != 1 || !errors.Is(log[0].Err, storage.ErrOutOfRange) {
		t.Errorf("err %v, stats %+v, log %v", err, s, log)
	}
}

func TestLogIsBoundedAndResetForgets(t *testing.T) {
	tr := tracestore.New(memstore.New(make([]byte, 10)), 3)
	tr.Record(0, 10, time.Now())
	for range 5 {
		tr.ReadAt(context.Background(), make([]byte, 1), 0)
	}
	if s := tr.Stats(); s.Requests != 6 || s.Rounds != 6 || len(tr.Requests()) != 3 {
		t.Errorf("stats %+v, %d in the log; want 6 requests, 3 in the log", s, len(tr.Requests()))
	}
	tr.Reset()
	if s := tr.Stats(); s != (storage.Stats{}) || len(tr.Requests()) != 0 {
		t.Errorf("after Reset: %+v", s)
	}
}
