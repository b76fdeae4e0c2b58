package storage

import "time"

// Stats counts what a store did since it was opened.
type Stats struct {
	Requests     int64         // reads that reached the underlying store
	BytesFetched int64         // bytes those delivered
	BytesAsked   int64         // bytes that callers asked for
	Retries      int64         // requests repeated after a failure
	Rounds       int64         // longest chain of requests each begun after the previous had ended
	BlockHits    int64         // blocks found in the cache
	BlockMisses  int64         // blocks that had to be fetched or waited for
	Waiting      time.Duration // time during which at least one request was under way
}

// StatsReporter is a Reader that counts.
type StatsReporter interface {
	Stats() Stats
}

// Add returns the counts of two stores that were read one after the other.
func (s Stats) Add(t Stats) Stats {
	return Stats{
		Requests:     s.Requests + t.Requests,
		BytesFetched: s.BytesFetched + t.BytesFetched,
		BytesAsked:   s.BytesAsked + t.BytesAsked,
		Retries:      s.Retries + t.Retries,
		Rounds:       s.Rounds + t.Rounds,
		BlockHits:    s.BlockHits + t.BlockHits,
		BlockMisses:  s.BlockMisses + t.BlockMisses,
		Waiting:      s.Waiting + t.Waiting,
	}
}

// Sub returns what was counted since before, an earlier value of the same
// counters. Rounds of the difference are right where no request was under way
// at that time.
func (s Stats) Sub(before Stats) Stats {
	return Stats{
		Requests:     s.Requests - before.Requests,
		BytesFetched: s.BytesFetched - before.BytesFetched,
		BytesAsked:   s.BytesAsked - before.BytesAsked,
		Retries:      s.Retries - before.Retries,
		Rounds:       s.Rounds - before.Rounds,
		BlockHits:    s.BlockHits - before.BlockHits,
		BlockMisses:  s.BlockMisses - before.BlockMisses,
		Waiting:      s.Waiting - before.Waiting,
	}
}
