package blockcache

import (
	"cmp"
	"slices"
	"sort"
)

// extent is the memory of a run of blocks.
type extent struct {
	off        int64
	bytes      []byte
	prev, next *extent
}

func (e *extent) end() int64 { return e.off + int64(len(e.bytes)) }

func (e *extent) holds(off, n int64) bool { return off >= e.off && n <= e.end()-off }

func (e *extent) slice(off, n int64) []byte {
	i := off - e.off
	return e.bytes[i : i+n : i+n]
}

// held are the extents of a load, by offset. They cover what was asked for
// also when the cache has evicted them meanwhile.
type held []*extent

func (h held) copyTo(p []byte, off int64) {
	i := sort.Search(len(h), func(i int) bool { return h[i].end() > off })
	for ; len(p) > 0; i++ {
		n := copy(p, h[i].bytes[off-h[i].off:])
		p, off = p[n:], off+int64(n)
	}
}

func (h held) sorted() held {
	slices.SortFunc(h, func(a, b *extent) int { return cmp.Compare(a.off, b.off) })
	return slices.Compact(h)
}

// insert takes e into the cache and evicts what was used least lately. No
// block of e may be in the cache.
func (c *Cache) insert(e *extent) {
	for b := c.blockOf(e.off); b<<c.shift < e.end(); b++ {
		c.blocks[b] = e
	}
	c.pushFront(e)
	c.used += int64(len(e.bytes))
	for c.used > c.o.Capacity && c.lru.prev != e {
		c.evict(c.lru.prev)
	}
}

func (c *Cache) evict(e *extent) {
	for b := c.blockOf(e.off); b<<c.shift < e.end(); b++ {
		delete(c.blocks, b)
	}
	e.unlink()
	c.used -= int64(len(e.bytes))
}

// touch makes e the latest used.
func (c *Cache) touch(e *extent) {
	if c.lru.next != e && e.next != nil {
		e.unlink()
		c.pushFront(e)
	}
}

func (c *Cache) pushFront(e *extent) {
	e.prev, e.next = &c.lru, c.lru.next
	e.prev.next, e.next.prev = e, e
}

func (e *extent) unlink() {
	e.prev.next, e.next.prev = e.next, e.prev
	e.prev, e.next = nil, nil
}
