package exec

import (
	"sync"

	"clawh5/core/internal/plan"
)

// batch is the bytes of a request that has arrived.
type batch struct {
	req  plan.Request
	buf  []byte // nil: its one job gets its bytes itself
	next int    // job that is not handed out; guarded by the queue
	left int    // jobs that are not finished; guarded by the queue
}

// queue hands the jobs of arrived batches to workers. It is bounded by the
// budget of the bytes in it, not by itself.
type queue struct {
	mu      sync.Mutex
	wake    sync.Cond
	batches []*batch
	ended   bool // nothing more arrives, or nothing more is wanted
	closed  bool
}

func newQueue() *queue {
	q := new(queue)
	q.wake.L = &q.mu
	return q
}

func (q *queue) put(b *batch) {
	q.mu.Lock()
	b.left = b.req.N
	q.batches = append(q.batches, b)
	q.mu.Unlock()
	if b.req.N == 1 {
		q.wake.Signal()
	} else {
		q.wake.Broadcast()
	}
}

// take waits for a job: the i-th of a batch. It is false when all are done or
// the queue was closed.
func (q *queue) take() (b *batch, i int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.batches) == 0 && !q.ended {
		q.wake.Wait()
	}
	if q.closed || len(q.batches) == 0 {
		return nil, 0, false
	}
	b = q.batches[0]
	i = b.next
	if b.next++; b.next == b.req.N {
		q.batches[0] = nil
		q.batches = q.batches[1:]
	}
	return b, i, true
}

// finish notes the end of a job and reports whether it was the batch's last.
func (q *queue) finish(b *batch) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	b.left--
	return b.left == 0
}

// end says that nothing more is put.
func (q *queue) end() {
	q.mu.Lock()
	q.ended = true
	q.mu.Unlock()
	q.wake.Broadcast()
}

// close also gives up what has not been taken.
func (q *queue) close() {
	q.mu.Lock()
	q.ended, q.closed = true, true
	q.mu.Unlock()
	q.wake.Broadcast()
}

// budget bounds the bytes that are fetched and not yet decoded.
type budget struct {
	mu     sync.Mutex
	wake   sync.Cond
	limit  int64
	used   int64
	peak   int64
	closed bool
}

func newBudget(limit int64) *budget {
	b := &budget{limit: limit}
	b.wake.L = &b.mu
	return b
}

// acquire waits until n bytes fit, or, for more than the limit, until nothing
// else is held. It is false when the budget was closed.
func (b *budget) acquire(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.used > 0 && b.used+n > b.limit && !b.closed {
		b.wake.Wait()
	}
	if b.closed {
		return false
	}
	b.used += n
	b.peak = max(b.peak, b.used)
	return true
}

func (b *budget) release(n int64) {
	b.mu.Lock()
	b.used -= n
	b.mu.Unlock()
	b.wake.Broadcast()
}

func (b *budget) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.wake.Broadcast()
}
