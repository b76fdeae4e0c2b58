// Package filestore reads a local file with pread.
//
// The file is not mapped: a file that is truncated while it is read must be an
// error, never a SIGBUS in the host's process. Instead the file's size and
// modification time are compared after every read, so a file that was
// rewritten is ErrChanged and never a mix of old and new bytes. (The kernel
// sets the time before it changes the bytes. Two writes within one tick of its
// clock look like one; that risk is accepted.)
package filestore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"clawh5/storage"
)

// File is an open local file.
type File struct {
	f        *os.File
	probe    prober
	path     string
	opened   state
	identity string
	closed   atomic.Bool
}

// state is what tells a change of an open file.
type state struct {
	size  int64
	mtime int64 // ns
}

// pieceSize is how much a read moves between two looks at its context.
const pieceSize = 32 << 20

// Open opens the regular file at path.
func Open(path string) (*File, error) {
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		path = abs // stays right when the process changes its directory
	}
	// Opening a pipe would wait for a writer, so look first.
	info, err := os.Stat(path)
	if err != nil {
		return nil, wrap(path, "open", 0, 0, err)
	}
	if !info.Mode().IsRegular() {
		what := "not a regular file"
		if info.IsDir() {
			what = "a directory, not a file"
		}
		return nil, &storage.Error{Location: path, Op: "open",
			Err: fmt.Errorf("%w: %s", storage.ErrUnsupported, what)}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, wrap(path, "open", 0, 0, err)
	}
	s := &File{f: f, path: path}
	if err := s.begin(); err != nil {
		f.Close()
		return nil, wrap(path, "open", 0, 0, err)
	}
	return s, nil
}

func (s *File) begin() error {
	var err error
	if s.probe, err = newProber(s.f); err != nil {
		return err
	}
	if s.opened, err = s.probe.state(); err != nil {
		return err
	}
	id, err := fileID(s.f)
	if err != nil {
		return err
	}
	s.identity = fmt.Sprintf("file:%d-%d-%s", s.opened.size, s.opened.mtime, id)
	return nil
}

// ReadAt implements storage.Reader.
func (s *File) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := s.pread(ctx, p, off); err != nil {
		return err
	}
	return s.verify(off, int64(len(p)))
}

// ReadRanges implements storage.RangeReader: one look at the file's state
// serves the whole batch.
func (s *File) ReadRanges(ctx context.Context, spans []storage.Span) error {
	var total int64
	for _, sp := range spans {
		total += int64(len(sp.P))
	}
	workers := 1
	if total >= parallelBytes {
		workers = parallelReads
	}
	err := storage.Parallel(ctx, len(spans), workers, func(ctx context.Context, i int) error {
		return s.pread(ctx, spans[i].P, spans[i].Off)
	})
	if err != nil || len(spans) == 0 {
		return err
	}
	return s.verify(spans[0].Off, total)
}

// A batch of this many bytes is read by several threads: below, handing the
// work over costs more than it gains when the file lies in the page cache.
const (
	parallelBytes = 4 << 20
	parallelReads = 4
)

func (s *File) pread(ctx context.Context, p []byte, off int64) error {
	if err := storage.CheckRange(s.path, s.opened.size, off, int64(len(p))); err != nil {
		return err
	}
	for {
		if ctx.Err() != nil {
			return storage.ContextError(ctx, s.path, off, int64(len(p)))
		}
		piece := p[:min(len(p), pieceSize)]
		if n, err := s.f.ReadAt(piece, off); n < len(piece) {
			return s.readError(off, int64(len(piece)), err)
		}
		if p = p[len(piece):]; len(p) == 0 {
			return nil
		}
		off += int64(len(piece))
	}
}

// readError names the reason of a short read: the offsets were checked against
// the size at open, so an end of file means that the file has shrunk.
func (s *File) readError(off, n int64, err error) error {
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: it is shorter now", storage.ErrChanged)
	}
	return wrap(s.path, "read", off, n, err)
}

func (s *File) verify(off, n int64) error {
	now, err := s.probe.state()
	if err != nil {
		return wrap(s.path, "read", off, n, err)
	}
	if now != s.opened {
		return wrap(s.path, "read", off, n, storage.ErrChanged)
	}
	return nil
}

// Size implements storage.Reader.
func (s *File) Size() int64 { return s.opened.size }

// Identity implements storage.Reader: size, modification time, device and
// inode at open.
func (s *File) Identity() string { return s.identity }

// Path is the absolute path of the file, for callers that map it themselves.
func (s *File) Path() string { return s.path }

// Close closes the file. Reads under way end first or fail with ErrClosed.
func (s *File) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	return s.f.Close()
}

// wrap turns an error of the operating system into one of storage.
func wrap(path, op string, off, n int64, err error) error {
	kind := storage.ErrUnavailable
	switch {
	case errors.Is(err, storage.ErrChanged):
		return &storage.Error{Location: path, Op: op, Off: off, Len: n, Err: err}
	case errors.Is(err, fs.ErrNotExist), notADirectory(err):
		kind = storage.ErrNotFound
	case errors.Is(err, fs.ErrPermission):
		kind = storage.ErrPermission
	case errors.Is(err, fs.ErrClosed):
		kind = storage.ErrClosed
	case isStale(err):
		kind = storage.ErrChanged
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err // the path is in the location
	}
	return &storage.Error{Location: path, Op: op, Off: off, Len: n, Err: fmt.Errorf("%w (%w)", kind, err)}
}
