// Package tracestore wraps a Reader and keeps account of what is asked of it:
// requests, bytes, rounds, time spent waiting, and a log of the requests.
//
// Rounds are what latency multiplies: the length of the longest chain of
// requests in which each began after the previous one had ended. Requests that
// overlap in time are one round however many they are, and so are those of a
// storage.Batch, which were issued together.
package tracestore

import (
	"context"
	"sync"
	"time"

	"clawh5/storage"
)

// DefaultLogSize is how many requests a Trace remembers.
const DefaultLogSize = 10000

// Request is one recorded read.
type Request struct {
	Off, Len   int64
	Start, End time.Duration // since the trace began
	Round      int64         // its place in the longest chain that leads to it, from 1
	Err        error
}

// Trace is a Reader that records the reads of another. It is a RangeReader:
// every span of a batch is a request that begins and ends with the batch,
// unless the inner Reader has no batches, where they are read in parallel.
type Trace struct {
	inner   storage.Reader
	logSize int
	epoch   time.Time

	mu       sync.Mutex
	stats    storage.Stats
	ended    int64 // highest round among the requests that have ended
	flying   int   // requests under way
	since    time.Time
	requests []Request
}

// New begins a trace of r that remembers up to logSize requests (0: the
// default, negative: none) and counts all of them.
func New(r storage.Reader, logSize int) *Trace {
	if logSize == 0 {
		logSize = DefaultLogSize
	}
	return &Trace{inner: r, logSize: logSize, epoch: time.Now()}
}

// ticket is a request that has begun.
type ticket struct {
	start time.Time
	round int64
}

func (t *Trace) begin(ctx context.Context, requests int) ticket {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.flying == 0 {
		t.since = now
	}
	t.flying += requests
	round := t.ended + 1
	if b := storage.BatchOf(ctx); b != nil && !b.Round.CompareAndSwap(0, round) {
		round = b.Round.Load()
	}
	return ticket{now, round}
}

func (t *Trace) end(k ticket, err error, spans ...storage.Range) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.flying -= len(spans); t.flying == 0 {
		t.stats.Waiting += now.Sub(t.since)
	}
	t.note(k, now, err, spans...)
}

func (t *Trace) note(k ticket, end time.Time, err error, spans ...storage.Range) {
	t.ended = max(t.ended, k.round)
	t.stats.Rounds = t.ended
	for _, s := range spans {
		t.stats.Requests++
		if err == nil {
			t.stats.BytesFetched += s.Len
		}
		if len(t.requests) < t.logSize {
			t.requests = append(t.requests, Request{s.Off, s.Len, k.start.Sub(t.epoch), end.Sub(t.epoch), k.round, err})
		}
	}
}

// Record adds a request that began at start, has just ended and did not go
// through t, as the one with which a store is opened.
func (t *Trace) Record(off, n int64, start time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if start.Before(t.epoch) {
		t.epoch = start
	}
	now := time.Now()
	t.stats.Waiting += now.Sub(start)
	t.note(ticket{start, t.ended + 1}, now, nil, storage.Range{Off: off, Len: n})
}

// ReadAt implements storage.Reader.
func (t *Trace) ReadAt(ctx context.Context, p []byte, off int64) error {
	k := t.begin(ctx, 1)
	err := t.inner.ReadAt(ctx, p, off)
	t.end(k, err, storage.Range{Off: off, Len: int64(len(p))})
	return err
}

// unbatchedParallel bounds the parallel reads of a batch where the inner
// Reader offers none.
const unbatchedParallel = 16

// ReadRanges implements storage.RangeReader.
func (t *Trace) ReadRanges(ctx context.Context, spans []storage.Span) error {
	rr, ok := t.inner.(storage.RangeReader)
	if !ok {
		return storage.Parallel(storage.WithBatch(ctx), len(spans), unbatchedParallel, func(ctx context.Context, i int) error {
			return t.ReadAt(ctx, spans[i].P, spans[i].Off)
		})
	}
	if len(spans) == 0 {
		return nil
	}
	k := t.begin(ctx, len(spans))
	err := rr.ReadRanges(ctx, spans)
	asked := make([]storage.Range, len(spans))
	for i, s := range spans {
		asked[i] = storage.Range{Off: s.Off, Len: int64(len(s.P))}
	}
	t.end(k, err, asked...)
	return err
}

// Size implements storage.Reader.
func (t *Trace) Size() int64 { return t.inner.Size() }

// Identity implements storage.Reader.
func (t *Trace) Identity() string { return t.inner.Identity() }

// Close closes the inner Reader.
func (t *Trace) Close() error { return t.inner.Close() }

// Stats implements storage.StatsReporter: what was counted here, and the
// retries that the inner Reader reports.
func (t *Trace) Stats() storage.Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.stats
	s.BytesAsked = s.BytesFetched
	if t.flying > 0 {
		s.Waiting += time.Since(t.since)
	}
	if in, ok := t.inner.(storage.StatsReporter); ok {
		s.Retries = in.Stats().Retries
	}
	return s
}

// Requests returns the recorded requests in the order in which they ended.
func (t *Trace) Requests() []Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Request(nil), t.requests...)
}

// Reset forgets what was counted and recorded; the retries of the inner Reader
// go on.
func (t *Trace) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats, t.ended, t.requests = storage.Stats{}, 0, nil
	t.epoch = time.Now()
	t.since = t.epoch
}
