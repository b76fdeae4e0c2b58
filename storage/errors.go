package storage

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
)

// Why a store failed. Every error of a store satisfies errors.Is with one of
// these, or with context.Canceled or context.DeadlineExceeded where the
// caller's context ended.
var (
	ErrNotFound    = errors.New("no such file or object")
	ErrPermission  = errors.New("access denied")
	ErrOutOfRange  = errors.New("read outside the object")
	ErrChanged     = errors.New("object changed since it was opened")
	ErrUnavailable = errors.New("store unavailable")
	ErrNoRanges    = errors.New("server does not answer range requests")
	ErrTimeout     = errors.New("store timed out")
	ErrTooLarge    = errors.New("object exceeds the download limit")
	ErrUnsupported = errors.New("kind of location not supported")
	ErrClosed      = errors.New("store is closed")
	ErrInternal    = errors.New("internal error")
)

// Error says what was read from where when a store failed.
type Error struct {
	Location   string // path or URL, without credentials and query
	Op         string // "open", "read", …
	Off, Len   int64  // of a read
	HTTPStatus int    // of the last response, 0 if there was none
	Err        error  // wraps one of the sentinels, or the context's error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Location != "" {
		b.WriteString(" " + e.Location)
	}
	if e.Op == "read" {
		fmt.Fprintf(&b, " [%d, +%d)", e.Off, e.Len)
	}
	b.WriteString(": ")
	if e.HTTPStatus != 0 {
		b.WriteString("HTTP " + strconv.Itoa(e.HTTPStatus) + ": ")
	}
	b.WriteString(e.Err.Error())
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// CheckRange reports ErrOutOfRange unless [off, off+n) lies inside size bytes.
// An empty range at the end is inside.
func CheckRange(location string, size, off, n int64) error {
	if off >= 0 && n >= 0 && off <= size && n <= size-off {
		return nil
	}
	return &Error{Location: location, Op: "read", Off: off, Len: n,
		Err: fmt.Errorf("%w of %d bytes", ErrOutOfRange, size)}
}

// ContextError is nil while ctx lives, else an Error that wraps its error.
func ContextError(ctx context.Context, location string, off, n int64) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	return &Error{Location: location, Op: "read", Off: off, Len: n, Err: err}
}

// Protect calls f and turns a panic into ErrInternal: a panic in a goroutine
// that this library started could not be recovered by its caller.
func Protect(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: panic: %v\n%s", ErrInternal, r, debug.Stack())
		}
	}()
	return f()
}
