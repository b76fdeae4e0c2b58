package exec

import (
	"container/list"
	"context"
	"sync"
)

// ChunkCache keeps decoded chunks of files, in the form of the file. It is
// bounded by bytes and drops what was used longest ago. Values do not change
// while anyone holds them; the memory of a dropped chunk serves the next one of
// its size, so that a stream of misses touches no new pages.
type ChunkCache struct {
	limit int64

	mu      sync.Mutex
	entries map[chunkKey]*cacheEntry
	order   list.List // of *cacheEntry, the latest used in front
	used    int64

	lately map[chunkKey]bool // the keys in recent
	recent [recentChunks]chunkKey
	turn   int
}

// recentChunks is how many chunks decoded past the cache are remembered.
const recentChunks = 256

type chunkKey struct {
	file    uint64
	dataset uint64 // address of the object header
	ordinal uint64
}

type cacheEntry struct {
	key   chunkKey
	data  []byte
	place *list.Element
	users int           // who may look at data; guarded by the cache
	state cacheState    // guarded by the cache
	ready chan struct{} // closed when loading ends
}

type cacheState uint8

const (
	loading cacheState = iota
	loaded
	failed
)

// DefaultCacheBytes is the size of a file's cache of decoded chunks.
const DefaultCacheBytes = 64 << 20

// NewChunkCache makes a cache of at most limit bytes.
func NewChunkCache(limit int64) *ChunkCache {
	return &ChunkCache{limit: limit, entries: map[chunkKey]*cacheEntry{}, lately: map[chunkKey]bool{}}
}

// has reports whether a chunk is there.
func (c *ChunkCache) has(k chunkKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[k]
	return e != nil && e.state == loaded
}

// get is the entry of a chunk, to be released, or nil.
func (c *ChunkCache) get(k chunkKey) *cacheEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[k]
	if e == nil || e.state != loaded {
		return nil
	}
	c.order.MoveToFront(e.place)
	e.users++
	return e
}

// acquire is the entry of a chunk of n bytes, to be released. If load is true
// the caller has to write its data and then call loaded. The entry is nil if
// the chunk does not fit beside what is in use.
func (c *ChunkCache) acquire(ctx context.Context, k chunkKey, n int) (e *cacheEntry, load bool, err error) {
	for {
		c.mu.Lock()
		e = c.entries[k]
		if e == nil {
			e = c.insert(k, n)
			c.mu.Unlock()
			return e, e != nil, nil
		}
		if e.state == loaded {
			c.order.MoveToFront(e.place)
			e.users++
			c.mu.Unlock()
			return e, false, nil
		}
		ready := e.ready
		c.mu.Unlock()
		select {
		case <-ready: // look again: the other may have failed, or was cancelled
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// again reports whether a chunk was asked about lately, and remembers that it was.
func (c *ChunkCache) again(k chunkKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lately[k] {
		return true
	}
	delete(c.lately, c.recent[c.turn])
	c.recent[c.turn] = k
	c.lately[k] = true
	c.turn = (c.turn + 1) % recentChunks
	return false
}

// insert makes room and a new entry; nil if there is no room.
func (c *ChunkCache) insert(k chunkKey, n int) *cacheEntry {
	var data []byte
	for at := c.order.Back(); at != nil && c.used+int64(n) > c.limit; {
		e := at.Value.(*cacheEntry)
		at = at.Prev()
		if e.users > 0 {
			continue
		}
		c.remove(e)
		if len(e.data) == n {
			data = e.data
		}
	}
	if c.used+int64(n) > c.limit {
		return nil
	}
	if data == nil {
		data = make([]byte, n)
	}
	e := &cacheEntry{key: k, data: data, users: 1, ready: make(chan struct{})}
	e.place = c.order.PushFront(e)
	c.entries[k] = e
	c.used += int64(n)
	return e
}

func (c *ChunkCache) remove(e *cacheEntry) {
	c.order.Remove(e.place)
	delete(c.entries, e.key)
	c.used -= int64(len(e.data))
}

// loaded ends the loading of an entry; it is removed if that failed.
func (c *ChunkCache) loaded(e *cacheEntry, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.state = loaded
	if !ok {
		e.state = failed
		c.remove(e)
	}
	close(e.ready)
}

// release gives up the use of an entry's data.
func (c *ChunkCache) release(e *cacheEntry) {
	c.mu.Lock()
	e.users--
	c.mu.Unlock()
}
