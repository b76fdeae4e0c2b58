package exec

import (
	"context"
	"math"
	"math/bits"
	"sync"

	"clawh5/core/h5err"
	"clawh5/core/internal/plan"
	"clawh5/storage"
)

// shortRequest is the mean length below which twice as many requests are in
// flight: they are bound by the round trip, not by the line.
const shortRequest = 1 << 20

// fetchAll reads the chunks of a remote part: merged requests in flight, n
// workers on what has arrived.
func (r *run) fetchAll(n int) {
	r.queue = newQueue()
	// What workers hold, and a little for what else goes on, is not for bytes
	// in flight.
	r.bound = newBudget(r.opt.Budget - min(r.opt.Budget/2, int64(n)*3*r.chunkBytes+r.opt.Budget/8))
	var wg sync.WaitGroup
	wg.Go(func() {
		defer r.queue.end()
		r.work((*worker).request)
	})
	r.parallel(n, (*worker).decodeArrived)
	wg.Wait()
	if r.failed.Load() || r.part.Missing == 0 {
		return
	}
	r.feed.skipJobs()
	r.parallel(n, (*worker).drain)
}

// request begins the requests one by one as the budget and the number in flight
// allow, and returns when all have ended.
func (w *worker) request() error {
	r := w.r
	var fetches sync.WaitGroup
	defer fetches.Wait()
	slots := make(chan struct{}, r.inFlight())
	return w.part.Requests(r.known, func(req plan.Request) error {
		if req.Held {
			r.queue.put(&batch{req: req})
			return nil
		}
		if !r.bound.acquire(req.Len) {
			return context.Canceled
		}
		select {
		case slots <- struct{}{}:
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
		fetches.Go(func() {
			defer func() { <-slots }()
			r.work(func(w *worker) error { return w.fetchRequest(req) })
		})
		return nil
	})
}

// inFlight is how many requests are made at once.
func (r *run) inFlight() int {
	var total int64
	n := 0
	_ = r.part.Requests(r.known, func(req plan.Request) error {
		if !req.Held {
			n++
			total += req.Len
		}
		return nil
	})
	if n > 0 && total/int64(n) < shortRequest {
		return 2 * r.opt.MaxInFlight
	}
	return r.opt.MaxInFlight
}

// known reports whether the values of a chunk lie in the cache.
func (r *run) known(j *plan.Job) bool {
	return r.opt.Cache != nil && r.part.Filtered && r.opt.Cache.has(r.key(j))
}

// fetchRequest fetches the bytes of a request and hands them over; if they
// belong together in dst as they are, it reads them there.
func (w *worker) fetchRequest(req plan.Request) error {
	r := w.r
	if req.Len > math.MaxInt {
		return h5err.At(h5err.Limit, "chunk", req.Off, "more bytes than a 32-bit platform can address")
	}
	dst, whole := w.directRequest(req)
	if !whole {
		dst = getBuffer(int(req.Len))
	}
	if err := w.readInto("chunk", dst, req.Off); err != nil {
		return err
	}
	if whole {
		w.convertInPlace(dst)
		r.bound.release(req.Len)
		w.stats.BytesAsked += req.Len
		if r.opt.Done != nil {
			r.opt.Done.Add(req.Len / r.in)
		}
		return nil
	}
	r.queue.put(&batch{req: req, buf: dst})
	return nil
}

// directRequest is the place in dst of a request whose jobs are unfiltered and
// follow each other there as they do in the file.
func (w *worker) directRequest(req plan.Request) ([]byte, bool) {
	r := w.r
	if r.part.Filtered || !r.identity && !r.inPlace {
		return nil, false
	}
	var at, first int64
	for i := range req.N {
		off, size, _ := w.open(w.part.InFileOrder(req.First + i))
		run, ok := w.window.Single()
		if !ok {
			return nil, false
		}
		out := run.Out * r.out
		if i == 0 {
			first = out
		}
		if off != req.Off+at || out != first+at {
			return nil, false
		}
		at += size
	}
	if at != req.Len {
		return nil, false
	}
	return r.dst[first : first+at], true
}

// open sets the window to a job's chunk and tells where its bytes lie.
func (w *worker) open(j *plan.Job) (off, size, skip int64) {
	w.part.Grid.Scaled(w.scaled, j.Ordinal)
	w.window.Set(w.part.Grid, w.scaled)
	return w.part.Stored(j, &w.window)
}

// decodeArrived does the jobs of the queue until it ends.
func (w *worker) decodeArrived() error {
	r := w.r
	for {
		b, i, ok := r.queue.take()
		if !ok {
			return nil
		}
		if err := r.stopped(); err != nil {
			return err
		}
		if err := w.arrived(b, w.part.InFileOrder(b.req.First+i)); err != nil {
			return err
		}
		if r.queue.finish(b) && b.buf != nil {
			putBuffer(b.buf)
			r.bound.release(b.req.Len)
		}
	}
}

// arrived places the values of a chunk whose bytes are in b.
func (w *worker) arrived(b *batch, j *plan.Job) error {
	off, size, skip := w.open(j)
	if b.buf == nil {
		return w.chunk(j)
	}
	stored := b.buf[off-b.req.Off:][:size:size]
	w.stats.BytesAsked += size
	if w.filtered(j) {
		return w.decodeChunk(j, stored)
	}
	if err := w.checkPlain(j); err != nil {
		return err
	}
	w.placeAll(stored, skip/w.r.in)
	return nil
}

// Buffers of arrived bytes are used again: a class for every power of two up to
// the length of a merged request.
const (
	smallestBuffer = 16 // log2
	largestBuffer  = 22
)

var buffers [largestBuffer + 1]sync.Pool

func _() { var _ [1]struct{} = [storage.MergeMax >> largestBuffer]struct{}{} }

func bufferClass(n int) int { return max(smallestBuffer, bits.Len(uint(n-1))) }

func getBuffer(n int) []byte {
	class := bufferClass(n)
	if n == 0 || class > largestBuffer {
		return make([]byte, n)
	}
	if b, ok := buffers[class].Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return make([]byte, n, 1<<class)
}

func putBuffer(b []byte) {
	class := bufferClass(cap(b))
	if cap(b) == 1<<class && class <= largestBuffer {
		buffers[class].Put(&b)
	}
}
