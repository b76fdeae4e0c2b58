// Package blockcache keeps blocks of a Reader in memory, for metadata: small
// structures that lie scattered over a file or in runs.
//
// Blocks are small, so that a scattered structure costs few bytes, and misses
// that follow each other are answered with requests that double in length, so
// that a run costs few requests (readahead.go). The blocks of one request form
// an extent: one immutable piece of memory, the unit of eviction. A View
// inside one extent is lent without a copy and outlives eviction.
//
// A missing block is fetched once however many callers wait for it (flight.go).
package blockcache

import (
	"context"
	"math/bits"
	"sync"

	"clawh5/storage"
)

// Defaults of Options.
const (
	DefaultBlockSize = 64 << 10
	DefaultMaxFetch  = 4 << 20
	DefaultCapacity  = 64 << 20
	DefaultWholeFile = 4 << 20
	DefaultGap       = 256 << 10
)

// Options configures a Cache. Zero values mean the defaults.
type Options struct {
	BlockSize int64 // rounded up to a power of two
	MaxFetch  int64 // longest request
	Capacity  int64 // bytes kept
	WholeFile int64 // an object up to this size comes whole; negative: none
	Gap       int64 // holes up to this are fetched along when several ranges are asked for at once; negative: none

	// Head is the beginning of the object, where its owner has it already.
	Head []byte

	// Local says that a read costs little and does not wait for a network: it
	// is done by the caller's goroutine, and without read-ahead.
	Local bool
}

func orDefault(v *int64, def int64) {
	if *v == 0 {
		*v = def
	}
	*v = max(*v, 0)
}

func (o *Options) complete() {
	orDefault(&o.BlockSize, DefaultBlockSize)
	orDefault(&o.MaxFetch, DefaultMaxFetch)
	orDefault(&o.Capacity, DefaultCapacity)
	orDefault(&o.WholeFile, DefaultWholeFile)
	if o.Local && o.Gap == 0 {
		o.Gap = -1 // a further read costs less than the bytes of a hole
	}
	orDefault(&o.Gap, DefaultGap)
	const smallest, largest = 1 << 9, 1 << 26
	o.BlockSize = min(max(o.BlockSize, smallest), largest)
	o.BlockSize = 1 << bits.Len64(uint64(o.BlockSize-1))
	o.MaxFetch = max(min(o.MaxFetch, o.Capacity/4), o.BlockSize)
}

// Cache is a Reader, RangeReader, Viewer and Prefetcher of another Reader.
type Cache struct {
	inner storage.Reader
	size  int64
	o     Options
	shift uint
	lone  int64 // blocks fetched for a miss that stands alone

	mu      sync.Mutex
	blocks  map[int64]*extent // by block number
	flights map[int64]*flight // by block number
	lru     extent            // ring: lru.next is the latest used
	used    int64
	streams streams
	align   int64 // blocks; fetches are rounded out to multiples of it
	stats   storage.Stats
}

// New makes a Cache of r, which it closes with itself.
func New(r storage.Reader, o Options) *Cache {
	o.complete()
	c := &Cache{
		inner: r, size: r.Size(), o: o, shift: uint(bits.TrailingZeros64(uint64(o.BlockSize))),
		lone:   o.loneWindow(r.Size()),
		blocks: map[int64]*extent{}, flights: map[int64]*flight{}, align: 1,
	}
	c.o.Head = nil
	c.lru.prev, c.lru.next = &c.lru, &c.lru
	head := o.Head
	if int64(len(head)) < c.size {
		head = head[:int64(len(head))&^(o.BlockSize-1)]
	}
	if len(head) > 0 {
		c.insert(&extent{bytes: head})
		c.streams.note(c.blockOf(int64(len(head))), max(1, min(int64(len(head)), o.MaxFetch)>>c.shift))
	}
	return c
}

func (c *Cache) blockOf(off int64) int64 { return off >> c.shift }

// blockCount is the number of blocks of the object.
func (c *Cache) blockCount() int64 { return (c.size + c.o.BlockSize - 1) >> c.shift }

// View implements storage.Viewer. There is no copy where the bytes lie in one
// extent, which they do when they were fetched together.
func (c *Cache) View(ctx context.Context, off int64, n int) ([]byte, error) {
	if v, ok := c.tryView(off, int64(n), true); ok {
		return v, nil
	}
	if err := c.check(ctx, off, int64(n)); err != nil || n == 0 {
		return []byte{}, err
	}
	if c.tooLarge(int64(n)) {
		p := make([]byte, n)
		return p, c.readThrough(ctx, []storage.Span{{Off: off, P: p}})
	}
	held, err := c.load(ctx, []storage.Range{{Off: off, Len: int64(n)}}, demand)
	if err != nil {
		return nil, err
	}
	if e := held[0]; e.holds(off, int64(n)) {
		return e.slice(off, int64(n)), nil
	}
	p := make([]byte, n)
	held.copyTo(p, off)
	return p, nil
}

// TryView is View where that needs neither a fetch nor a copy.
func (c *Cache) TryView(off int64, n int) ([]byte, bool) {
	return c.tryView(off, int64(n), false)
}

func (c *Cache) tryView(off, n int64, count bool) ([]byte, bool) {
	if off < 0 || n <= 0 {
		return nil, false
	}
	c.mu.Lock()
	e := c.blocks[c.blockOf(off)]
	if e == nil || !e.holds(off, n) {
		c.mu.Unlock()
		return nil, false
	}
	c.touch(e)
	c.stats.BlockHits++
	if count {
		c.stats.BytesAsked += n
	}
	c.mu.Unlock()
	return e.slice(off, n), true
}

// Contains reports whether a read of the range would need no fetch now.
func (c *Cache) Contains(off, n int64) bool {
	if storage.CheckRange("", c.size, off, n) != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for end := off + n; off < end; {
		e := c.blocks[c.blockOf(off)]
		if e == nil {
			return false
		}
		off = e.end()
	}
	return true
}

// ReadAt implements storage.Reader.
func (c *Cache) ReadAt(ctx context.Context, p []byte, off int64) error {
	if v, ok := c.tryView(off, int64(len(p)), true); ok {
		copy(p, v)
		return nil
	}
	return c.ReadRanges(ctx, []storage.Span{{Off: off, P: p}})
}

// ReadRanges implements storage.RangeReader.
func (c *Cache) ReadRanges(ctx context.Context, spans []storage.Span) error {
	ranges := make([]storage.Range, len(spans))
	var total int64
	for i, s := range spans {
		ranges[i] = storage.Range{Off: s.Off, Len: int64(len(s.P))}
		if err := c.check(ctx, s.Off, ranges[i].Len); err != nil {
			return err
		}
		total += ranges[i].Len
	}
	if c.tooLarge(total) {
		return c.readThrough(ctx, spans)
	}
	held, err := c.load(ctx, ranges, demand)
	if err != nil {
		return err
	}
	for _, s := range spans {
		held.copyTo(s.P, s.Off)
	}
	return nil
}

// Prefetch implements storage.Prefetcher. It loads at most half of the
// capacity.
func (c *Cache) Prefetch(ctx context.Context, ranges []storage.Range) error {
	var chosen []storage.Range
	for _, r := range ranges {
		if r.Off >= 0 && r.Len > 0 && r.Off < c.size {
			chosen = append(chosen, storage.Range{Off: r.Off, Len: min(r.Len, c.size-r.Off)})
		}
	}
	_, err := c.load(ctx, chosen, hint)
	return err
}

func (c *Cache) check(ctx context.Context, off, n int64) error {
	if err := storage.CheckRange("", c.size, off, n); err != nil {
		return err
	}
	return storage.ContextError(ctx, "", off, n)
}

// tooLarge reports that a read would sweep the cache: it goes past it.
func (c *Cache) tooLarge(n int64) bool { return n > c.o.Capacity/2 }

func (c *Cache) readThrough(ctx context.Context, spans []storage.Span) error {
	c.mu.Lock()
	for _, s := range spans {
		c.stats.BytesAsked += int64(len(s.P))
	}
	c.mu.Unlock()
	return storage.ReadRanges(ctx, c.inner, spans, parallelFetches)
}

// SetPageSize tells that the object is organised in pages of n bytes, as a
// file with paged aggregation: what is fetched is rounded out to whole pages.
func (c *Cache) SetPageSize(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.align = 1
	if n > c.o.BlockSize && n <= c.o.MaxFetch && n%c.o.BlockSize == 0 {
		c.align = n >> c.shift
	}
}

// Size implements storage.Reader.
func (c *Cache) Size() int64 { return c.size }

// Identity implements storage.Reader.
func (c *Cache) Identity() string { return c.inner.Identity() }

// Close closes the inner Reader. What is cached can still be read.
func (c *Cache) Close() error { return c.inner.Close() }

// Stats implements storage.StatsReporter: block hits and misses and bytes
// asked; requests are the business of what lies below.
func (c *Cache) Stats() storage.Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}
