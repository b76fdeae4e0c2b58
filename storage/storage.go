package storage

import "context"

// Reader is an immutable object of known size that is read by byte range.
// All methods may be called from any number of goroutines at once.
type Reader interface {
	// ReadAt fills p with the bytes at off, or returns an error: there are no
	// partial results, and the content of p is undefined after an error. A
	// range that reaches past the end is ErrOutOfRange. When ReadAt returns,
	// also because ctx ended, p is not touched again.
	ReadAt(ctx context.Context, p []byte, off int64) error
	// Size returns the object's size in bytes.
	Size() int64
	// Identity names the version of the object that was opened: the same
	// string is the same bytes. It may be empty where a store has none.
	Identity() string
	Close() error
}

// Span is one read of a batch.
type Span struct {
	Off int64
	P   []byte
}

// RangeReader is a Reader that does a batch better than one ReadAt a span.
type RangeReader interface {
	// ReadRanges fills every span, in parallel where that helps. Spans are
	// independent and may come in any order. On error the content of all
	// buffers is undefined; none is touched after the return.
	ReadRanges(ctx context.Context, spans []Span) error
}

// Range is a range of bytes.
type Range struct {
	Off int64
	Len int64
}

// Viewer is a Reader that can lend its bytes.
type Viewer interface {
	// View returns n bytes at off without a copy where they lie together. The
	// caller must not change them; they stay valid and unchanged for as long
	// as the caller holds them, also after Close.
	View(ctx context.Context, off int64, n int) ([]byte, error)
}

// Prefetcher is a Reader that can be told in one batch what will be read.
type Prefetcher interface {
	// Prefetch returns when the ranges that it chose to load lie in memory.
	// Parts past the end are ignored. It is a hint: later reads give the same
	// bytes without it, and where ranges exceed its memory it loads a part.
	Prefetch(ctx context.Context, ranges []Range) error
}
