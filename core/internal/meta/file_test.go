package meta

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/storage"
	"clawh5/storage/memstore"
)

// superblock0 is a version 0 superblock of a file of size bytes.
func superblock0(base, size uint64) []byte {
	b := []byte("\x89HDF\r\n\x1a\n\x00\x00\x00\x00\x00\x08\x08\x00\x04\x00\x10\x00\x00\x00\x00\x00")
	for _, v := range []uint64{base, ^uint64(0), size, ^uint64(0), 0, 96, 0, 0, 0} {
		for i := range 8 {
			b = append(b, byte(v>>(8*i)))
		}
	}
	return b
}

func TestSuperblockIsFoundBehindAUserBlock(t *testing.T) {
	for _, base := range []int64{0, 512, 1024, 2048, 1 << 16} {
		b := append(make([]byte, base), superblock0(uint64(base), uint64(base)+200)...)
		b = append(b, make([]byte, 200-96)...)
		f, err := Open(ctx, memstore.New(b), Limits{})
		if err != nil {
			t.Fatal(base, err)
		}
		if f.Base() != base || f.End() != 200 || f.Superblock().Root != 96 {
			t.Errorf("base %d: %d, end %d, root %d", base, f.Base(), f.End(), f.Superblock().Root)
		}
	}
}

func TestNoSuperblockElsewhere(t *testing.T) {
	for _, base := range []int{1, 8, 256, 513, 1536} {
		b := append(make([]byte, base), superblock0(0, 200)...)
		if _, err := Open(ctx, memstore.New(append(b, make([]byte, 2000)...)), Limits{}); h5err.KindOf(err) != h5err.NotHDF5 {
			t.Errorf("signature at %d: %v", base, err)
		}
	}
	for n := range 8 {
		if _, err := Open(ctx, memstore.New(superblock0(0, 200)[:n]), Limits{}); h5err.KindOf(err) != h5err.NotHDF5 {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// A user block that came or went after the file was written leaves the stored
// base address and end of file behind: both count from where the superblock was.
func TestStoredBaseAddressMayBeWrong(t *testing.T) {
	b := append(superblock0(1024, 1024+200), make([]byte, 200-96)...)
	f, err := Open(ctx, memstore.New(b), Limits{})
	if err != nil || f.Base() != 0 || f.End() != 200 {
		t.Fatal(err)
	}
	b = append(make([]byte, 512), append(superblock0(0, 200), make([]byte, 200-96)...)...)
	f, err = Open(ctx, memstore.New(b), Limits{})
	if err != nil || f.Base() != 512 || f.End() != 200 {
		t.Fatal(err)
	}
}

func TestTruncatedFileIsRefusedWithBothSizes(t *testing.T) {
	b := append(superblock0(0, 4321), make([]byte, 1000-96)...)
	check := func(b []byte) error {
		f, err := Open(ctx, memstore.New(b), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return f.CheckEnd()
	}
	err := check(b)
	if h5err.KindOf(err) != h5err.Corrupt || !strings.Contains(err.Error(), "4321") || !strings.Contains(err.Error(), fmt.Sprint(len(b))) {
		t.Errorf("got %v", err)
	}
	for _, size := range []uint64{^uint64(0), 0} {
		b := append(make([]byte, 512), superblock0(512, size)...)
		if err := check(b); h5err.KindOf(err) != h5err.Corrupt {
			t.Errorf("end of file %d: %v", size, err)
		}
	}
}

func TestCursorStaysInsideTheFile(t *testing.T) {
	b := append(superblock0(0, 300), bytes.Repeat([]byte{7}, 1000)...)
	for _, store := range []storage.Reader{memstore.New(b), &plain{Reader: memstore.New(b)}} {
		f, err := Open(ctx, store, Limits{MaxBlock: 250})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			addr uint64
			n    int
			kind h5err.Kind
		}{
			{0, 250, 0}, {50, 250, 0}, {300, 0, 0}, {51, 250, h5err.Corrupt}, {301, 0, h5err.Corrupt}, {10, -1, h5err.Corrupt},
			{^uint64(0), 1, h5err.Corrupt}, {^uint64(0) - 1, 8, h5err.Corrupt}, {0, 251, h5err.Limit},
		} {
			got, err := f.Cursor(ctx, c.addr, c.n, "thing")
			if h5err.KindOf(err) != c.kind || (err == nil && got.Len() != c.n) {
				t.Errorf("%d bytes at %d: %v", c.n, c.addr, err)
			}
		}
		got, err := f.CursorUpTo(ctx, 290, 100, "thing")
		if err != nil || got.Len() != 10 || got.Offset() != 290 {
			t.Errorf("at the end: %v", err)
		}
	}
}

func TestPrefetchIsCutToTheFile(t *testing.T) {
	b := append(make([]byte, 512), append(superblock0(512, 512+200), make([]byte, 300)...)...)
	store := &plain{Reader: memstore.New(b)}
	f, err := Open(ctx, store, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	err = f.Prefetch(ctx, []storage.Range{{Off: 10, Len: 20}, {Off: 190, Len: 1 << 40}, {Off: 200, Len: 1}, {Off: -5, Len: 9}, {Off: 3, Len: 0}})
	want := fmt.Sprint([][]storage.Range{{{Off: 522, Len: 20}, {Off: 702, Len: 10}}})
	if err != nil || fmt.Sprint(store.batches) != want {
		t.Errorf("got %v, want %s (%v)", store.batches, want, err)
	}
}

// The addresses of a file in several ones may have holes and need all 64 bits.
func TestPartsGiveEachAddressItsPlace(t *testing.T) {
	const far = 1<<63 - 1
	b := append(superblock0(0, 96), "rawBTREE"...)
	store := &plain{Reader: memstore.New(b)}
	f, err := Open(ctx, store, Limits{}, Part{0, 96, 0}, Part{far, 3, 96}, Part{far + 10, 5, 99})
	if err != nil || f.CheckEnd() != nil || f.End() != far+15 {
		t.Fatal(err, f.End())
	}
	for addr, want := range map[uint64]string{far: "raw", far + 1: "aw", far + 10: "BTREE", far + 14: "E", 1: "HDF"} {
		c, err := f.Cursor(ctx, addr, len(want), "thing")
		if err != nil || string(c.Rest()) != want {
			t.Errorf("%#x: %v, want %q", addr, err, want)
		}
	}
	for addr, n := range map[uint64]int{95: 2, 97: 1, far - 1: 1, far: 4, far + 4: 1, far + 15: 1, ^uint64(0) - 1: 1} {
		if _, err := f.Cursor(ctx, addr, n, "thing"); h5err.KindOf(err) != h5err.Corrupt {
			t.Errorf("%d bytes at %#x: %v", n, addr, err)
		}
	}
	if c, err := f.CursorUpTo(ctx, far+1, 10, "thing"); err != nil || string(c.Rest()) != "aw" {
		t.Errorf("up to the end of a part: %v", err)
	}
	if f.Offset(far+10) != 99 || f.Offset(200) != h5err.NoOffset {
		t.Errorf("offsets %d, %d", f.Offset(far+10), f.Offset(200))
	}
	err = f.Prefetch(ctx, []storage.Range{{Off: 90, Len: 20}, {Off: far, Len: 2}, {Off: 500, Len: 2}})
	want := fmt.Sprint([][]storage.Range{{{Off: 90, Len: 6}, {Off: 96, Len: 2}}})
	if err != nil || fmt.Sprint(store.batches) != want {
		t.Errorf("prefetched %v, want %s (%v)", store.batches, want, err)
	}
}

func TestStorageErrorKeepsKindAndStatus(t *testing.T) {
	for err, kind := range map[error]h5err.Kind{
		storage.ErrNotFound: h5err.NotFound, storage.ErrPermission: h5err.Permission, storage.ErrChanged: h5err.Changed,
		storage.ErrOutOfRange: h5err.Corrupt, storage.ErrUnavailable: h5err.Unavailable, storage.ErrTimeout: h5err.Timeout,
		context.Canceled: h5err.Cancelled, context.DeadlineExceeded: h5err.Timeout, errors.New("?"): h5err.Unavailable,
	} {
		got := StorageError(&storage.Error{HTTPStatus: 418, Err: fmt.Errorf("%w: more", err)}, "thing", 5)
		var e *h5err.Error
		if !errors.As(got, &e) || e.Kind != kind || e.HTTPStatus != 418 || e.Offset != 5 || !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
	own := h5err.New(h5err.Limit, "x")
	if StorageError(own, "thing", 5) != error(own) || StorageError(nil, "thing", 5) != nil {
		t.Error("an error of our own was changed")
	}
}

func TestSuperblockOfATruncationIsNeverAccepted(t *testing.T) {
	b := append(superblock0(0, 96), 0)
	for n := range 96 {
		if _, err := Open(ctx, memstore.New(b[:n:n]), Limits{}); err == nil {
			t.Errorf("%d bytes were accepted", n)
		}
	}
}

func TestSuperblock3OpenForWritingIsRead(t *testing.T) {
	b := []byte("\x89HDF\r\n\x1a\n\x03\x08\x08\x05")
	for _, v := range []uint64{0, ^uint64(0), 48, 48} {
		for i := range 8 {
			b = append(b, byte(v>>(8*i)))
		}
	}
	sum := cursor.Lookup3(b, 0)
	b = append(b, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
	f, err := Open(ctx, memstore.New(b), Limits{})
	if err != nil || !f.Superblock().OpenForWriting() {
		t.Errorf("%v", err)
	}
	b[11] ^= 1
	if _, err := Open(ctx, memstore.New(b), Limits{}); h5err.KindOf(err) != h5err.Corrupt {
		t.Errorf("a wrong checksum: %v", err)
	}
}
