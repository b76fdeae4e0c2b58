package meta

import (
	"context"
	"errors"
	"sync"

	"clawh5/core/h5err"
)

// cache keeps decoded structures, the least recently used go first. Structures
// are small and many, so it counts bytes and locks once a look-up; loads run
// outside the lock.
type cache struct {
	mu      sync.Mutex
	limit   int64
	size    int64
	entries map[cacheKey]*cacheEntry
	loading map[cacheKey]*load
	// newest and oldest end a doubly linked list of the entries.
	newest, oldest *cacheEntry
}

type cacheKey struct {
	addr uint64
	kind string
}

type cacheEntry struct {
	key          cacheKey
	value        any // of the one type that kind stands for
	cost         int64
	newer, older *cacheEntry
}

// load is a structure being loaded, by the caller that missed it first.
type load struct {
	done  chan struct{}
	value any
	err   error
}

// entryOverhead is about what an entry costs beyond its value.
const entryOverhead = 160

var closed = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

var errLoadPanicked = h5err.New(h5err.Internal, "loading a structure panicked")

// Peek returns the structure of a kind at addr if it is in the cache.
func Peek[T any](f *File, addr uint64, kind string) (T, bool) {
	c := &f.cache
	c.mu.Lock()
	e := c.entries[cacheKey{addr, kind}]
	if e != nil {
		c.touch(e)
	}
	c.mu.Unlock()
	if e == nil {
		var zero T
		return zero, false
	}
	v, ok := e.value.(T)
	return v, ok
}

// Cached returns the structure of a kind at addr from the cache, or loads it:
// once, however many callers ask. One kind is one type. The value is shared and
// must not change. Errors are not kept, and a caller whose context ends fails
// alone: one of those who wait loads again.
//
// A load must not ask for a structure that could in turn ask for this one.
func Cached[T any](ctx context.Context, f *File, addr uint64, kind string, cost func(T) int64,
	loadValue func(context.Context) (T, error)) (T, error) {
	var zero T
	c, key := &f.cache, cacheKey{addr, kind}
	for {
		if v, ok := Peek[T](f, addr, kind); ok {
			return v, nil
		}
		l, mine := c.begin(key)
		if mine {
			var v T
			err := error(errLoadPanicked)
			func() {
				// Also after a panic, so that no waiter hangs.
				defer func() { c.finish(key, l, v, func() int64 { return cost(v) }, err) }()
				v, err = loadValue(ctx)
			}()
			return v, err
		}
		select {
		case <-ctx.Done():
			return zero, StorageError(ctx.Err(), kind, f.Offset(addr))
		case <-l.done:
		}
		if l.err == nil {
			v, _ := l.value.(T)
			return v, nil
		}
		if !endedByContext(l.err) {
			return zero, l.err
		}
	}
}

func endedByContext(err error) bool {
	return errors.Is(err, h5err.Cancelled) || errors.Is(err, h5err.Timeout) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// begin returns the load of key and whether it is the caller's to do.
func (c *cache) begin(key cacheKey) (*load, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil { // came since the caller looked
		return &load{done: closed, value: e.value}, false
	}
	if l := c.loading[key]; l != nil {
		return l, false
	}
	if c.loading == nil {
		c.loading = make(map[cacheKey]*load)
		c.entries = make(map[cacheKey]*cacheEntry)
	}
	l := &load{done: make(chan struct{})}
	c.loading[key] = l
	return l, true
}

func (c *cache) finish(key cacheKey, l *load, value any, cost func() int64, err error) {
	l.value, l.err = value, err
	c.mu.Lock()
	delete(c.loading, key)
	if err == nil {
		c.insert(&cacheEntry{key: key, value: value, cost: cost() + entryOverhead})
	}
	c.mu.Unlock()
	close(l.done)
}

func (c *cache) insert(e *cacheEntry) {
	if e.cost > c.limit {
		return
	}
	if old := c.entries[e.key]; old != nil {
		c.remove(old)
	}
	c.entries[e.key] = e
	c.push(e)
	c.size += e.cost
	for c.size > c.limit {
		c.remove(c.oldest)
	}
}

func (c *cache) remove(e *cacheEntry) {
	delete(c.entries, e.key)
	c.unlink(e)
	c.size -= e.cost
}

func (c *cache) touch(e *cacheEntry) {
	if c.newest != e {
		c.unlink(e)
		c.push(e)
	}
}

func (c *cache) push(e *cacheEntry) {
	e.older, e.newer = c.newest, nil
	if c.newest != nil {
		c.newest.newer = e
	} else {
		c.oldest = e
	}
	c.newest = e
}

func (c *cache) unlink(e *cacheEntry) {
	if e.newer != nil {
		e.newer.older = e.older
	} else {
		c.newest = e.older
	}
	if e.older != nil {
		e.older.newer = e.newer
	} else {
		c.oldest = e.newer
	}
}
