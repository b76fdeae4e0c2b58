package open

import (
	"context"
	"net/url"
	"path"
	"path/filepath"
	"sync/atomic"

	"clawh5/storage"
	"clawh5/storage/blockcache"
	"clawh5/storage/memstore"
	"clawh5/storage/tracestore"
)

// metadata is what a Store reads metadata through: a block cache, or memory.
type metadata interface {
	storage.Reader
	storage.RangeReader
	storage.Viewer
	storage.Prefetcher
	TryView(off int64, n int) ([]byte, bool)
	Contains(off, n int64) bool
	SetPageSize(n int64)
	Stats() storage.Stats
}

// Store is an open object. Its own methods read through the cache, as metadata
// should; Direct goes past it, as raw data should.
type Store struct {
	meta     metadata
	direct   *direct
	source   storage.Reader    // the store itself
	trace    *tracestore.Trace // nil for memory
	location string
	path     string   // of a local file, the first one of a joined store
	url      *url.URL // of a remote object
	options  Options
	joined   *joined // nil for a single object
}

func newStore(source storage.Reader, o Options, c blockcache.Options) *Store {
	logSize := 0
	if c.Local {
		logSize = -1 // local reads are counted, and too many to remember
	}
	t := tracestore.New(source, logSize)
	c.BlockSize, c.Capacity = o.BlockSize, o.CacheBytes
	return &Store{meta: blockcache.New(t, c), direct: &direct{inner: t}, source: source, trace: t, options: o}
}

// ReadAt implements storage.Reader through the cache.
func (s *Store) ReadAt(ctx context.Context, p []byte, off int64) error {
	return s.meta.ReadAt(ctx, p, off)
}

// ReadRanges implements storage.RangeReader through the cache.
func (s *Store) ReadRanges(ctx context.Context, spans []storage.Span) error {
	return s.meta.ReadRanges(ctx, spans)
}

// View implements storage.Viewer.
func (s *Store) View(ctx context.Context, off int64, n int) ([]byte, error) {
	return s.meta.View(ctx, off, n)
}

// TryView is View where that needs neither a fetch nor a copy.
func (s *Store) TryView(off int64, n int) ([]byte, bool) { return s.meta.TryView(off, n) }

// Contains reports whether a read of the range needs no fetch now.
func (s *Store) Contains(off, n int64) bool { return s.meta.Contains(off, n) }

// Prefetch implements storage.Prefetcher.
func (s *Store) Prefetch(ctx context.Context, ranges []storage.Range) error {
	return s.meta.Prefetch(ctx, ranges)
}

// SetPageSize tells that the object is organised in pages of n bytes.
func (s *Store) SetPageSize(n int64) { s.meta.SetPageSize(n) }

// Direct reads past the cache. It is a RangeReader, and for an object in
// memory a Viewer (storage.Viewer) as well. Closing it does nothing.
func (s *Store) Direct() storage.Reader {
	if m, ok := s.source.(*memstore.Memory); ok {
		return directMemory{s.direct, m}
	}
	return s.direct
}

// Stats implements storage.StatsReporter for everything since Open.
func (s *Store) Stats() storage.Stats {
	if s.joined != nil {
		return s.joined.Stats()
	}
	var sum storage.Stats
	if s.trace != nil {
		sum = s.trace.Stats()
	}
	cached := s.meta.Stats()
	sum.BlockHits, sum.BlockMisses = cached.BlockHits, cached.BlockMisses
	sum.BytesAsked = cached.BytesAsked + s.direct.asked.Load()
	return sum
}

// Trace counts the requests, and records those of a remote object; nil for an
// object in memory.
func (s *Store) Trace() *tracestore.Trace { return s.trace }

// Location names the object in messages: an absolute path, or a URL without
// credentials and query.
func (s *Store) Location() string { return s.location }

// Name is the last part of the path of a file or URL; empty for what has none.
func (s *Store) Name() string {
	switch {
	case s.url != nil:
		return path.Base(s.url.Path)
	case s.path != "":
		return filepath.Base(s.path)
	}
	return ""
}

// Driver returns Options.Driver.
func (s *Store) Driver() string { return s.options.Driver }

// Revision returns Options.Revision.
func (s *Store) Revision() uint64 { return s.options.Revision }

// Pattern returns Options.Pattern.
func (s *Store) Pattern() string { return s.options.Pattern }

// Remote reports whether reads go over a network.
func (s *Store) Remote() bool { return s.url != nil }

// LocalPath is the absolute path of a local file; empty if the bytes are not
// those of one file.
func (s *Store) LocalPath() string {
	if s.joined != nil {
		return ""
	}
	return s.path
}

// Size implements storage.Reader.
func (s *Store) Size() int64 { return s.meta.Size() }

// Identity implements storage.Reader.
func (s *Store) Identity() string { return s.meta.Identity() }

// Close closes the store. Views stay valid.
func (s *Store) Close() error { return s.meta.Close() }

// direct is a Reader that counts what is asked and leaves Close to the Store.
type direct struct {
	inner storage.Reader
	asked atomic.Int64
}

// directParallel bounds the reads of one batch where the store has none.
const directParallel = 4

func (d *direct) ReadAt(ctx context.Context, p []byte, off int64) error {
	d.asked.Add(int64(len(p)))
	return d.inner.ReadAt(ctx, p, off)
}

func (d *direct) ReadRanges(ctx context.Context, spans []storage.Span) error {
	for _, s := range spans {
		d.asked.Add(int64(len(s.P)))
	}
	return storage.ReadRanges(ctx, d.inner, spans, directParallel)
}

func (d *direct) Size() int64      { return d.inner.Size() }
func (d *direct) Identity() string { return d.inner.Identity() }
func (d *direct) Close() error     { return nil }

// directMemory lends the bytes as well.
type directMemory struct {
	*direct
	memory *memstore.Memory
}

func (d directMemory) View(ctx context.Context, off int64, n int) ([]byte, error) {
	d.asked.Add(int64(n))
	return d.memory.View(ctx, off, n)
}

// memory is metadata that lies in memory already.
type memory struct{ *memstore.Memory }

func (m memory) ReadRanges(ctx context.Context, spans []storage.Span) error {
	return storage.ReadRanges(ctx, m.Memory, spans, 1)
}

func (m memory) TryView(off int64, n int) ([]byte, bool) {
	v, err := m.View(context.Background(), off, n)
	return v, err == nil
}

func (m memory) Contains(off, n int64) bool {
	return storage.CheckRange("", m.Size(), off, n) == nil
}

func (memory) Prefetch(context.Context, []storage.Range) error { return nil }
func (memory) SetPageSize(int64)                               {}
func (memory) Stats() storage.Stats                            { return storage.Stats{} }
