package blockcache

import (
	"context"
	"slices"

	"clawh5/storage"
)

// flight is a fetch under way. It lives as long as one caller waits for it.
type flight struct {
	run     run
	ctx     context.Context
	cancel  context.CancelFunc
	waiters int           // guarded by Cache.mu
	done    chan struct{} // closed when extent or err is set
	extent  *extent
	err     error
}

// run is the blocks [first, end).
type run struct{ first, end int64 }

// purpose is why blocks are loaded.
type purpose int

const (
	demand purpose = iota // a caller waits for the bytes
	hint                  // a caller says that it will
)

// parallelFetches bounds the reads of one batch from a Reader that does not
// bound them itself.
const parallelFetches = 16

// load returns extents that cover all ranges, which lie inside the object.
// What is missing is fetched, neighbouring blocks by one request, different
// places in parallel.
func (c *Cache) load(ctx context.Context, ranges []storage.Range, why purpose) (held, error) {
	runs := c.toRuns(ranges)
	c.mu.Lock()
	if why == demand {
		for _, r := range ranges {
			c.stats.BytesAsked += r.Len
		}
	}
	have, joined, missing := c.sort(runs, why)
	var launched []*flight
	requests := c.shape(missing, why)
	if why == hint {
		requests = c.trim(requests)
	}
	if len(requests) > 1 {
		ctx = storage.WithBatch(ctx)
	}
	for _, m := range requests {
		launched = append(launched, c.prepare(ctx, m))
	}
	c.mu.Unlock()

	c.launch(launched)
	got, err := c.wait(ctx, append(joined, launched...))
	if err != nil {
		return nil, err
	}
	return append(have, got...).sorted(), nil
}

// toRuns rounds ranges out to blocks, sorted and disjoint.
func (c *Cache) toRuns(ranges []storage.Range) []run {
	rounded := make([]storage.Range, len(ranges))
	for i, r := range ranges {
		if r.Len > 0 {
			first := c.blockOf(r.Off)
			rounded[i] = storage.Range{Off: first, Len: c.blockOf(r.Off+r.Len-1) + 1 - first}
		}
	}
	merged := storage.MergeRanges(rounded, 0, c.blockCount())
	runs := make([]run, len(merged))
	for i, r := range merged {
		runs[i] = run{r.Off, r.Off + r.Len}
	}
	return runs
}

// sort tells apart what is cached, what is being fetched (which it joins) and
// what is missing.
func (c *Cache) sort(runs []run, why purpose) (have held, joined []*flight, missing []run) {
	for _, r := range runs {
		for b := r.first; b < r.end; {
			begin := b
			if e := c.blocks[b]; e != nil {
				have = append(have, e)
				c.touch(e)
				b = min(r.end, (e.end()+c.o.BlockSize-1)>>c.shift)
				if why == demand {
					c.stats.BlockHits += b - begin
				}
				continue
			}
			if f := c.flights[b]; f != nil {
				if !slices.Contains(joined, f) {
					f.waiters++
					joined = append(joined, f)
				}
				b = min(r.end, f.run.end)
			} else {
				for b < r.end && c.absent(b) {
					b++
				}
				missing = append(missing, run{begin, b})
			}
			c.stats.BlockMisses += b - begin
		}
	}
	return have, joined, missing
}

// absent reports that block b is neither cached nor being fetched.
func (c *Cache) absent(b int64) bool { return c.blocks[b] == nil && c.flights[b] == nil }

// absentFrom is the end of the absent blocks from b on, at most limit.
func (c *Cache) absentFrom(b, limit int64) int64 {
	for b < limit && c.absent(b) {
		b++
	}
	return b
}

// shape turns missing runs into requests: extended by read-ahead or to the
// whole object, joined over small holes, cut at the longest request.
func (c *Cache) shape(missing []run, why purpose) []run {
	var out []run
	most := c.o.MaxFetch >> c.shift
	gap := c.o.Gap >> c.shift
	for _, m := range missing {
		if len(out) > 0 && m.end <= out[len(out)-1].end {
			continue // the extension of an earlier one covers it
		}
		m = c.extend(m, why)
		if len(out) > 0 {
			last := &out[len(out)-1]
			m.first = max(m.first, last.end)
			hole := m.first - last.end
			if hole <= gap && m.end-last.first <= most && c.absentFrom(last.end, m.first) == m.first {
				last.end = m.end
				continue
			}
		}
		out = append(out, m)
	}
	return c.cut(out, most)
}

// trim leaves out what exceeds half of the capacity, so that what a hint loads
// is not evicted by the rest of it.
func (c *Cache) trim(runs []run) []run {
	budget := (c.o.Capacity / 2) >> c.shift
	for i, r := range runs {
		if budget -= r.end - r.first; budget < 0 {
			return runs[:i]
		}
	}
	return runs
}

// cut splits runs longer than most blocks.
func (c *Cache) cut(runs []run, most int64) []run {
	var out []run
	for _, r := range runs {
		for _, p := range storage.SplitRange(storage.Range{Off: r.first, Len: r.end - r.first}, most) {
			out = append(out, run{p.Off, p.Off + p.Len})
		}
	}
	return out
}

// extend lengthens a missing run over absent blocks.
func (c *Cache) extend(m run, why purpose) run {
	count := c.blockCount()
	if c.size <= c.o.WholeFile && !c.o.Local {
		for m.first > 0 && c.absent(m.first-1) {
			m.first--
		}
		m.end = c.absentFrom(m.end, count)
		return m
	}
	if c.align > 1 {
		for m.first%c.align != 0 && c.absent(m.first-1) {
			m.first--
		}
		m.end = c.absentFrom(m.end, min(count, (m.end+c.align-1)/c.align*c.align))
	}
	if c.o.Local || why == hint {
		return m
	}
	most := c.o.MaxFetch >> c.shift
	window := c.streams.ahead(m.first, c.lone, most)
	m.end = c.absentFrom(m.end, min(count, max(m.end, m.first+window)))
	c.streams.note(m.end, min(most, max(window, m.end-m.first)))
	return m
}

// prepare registers a fetch of m with one waiter.
func (c *Cache) prepare(ctx context.Context, m run) *flight {
	f := &flight{run: m, waiters: 1, done: make(chan struct{})}
	f.ctx, f.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for b := m.first; b < m.end; b++ {
		c.flights[b] = f
	}
	return f
}

// launch starts the fetches: by the caller's goroutine where that is cheap.
func (c *Cache) launch(fs []*flight) {
	if !c.o.Local {
		for _, f := range fs {
			go c.fly(f)
		}
		return
	}
	for _, f := range fs {
		c.fly(f)
	}
}

func (c *Cache) fly(f *flight) {
	off := f.run.first << c.shift
	e := &extent{off: off, bytes: make([]byte, min(f.run.end<<c.shift, c.size)-off)}
	err := storage.Protect(func() error { return c.inner.ReadAt(f.ctx, e.bytes, off) })
	f.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	f.extent, f.err = e, err
	if c.unregister(f) && err == nil {
		c.insert(e)
	}
	close(f.done)
}

// unregister takes f out of the table; false if it was not there any more.
func (c *Cache) unregister(f *flight) bool {
	if c.flights[f.run.first] != f {
		return false
	}
	for b := f.run.first; b < f.run.end; b++ {
		delete(c.flights, b)
	}
	return true
}

// wait returns the extents of fs when all are there, or with the first error.
// It gives up its share in all of them.
func (c *Cache) wait(ctx context.Context, fs []*flight) (held, error) {
	var got held
	for i, f := range fs {
		select {
		case <-f.done:
		case <-ctx.Done():
			c.leave(fs[i:])
			return nil, storage.ContextError(ctx, "", f.run.first<<c.shift, (f.run.end-f.run.first)<<c.shift)
		}
		if f.err != nil {
			c.leave(fs[i+1:])
			return nil, f.err
		}
		got = append(got, f.extent)
	}
	return got, nil
}

// leave ends the caller's interest in fs; a fetch nobody waits for is
// cancelled, and forgotten at once, so that a later caller starts a new one.
func (c *Cache) leave(fs []*flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range fs {
		if f.waiters--; f.waiters == 0 {
			f.cancel()
			c.unregister(f)
		}
	}
}
