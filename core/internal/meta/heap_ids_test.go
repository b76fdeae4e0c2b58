package meta

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// heapHeader builds a fractal heap header (spec III.G) without blocks whose IDs
// have a length.
func (b *builder) heapHeader(idLength uint16, filters []byte) uint64 {
	zero := uint64(0)
	fields := []any{"FRHP", uint8(0), idLength, uint16(len(filters)), uint8(0), uint32(100), zero, uint64(undefined), zero, uint64(undefined),
		zero, zero, zero, zero, uint64(900), uint64(1), uint64(5), uint64(1), uint16(4), uint64(512), uint64(65536), uint16(32), uint16(1), uint64(undefined), uint16(0)}
	if len(filters) > 0 {
		fields = append(fields, zero, uint32(0), filters)
	}
	return b.summed(fields...)
}

// IDs that are long enough hold the address of a huge object (spec III.G), which
// no file of libhdf5 has: its heaps have IDs of 7 and 8 bytes.
func TestHugeObjectsWhoseAddressIsInTheID(t *testing.T) {
	b := newBuilder()
	content := []byte(strings.Repeat("a huge object ", 50))
	reversed := slices.Clone(content)
	slices.Reverse(reversed)
	plain, stored := b.add(content), b.add(reversed)
	direct := b.heapHeader(17, nil)
	filtered := b.heapHeader(29, encode(uint8(2), uint8(1), uint16(1), uint16(0), uint16(1), uint32(6)))
	f, _ := b.open(t)
	f.SetUnfilter(func(pipeline []format.FilterDescription, mask uint32, stored []byte, size int) ([]byte, error) {
		if len(pipeline) != 1 || pipeline[0].ID != 1 {
			t.Errorf("pipeline %+v", pipeline)
		}
		out := slices.Clone(stored)
		if mask == 0 {
			slices.Reverse(out)
		}
		return out[:size], nil
	})
	n := uint64(len(content))
	for name, c := range map[string]struct {
		heap uint64
		id   []byte
		want []byte
	}{
		"direct":             {direct, encode("\x10", plain, n), content},
		"filtered":           {filtered, encode("\x10", stored, n, uint32(0), n), content},
		"its filter skipped": {filtered, encode("\x10", stored, n, uint32(1), n), reversed},
	} {
		h, err := f.FractalHeap(ctx, c.heap)
		if err != nil {
			t.Fatal(name, err)
		}
		got, _, err := h.Object(ctx, c.id)
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %.20q, %v", name, got, err)
		}
		for cut := range c.id {
			if _, _, err := h.Object(ctx, c.id[:cut]); err == nil {
				t.Errorf("%s: an ID of %d bytes is taken", name, cut)
			}
		}
		if _, _, err := h.Object(ctx, encode("\x10", uint64(1<<40), n, uint32(0), n)); h5err.KindOf(err) != h5err.Corrupt {
			t.Errorf("%s: an object behind the file: %v", name, err)
		}
	}
}

// With IDs of more than 18 bytes the length of a tiny object takes twelve bits.
func TestTinyObjectsOfLongIDs(t *testing.T) {
	b := newBuilder()
	long := strings.Repeat("tiny", 70)
	heap := b.heapHeader(400, nil)
	limit := b.heapHeader(18, nil)
	f, _ := b.open(t)
	h, err := f.FractalHeap(ctx, heap)
	if err != nil {
		t.Fatal(err)
	}
	id := append([]byte{0x20 | byte((len(long)-1)>>8), byte(len(long) - 1)}, long...)
	if got, _, err := h.Object(ctx, id); err != nil || string(got) != long {
		t.Errorf("%q, %v", got, err)
	}
	if h, err = f.FractalHeap(ctx, limit); err != nil {
		t.Fatal(err)
	}
	if got, _, err := h.Object(ctx, []byte("\x2fsixteen letters.")); err != nil || string(got) != "sixteen letters." {
		t.Errorf("%q, %v", got, err)
	}
}
