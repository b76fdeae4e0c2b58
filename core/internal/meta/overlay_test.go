package meta

import (
	"math/rand/v2"
	"testing"

	"clawh5/core/internal/format"
	"clawh5/storage"
	"clawh5/storage/memstore"
)

// Whatever is read, an overlay gives the bytes of a file into which its entries
// were written.
func TestAnOverlayReadsAsIfItWereWritten(t *testing.T) {
	b := append(superblock0(0, 1000), make([]byte, 1000-96)...)
	for i := 96; i < len(b); i++ {
		b[i] = byte(i)
	}
	written := append([]byte(nil), b...)
	entries := overlay{{Addr: 100, Data: []byte("abcdef")}, {Addr: 106, Data: []byte("gh")}, {Addr: 300, Data: []byte("0123456789")}, {Addr: 995, Data: []byte("xyz")}}
	for _, e := range entries {
		copy(written[e.Addr:], e.Data)
	}
	for _, store := range []storage.Reader{memstore.New(b), &plain{Reader: memstore.New(b)}} {
		f, err := Open(ctx, store, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f.overlay = entries
		r := rand.New(rand.NewPCG(1, 2))
		for range 5000 {
			addr := r.IntN(1000)
			if r.IntN(2) == 0 {
				addr = []int{95, 300, 990}[r.IntN(3)] + r.IntN(10)
			}
			n := r.IntN(min(1000-addr, 40) + 1)
			c, err := f.Cursor(ctx, uint64(addr), n, "thing")
			if err != nil || string(c.Rest()) != string(written[addr:addr+n]) {
				t.Fatalf("%d bytes at %d: %v", n, addr, err)
			}
		}
	}
}

func TestCacheImagesWithOverlappingEntriesAreRefused(t *testing.T) {
	f, err := Open(ctx, memstore.New(append(superblock0(0, 200), make([]byte, 104)...)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []uint64{0, 10, 1000} {
		if err := f.ReadCacheImage(ctx, 96, size); err == nil {
			t.Errorf("zeros were taken for an image of %d bytes", size)
		}
	}
	if err := f.ReadCacheImage(ctx, format.Undefined, 10); err == nil {
		t.Error("an image without an address")
	}
}
