// Package exec runs plans: it fetches what a plan names, undoes filters,
// converts, and scatters into the caller's buffer. It is the only package that
// reads raw data.
//
// On a local store every worker reads its own chunk and decodes it where it is
// wanted, or into scratch that stays with the worker. On a remote store requests
// are merged and in flight together, bounded by number and by bytes, and workers
// decode what has arrived.
//
//	plan ─ feed ─┬ worker: read, decode, place        local, one a core
//	             └ worker …
//	plan ─ requests ─ fetches in flight ─ queue ─ workers: decode, place
//
// A read that needs no help (one chunk, a small slice) runs on the caller's
// goroutine and starts none.
package exec

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"clawh5/core/h5err"
	"clawh5/core/internal/convert"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/plan"
	"clawh5/storage"
)

// Options say how a plan is run. Zero fields mean the default.
type Options struct {
	Filters *filter.Pipeline   // of the chunks; may be nil if nothing is filtered
	Conv    convert.Conversion // file element to memory element; the zero value copies
	Fill    []byte             // one element in memory form for what is not stored; nil is zeros

	Workers     int   // goroutines that decode, GOMAXPROCS
	MaxInFlight int   // requests of a remote store, 16
	Budget      int64 // bytes held beside the destination, 64 MiB; one chunk may exceed it
	Cache       *ChunkCache
	File        uint64        // tells the chunks of files with one cache apart
	Done        *atomic.Int64 // is raised by the elements that are finished
}

// Stats are what a run did.
type Stats struct {
	Requests      int64 // reads of the store
	BytesFetched  int64
	BytesAsked    int64 // of those, bytes that hold something selected
	ChunksDecoded int64
	CacheHits     int64 // decoded chunks found
	CacheMisses   int64
	Waiting       time.Duration // summed over goroutines
	Decoding      time.Duration
}

func (s *Stats) add(t Stats) {
	s.Requests += t.Requests
	s.BytesFetched += t.BytesFetched
	s.BytesAsked += t.BytesAsked
	s.ChunksDecoded += t.ChunksDecoded
	s.CacheHits += t.CacheHits
	s.CacheMisses += t.CacheMisses
	s.Waiting += t.Waiting
	s.Decoding += t.Decoding
}

const (
	defaultInFlight = 16
	defaultBudget   = 64 << 20
)

// Run reads what p names into dst, whose first bytes are those of the result.
// When it returns, nothing touches dst any more; after an error its content is
// undefined.
func Run(ctx context.Context, p *plan.Plan, dst []byte, opt Options) (Stats, error) {
	var stats Stats
	for _, part := range p.Parts {
		r := run{ctx: ctx, part: part, elements: p.Elements, opt: opt}
		if err := r.begin(dst); err != nil {
			return stats, err
		}
		if p.Elements > 0 {
			r.run()
		}
		stats.add(r.stats)
		if r.err != nil {
			return stats, r.err
		}
	}
	return stats, nil
}

// run is the run of one part.
type run struct {
	ctx      context.Context
	cancel   context.CancelFunc // nil while nothing runs but the caller's goroutine
	part     *plan.Part
	elements int64
	dst      []byte
	bytes    int64 // of dst that the part is
	opt      Options

	in, out    int64 // bytes of an element in the file and in dst
	identity   bool
	inPlace    bool
	chunkBytes int64  // Chunks
	keep       bool   // decoded chunks go into the cache
	pattern    []byte // fill; nil is zeros

	feed  feed
	queue *queue  // of arrived bytes; nil unless requests are merged
	bound *budget // of the bytes in it

	failed atomic.Bool
	mu     sync.Mutex // guards err and stats
	err    error
	stats  Stats
}

// begin checks the options against the part.
func (r *run) begin(dst []byte) error {
	p, o := r.part, &r.opt
	r.in, r.out = p.ElemSize, p.ElemSize
	r.identity = o.Conv.Run == nil || o.Conv.Identity
	if o.Conv.Run != nil {
		r.out = int64(o.Conv.DstSize)
		r.inPlace = o.Conv.InPlace && r.in == r.out
		if int64(o.Conv.SrcSize) != r.in || r.out <= 0 {
			return h5err.New(h5err.Internal, fmt.Sprintf("conversion from %d to %d bytes for elements of %d", o.Conv.SrcSize, r.out, r.in))
		}
	}
	if r.elements > int64(len(dst))/r.out {
		return h5err.New(h5err.Space, fmt.Sprintf("%d bytes for %d elements of %d bytes", len(dst), r.elements, r.out))
	}
	r.dst, r.bytes = dst, r.elements*r.out
	if !p.Placed {
		r.dst = dst[:r.bytes]
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.MaxInFlight <= 0 {
		o.MaxInFlight = defaultInFlight
	}
	if o.Budget <= 0 {
		o.Budget = defaultBudget
	}
	if p.Kind == plan.Fill || p.Missing > 0 {
		if o.Fill != nil && int64(len(o.Fill)) != r.out {
			return h5err.New(h5err.Internal, fmt.Sprintf("fill value of %d bytes for elements of %d", len(o.Fill), r.out))
		}
		r.pattern = fillPattern(o.Fill)
	}
	if p.Kind == plan.Chunks {
		r.chunkBytes = p.Grid.Volume() * r.in
		if p.Filtered && int64(int(r.chunkBytes)) != r.chunkBytes {
			return h5err.New(h5err.Limit, fmt.Sprintf("a chunk of %d bytes on a 32-bit platform", r.chunkBytes))
		}
		if p.Filtered && o.Filters == nil {
			return h5err.New(h5err.Internal, "no pipeline for filtered chunks")
		}
		r.keep = p.Filtered && o.Cache != nil && int64(len(p.Jobs)) <= o.Cache.limit/r.chunkBytes
	}
	r.feed.begin(r)
	return nil
}

// run runs the part on as many goroutines as it is worth.
func (r *run) run() {
	n := r.workers()
	remoteChunks := r.part.Kind == plan.Chunks && r.part.Remote && len(r.part.Jobs) > 1
	if n == 1 && !remoteChunks {
		r.work((*worker).drain)
		return
	}
	r.ctx, r.cancel = context.WithCancel(r.ctx)
	defer r.cancel()
	if remoteChunks {
		r.fetchAll(n)
		return
	}
	r.parallel(n, (*worker).drain)
}

// parallel runs f on n workers and waits for them.
func (r *run) parallel(n int, f func(*worker) error) {
	var wg sync.WaitGroup
	for range n - 1 {
		wg.Go(func() { r.work(f) })
	}
	r.work(f)
	wg.Wait()
}

// work runs f on a worker of the pool. It recovers panics.
func (r *run) work(f func(*worker) error) {
	w := workers.Get().(*worker)
	defer func() {
		if v := recover(); v != nil {
			r.fail(fmt.Errorf("%w: panic: %v\n%s", storage.ErrInternal, v, debug.Stack()))
			return // the worker's state is not to be trusted
		}
		w.retire()
	}()
	w.begin(r)
	if err := f(w); err != nil {
		r.fail(err)
	}
}

// fail keeps the first error and stops all goroutines of the run.
func (r *run) fail(err error) {
	var own *h5err.Error
	if !errors.As(err, &own) {
		err = storageError(err, "", h5err.NoOffset)
	}
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	r.mu.Unlock()
	r.failed.Store(true)
	if r.cancel != nil {
		r.cancel()
	}
	if r.queue != nil {
		r.queue.close()
		r.bound.close()
	}
}

// stopped is the reason for which a goroutine of the run should end.
func (r *run) stopped() error {
	if r.failed.Load() {
		return context.Canceled // not the first error: that one is kept
	}
	return r.ctx.Err()
}

// smallBytes is how much of the destination is not worth a second goroutine.
const smallBytes = 256 << 10

// workers is the number of goroutines that the part is worth.
func (r *run) workers() int {
	p := r.part
	most := int64(r.opt.Workers)
	var units int64
	switch p.Kind {
	case plan.Fill:
		units = int64(len(r.dst))/fillBlock + 1
	case plan.Memory:
		units = 1
	case plan.Tiles:
		units = p.Grid.Touched()
		if p.Remote {
			most = min(int64(r.opt.MaxInFlight), max(1, r.opt.Budget/storage.MergeMax))
		} else if r.bytes <= smallBytes/8 {
			most = 1
		}
	case plan.Chunks:
		units = int64(len(p.Jobs)) + p.Missing
		switch {
		case units == 1:
		case !p.Filtered && r.bytes <= smallBytes, r.allCached():
			most = 1
		case p.Filtered:
			// Stored bytes, decoded bytes, and what lies between two filters.
			most = min(most, max(1, r.opt.Budget/(3*r.chunkBytes)))
		}
	}
	return int(max(1, min(most, units)))
}

// fewCached is how many chunks are looked for before goroutines are started.
const fewCached = 16

func (r *run) allCached() bool {
	if !r.keep || len(r.part.Jobs) > fewCached {
		return false
	}
	for i := range r.part.Jobs {
		if !r.opt.Cache.has(r.key(&r.part.Jobs[i])) {
			return false
		}
	}
	return true
}

func (r *run) key(j *plan.Job) chunkKey { return chunkKey{r.opt.File, r.part.Address, j.Ordinal} }
