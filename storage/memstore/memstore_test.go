package memstore_test

import (
	"context"
	"errors"
	"testing"

	"clawh5/storage"
	"clawh5/storage/memstore"
	"clawh5/storage/storagetest"
)

func TestSuite(t *testing.T) {
	storagetest.Run(t, func(t *testing.T, content []byte) storage.Reader { return memstore.New(content) })
}

func TestSuiteThroughSlowPieces(t *testing.T) {
	storagetest.Run(t, func(t *testing.T, content []byte) storage.Reader {
		return storagetest.Faulty(memstore.New(content), storagetest.Faults{Seed: 1, Pieces: 999, SlowEvery: 20})
	})
}

func TestViewIsTheMemoryItself(t *testing.T) {
	b := []byte("abcdef")
	v, err := memstore.New(b).View(context.Background(), 2, 3)
	if err != nil || &v[0] != &b[2] || cap(v) != 3 {
		t.Fatalf("View = %q, %v; want b[2:5:5]", v, err)
	}
}

func TestClosedMemoryIsNotRead(t *testing.T) {
	m := memstore.New([]byte("abc"))
	m.Close()
	if err := m.ReadAt(context.Background(), make([]byte, 1), 0); !errors.Is(err, storage.ErrClosed) {
		t.Fatalf("ReadAt after Close = %v, want ErrClosed", err)
	}
}
