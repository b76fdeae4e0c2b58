// Package memstore reads bytes that lie in memory.
package memstore

import (
	"context"
	"sync/atomic"

	"clawh5/storage"
)

// Memory is a Reader and Viewer of bytes in memory.
type Memory struct {
	b      []byte
	closed atomic.Bool
}

// New makes a Memory of b, which must not change while it or a View of it is
// in use.
func New(b []byte) *Memory { return &Memory{b: b} }

const location = "memory"

func (m *Memory) check(ctx context.Context, off, n int64) error {
	if m.closed.Load() {
		return &storage.Error{Location: location, Op: "read", Off: off, Len: n, Err: storage.ErrClosed}
	}
	if ctx.Err() != nil {
		return storage.ContextError(ctx, location, off, n)
	}
	return storage.CheckRange(location, int64(len(m.b)), off, n)
}

// ReadAt implements storage.Reader.
func (m *Memory) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := m.check(ctx, off, int64(len(p))); err != nil {
		return err
	}
	copy(p, m.b[off:])
	return nil
}

// View implements storage.Viewer without a copy.
func (m *Memory) View(ctx context.Context, off int64, n int) ([]byte, error) {
	if err := m.check(ctx, off, int64(n)); err != nil {
		return nil, err
	}
	return m.b[off : off+int64(n) : off+int64(n)], nil
}

// Size implements storage.Reader.
func (m *Memory) Size() int64 { return int64(len(m.b)) }

// Identity implements storage.Reader. It is empty: bytes in memory have no
// version by which another process could know them.
func (m *Memory) Identity() string { return "" }

// Close makes later reads fail. Views stay valid.
func (m *Memory) Close() error {
	m.closed.Store(true)
	return nil
}
