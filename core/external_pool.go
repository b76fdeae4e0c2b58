package core

import (
	"container/list"
	"context"
	"errors"
	"io"
	"sync"

	"clawh5/core/h5err"
)

// pool keeps open what other files refer to. It closes what was used longest
// ago and is in nobody's hands when more than its limit are open, and remembers
// what does not exist. It may be used from any number of goroutines.
type pool[T io.Closer] struct {
	limit int

	mu      sync.Mutex
	entries map[string]*pooled[T]
	order   list.List // of *pooled, the latest used in front
	missing map[string]error
}

// pooled is one thing of a pool; it is open for as long as it has users.
type pooled[T io.Closer] struct {
	value T
	key   string
	place *list.Element
	users int // guarded by the pool
	ready chan struct{}
	err   error // set before ready is closed
}

// maxMissing is how many names a pool remembers not to exist.
const maxMissing = 1 << 16

func newPool[T io.Closer](limit int) *pool[T] {
	return &pool[T]{limit: limit, entries: map[string]*pooled[T]{}, missing: map[string]error{}}
}

// acquire returns the thing of that key, to be released, and opens it if it is
// not open. One caller opens, the others wait.
func (p *pool[T]) acquire(ctx context.Context, key string, open func() (T, error)) (*pooled[T], error) {
	for {
		p.mu.Lock()
		if err := p.missing[key]; err != nil {
			p.mu.Unlock()
			return nil, err
		}
		e := p.entries[key]
		if e == nil {
			e = &pooled[T]{key: key, users: 1, ready: make(chan struct{})}
			e.place = p.order.PushFront(e)
			p.entries[key] = e
			p.mu.Unlock()
			return p.load(e, open)
		}
		e.users++
		p.order.MoveToFront(e.place)
		p.mu.Unlock()
		select {
		case <-e.ready:
		case <-ctx.Done():
			p.release(e)
			return nil, ctx.Err()
		}
		if e.err == nil {
			return e, nil
		}
		p.release(e)
		if !errors.Is(e.err, context.Canceled) && !errors.Is(e.err, context.DeadlineExceeded) {
			return nil, e.err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// Only the caller that opened it has given up.
	}
}

// load opens e, which others may wait for.
func (p *pool[T]) load(e *pooled[T], open func() (T, error)) (*pooled[T], error) {
	e.err = newError(h5err.Internal, "opening a file ended in a panic")
	defer func() {
		p.mu.Lock()
		if e.err != nil {
			p.forget(e)
			if errors.Is(e.err, h5err.NotFound) && len(p.missing) < maxMissing {
				p.missing[e.key] = e.err
			}
		}
		idle := p.surplus()
		p.mu.Unlock()
		close(e.ready)
		closeAll(idle)
	}()
	e.value, e.err = open()
	return e, e.err
}

func (p *pool[T]) forget(e *pooled[T]) {
	p.order.Remove(e.place)
	delete(p.entries, e.key)
}

// release gives up the use of e.
func (p *pool[T]) release(e *pooled[T]) {
	p.mu.Lock()
	e.users--
	idle := p.surplus()
	p.mu.Unlock()
	closeAll(idle)
}

// surplus takes out what has no users beyond the limit; the caller closes it.
func (p *pool[T]) surplus() []T {
	var idle []T
	for at := p.order.Back(); at != nil && len(p.entries) > p.limit; {
		e := at.Value.(*pooled[T])
		at = at.Prev()
		if e.users == 0 {
			p.forget(e)
			idle = append(idle, e.value)
		}
	}
	return idle
}

// each calls f with everything that is open.
func (p *pool[T]) each(f func(T)) {
	p.mu.Lock()
	var open []T
	for _, e := range p.entries {
		select {
		case <-e.ready:
			if e.err == nil {
				open = append(open, e.value)
			}
		default:
		}
	}
	p.mu.Unlock()
	for _, v := range open {
		f(v)
	}
}

// Close closes what nobody uses now, and what is in use or being opened when it
// is released.
func (p *pool[T]) Close() error {
	p.mu.Lock()
	p.limit = -1
	p.missing = map[string]error{}
	idle := p.surplus()
	p.mu.Unlock()
	return closeAll(idle)
}

func closeAll[T io.Closer](list []T) error {
	var err error
	for _, c := range list {
		err = errors.Join(err, c.Close())
	}
	return err
}
