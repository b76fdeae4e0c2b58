package chunk

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage"
	"clawh5/storage/memstore"
)

// counting is a store that counts reads and the batches it is told of.
type counting struct {
	storage.Reader
	reads   map[int64]int
	batches int
	named   map[int64]bool
}

func (c *counting) ReadAt(ctx context.Context, b []byte, off int64) error {
	c.reads[off]++
	return c.Reader.ReadAt(ctx, b, off)
}

func (c *counting) Prefetch(_ context.Context, ranges []storage.Range) error {
	if len(ranges) > 0 {
		c.batches++
	}
	for _, r := range ranges {
		c.named[r.Off] = true
	}
	return nil
}

func (c *counting) reset() { c.reads, c.batches, c.named = map[int64]int{}, 0, map[int64]bool{} }

// openCounted opens a dataset of a generated file on a counting store.
func openCounted(t *testing.T, file, name string) (*counting, *described, Index) {
	t.Helper()
	store := &counting{Reader: memstore.New(readFile(t, file))}
	store.reset()
	f, err := meta.Open(context.Background(), store, meta.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := applyExtension(f); err != nil {
		t.Fatal(err)
	}
	g := readGolden(t)[file]
	for _, ds := range g.Datasets {
		if ds.Name == name {
			d, err := describe(f, ds.Header)
			if err != nil {
				t.Fatal(err)
			}
			x, err := d.open(f, ds.Element)
			if err != nil {
				t.Fatal(err)
			}
			store.reset()
			return store, &d, x
		}
	}
	t.Fatal(name)
	return nil, nil, nil
}

// budgets are the structures on the way to one chunk: for trees one node a level
// (and the header), for arrays header, index block, super block, data block or
// page.
var budgets = []struct {
	file, name string
	at         []uint64
	lookup     int // reads
	batches    int // of a walk over all chunks, at most
}{
	{"earliest.h5", "/many", []uint64{5, 5}, 2, 1},
	{"earliest_k2.h5", "/many", []uint64{5, 5}, 5, 4},
	{"latest.h5", "/fixed", []uint64{3, 0}, 2, 1},
	{"latest.h5", "/fixed_paged", []uint64{48, 0}, 3, 1},
	{"latest.h5", "/implicit", []uint64{1, 1}, 0, 0},
	{"latest.h5", "/ext_index", []uint64{2}, 2, 1},
	{"latest.h5", "/ext_supers", []uint64{41}, 3, 2},
	{"latest.h5", "/ext_paged", []uint64{133199}, 4, 2},
	{"latest.h5", "/two_unlimited_depth1", []uint64{9, 2}, 3, 1},
	{"latest.h5", "/two_unlimited_depth2", make([]uint64, 16), 4, 2},
}

func TestLookupReadsNoMoreThanTheWayToTheChunk(t *testing.T) {
	for _, tc := range budgets {
		store, _, x := openCounted(t, tc.file, tc.name)
		for range 2 { // the second time from the cache
			if _, _, err := x.Lookup(context.Background(), tc.at); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(store.reads); n > tc.lookup {
			t.Errorf("%s%s: %d reads, want at most %d", tc.file, tc.name, n, tc.lookup)
		}
		for off, n := range store.reads {
			if n > 1 {
				t.Errorf("%s%s: offset %d read %d times", tc.file, tc.name, off, n)
			}
		}
		store.reset()
		if err := x.Within(context.Background(), tc.at, tc.at, func(Chunk) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if len(store.reads) != 0 {
			t.Errorf("%s%s: a box of the same chunk reads %v", tc.file, tc.name, store.reads)
		}
	}
}

func TestWalkPrefetchesALevelInOneBatch(t *testing.T) {
	for _, tc := range budgets {
		store, d, x := openCounted(t, tc.file, tc.name)
		lo, hi := d.bounds()
		if _, err := collect(x, lo, hi); err != nil {
			t.Fatal(err)
		}
		if store.batches > tc.batches {
			t.Errorf("%s%s: %d batches, want at most %d", tc.file, tc.name, store.batches, tc.batches)
		}
		alone := 0
		for off, n := range store.reads {
			if n > 1 {
				t.Errorf("%s%s: offset %d read %d times", tc.file, tc.name, off, n)
			}
			if !store.named[off] {
				alone++
			}
		}
		// What no batch can name: a root, headers, and a level of one node.
		if alone > 3 {
			t.Errorf("%s%s: %d of %d reads were in no batch", tc.file, tc.name, alone, len(store.reads))
		}
	}
}

func TestIndexServesManyGoroutines(t *testing.T) {
	for _, tc := range budgets {
		b := readFile(t, tc.file)
		f, err := openBytes(b)
		if err != nil {
			t.Fatal(err)
		}
		for _, ds := range readGolden(t)[tc.file].Datasets {
			if ds.Name != tc.name {
				continue
			}
			d, err := describe(f, ds.Header)
			if err != nil {
				t.Fatal(err)
			}
			x, err := d.open(f, ds.Element)
			if err != nil {
				t.Fatal(err)
			}
			lo, hi := d.bounds()
			want, err := collect(x, lo, hi)
			if err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					got, err := collect(x, lo, hi)
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("%s: %v", tc.name, err)
					}
				})
			}
			wg.Wait()
		}
	}
}

// walkAll asks every dataset of a file for its chunks.
func walkAll(f *meta.File, g golden) error {
	for _, ds := range g.Datasets {
		d, err := describe(f, ds.Header)
		if err != nil {
			continue
		}
		x, err := d.open(f, ds.Element)
		if err != nil {
			continue
		}
		lo, hi := make([]uint64, len(d.space.Dims)), make([]uint64, len(d.space.Dims))
		for i := range hi {
			hi[i] = endless
		}
		n := 0
		err = x.Within(context.Background(), lo, hi, func(c Chunk) error {
			if len(c.Scaled) != len(lo) {
				return fmt.Errorf("%s: coordinates %v", ds.Name, c.Scaled)
			}
			if n++; n > 100_000 {
				return meta.ErrStop
			}
			return nil
		})
		if err != nil && h5err.KindOf(err) == h5err.Internal {
			return err
		}
		if _, _, err := x.Lookup(context.Background(), lo); h5err.KindOf(err) == h5err.Internal {
			return err
		}
	}
	return nil
}

func TestFlippedBytesGiveAnErrorOrAnEnd(t *testing.T) {
	for name, g := range readGolden(t) {
		b := readFile(t, name)
		for at := 9; at < len(b); at += max(61, len(b)/30) {
			b[at] ^= 0xff
			if f, err := openBytes(b); err == nil {
				if err := walkAll(f, g); err != nil {
					t.Errorf("%s, flip at %d: %v", name, at, err)
				}
			}
			b[at] ^= 0xff
		}
	}
}

func FuzzIndex(f *testing.F) {
	all := readGolden(f)
	names := []string{"earliest_k2.h5", "v200.h5", "userblock.h5"}
	f.Add(uint8(0), uint32(0x900), []byte{1})
	f.Add(uint8(1), uint32(0x400), []byte{0xff})
	f.Add(uint8(2), uint32(0x800), []byte{0, 3})
	f.Fuzz(func(t *testing.T, which uint8, at uint32, change []byte) {
		name := names[int(which)%len(names)]
		b := readFile(t, name)
		for i, c := range change {
			b[(int(at%uint32(len(b)))+i)%len(b)] ^= c
		}
		if file, err := openBytes(b); err == nil {
			if err := walkAll(file, all[name]); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestOpenRefusesWhatCannotBe(t *testing.T) {
	f, err := openBytes(readFile(t, "v200.h5"))
	if err != nil {
		t.Fatal(err)
	}
	space := func(dims, most []uint64) *format.Dataspace {
		return &format.Dataspace{Kind: format.SimpleSpace, Dims: dims, MaxDims: most}
	}
	u := format.Unlimited
	for name, tc := range map[string]struct {
		layout   format.Layout
		space    *format.Dataspace
		filtered bool
		kind     h5err.Kind
	}{
		"rank":               {format.Layout{ChunkDims: []uint64{2, 2}}, space([]uint64{4}, nil), false, h5err.Corrupt},
		"no rank":            {format.Layout{}, space(nil, nil), false, h5err.Corrupt},
		"chunk of nothing":   {format.Layout{ChunkDims: []uint64{0}}, space([]uint64{4}, nil), false, h5err.Corrupt},
		"chunk too large":    {format.Layout{ChunkDims: []uint64{1 << 62, 8}}, space([]uint64{4, 4}, nil), false, h5err.Corrupt},
		"implicit, filtered": {format.Layout{ChunkDims: []uint64{2}, Index: format.ImplicitIndex}, space([]uint64{4}, nil), true, h5err.Corrupt},
		"implicit, too long": {format.Layout{ChunkDims: []uint64{2}, Index: format.ImplicitIndex}, space([]uint64{1 << 50}, nil), false, h5err.Corrupt},
		"implicit, no end":   {format.Layout{ChunkDims: []uint64{2}, Index: format.ImplicitIndex}, space([]uint64{4}, []uint64{u}), false, h5err.Corrupt},
		"no unlimited":       {format.Layout{ChunkDims: []uint64{2}, Index: format.ExtensibleArrayIndex}, space([]uint64{4}, nil), false, h5err.Corrupt},
		"two unlimited":      {format.Layout{ChunkDims: []uint64{2, 2}, Index: format.ExtensibleArrayIndex}, space([]uint64{4, 4}, []uint64{u, u}), false, h5err.Corrupt},
		"too many chunks":    {format.Layout{ChunkDims: []uint64{1, 1, 1}, Index: format.FixedArrayIndex}, space([]uint64{4, 4, 4}, []uint64{4, 1 << 40, 1 << 40}), false, h5err.Corrupt},
		"unknown":            {format.Layout{ChunkDims: []uint64{2}, Index: 99}, space([]uint64{4}, nil), false, h5err.Unsupported},
	} {
		if _, err := Open(context.Background(), f, &tc.layout, tc.space, 4, tc.filtered); h5err.KindOf(err) != tc.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
}
