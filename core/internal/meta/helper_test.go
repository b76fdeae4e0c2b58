package meta

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/storage"
	"clawh5/storage/memstore"
)

var ctx = context.Background()

const folder = "../../../testdata/files/meta"

// golden is what h5py says of an object.
type golden struct {
	Header     uint64
	Links      map[string]target
	Attributes map[string]int // number of bytes
}

// target is the path of a soft link, or the object header of a hard one.
type target struct {
	path string
	addr uint64
}

func (l *target) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &l.path)
	}
	return json.Unmarshal(b, &l.addr)
}

func readGolden(t testing.TB) map[string]map[string]golden {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, "meta.json"))
	if err != nil {
		t.Fatal(err)
	}
	g := map[string]map[string]golden{}
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// plain is a store with nothing but what a Reader must have, and a count of the
// batches that it is told of.
type plain struct {
	storage.Reader
	mu      sync.Mutex
	reads   []storage.Range
	batches [][]storage.Range
}

func (p *plain) ReadAt(ctx context.Context, b []byte, off int64) error {
	p.mu.Lock()
	p.reads = append(p.reads, storage.Range{Off: off, Len: int64(len(b))})
	p.mu.Unlock()
	return p.Reader.ReadAt(ctx, b, off)
}

func (p *plain) Prefetch(_ context.Context, r []storage.Range) error {
	p.mu.Lock()
	p.batches = append(p.batches, r)
	p.mu.Unlock()
	return nil
}

func openFile(t testing.TB, name string) *File {
	t.Helper()
	f, err := Open(ctx, memstore.New(readFile(t, name)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// message decodes the first message of a type in an object header.
func message[T any](f *File, addr uint64, typ format.MessageType, decode func(*cursor.Cursor, format.Sizes) (T, error)) (T, error) {
	var zero T
	c, err := f.CursorUpTo(ctx, addr, format.ObjectHeaderPrefixMax, "object header")
	if err != nil {
		return zero, err
	}
	h, err := format.DecodeObjectHeader(c)
	if err != nil {
		return zero, err
	}
	size, _ := h.FirstChunkBytes()
	if c, err = f.Cursor64(ctx, addr, size, "object header"); err != nil {
		return zero, err
	}
	messages, err := h.FirstChunkMessages(c, nil)
	for i := 0; err == nil && i < len(messages) && i < 1000; i++ {
		switch m := &messages[i]; m.Type {
		case typ:
			return decode(m.Cursor(), f.Sizes())
		case format.MsgContinuation:
			var next format.Continuation
			if next, err = format.DecodeContinuation(m.Cursor(), f.Sizes()); err != nil {
				return zero, err
			}
			if c, err = f.Cursor64(ctx, next.Addr, next.Length, "object header"); err != nil {
				return zero, err
			}
			messages, err = h.ContinuationMessages(c, messages)
		}
	}
	if err == nil {
		err = fmt.Errorf("no message of type %s", typ)
	}
	return zero, err
}
