package meta

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"reflect"
	"sort"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/storage/memstore"
)

func symbolTarget(e *SymbolEntry) target {
	if e.CacheType == format.SoftLinkCached {
		return target{path: e.Target}
	}
	return target{addr: e.Header}
}

func TestSymbolTableListsTheLinksOfLibhdf5InOrder(t *testing.T) {
	f := openFile(t, "old.h5")
	for group, g := range readGolden(t)["old.h5"] {
		st, err := message(f, g.Header, format.MsgSymbolTable, format.DecodeSymbolTable)
		if err != nil {
			t.Fatal(group, err)
		}
		entries, err := f.SymbolTableEntries(ctx, st.BTree, st.Heap)
		if err != nil {
			t.Fatal(group, err)
		}
		got := map[string]target{}
		for i := range entries {
			got[entries[i].Name] = symbolTarget(&entries[i])
		}
		if !reflect.DeepEqual(got, g.Links) || len(got) != len(entries) {
			t.Errorf("%s: got %v, want %v", group, got, g.Links)
		}
		if !sort.SliceIsSorted(entries, func(i, j int) bool { return entries[i].Name < entries[j].Name }) {
			t.Errorf("%s: not in the order of names", group)
		}
	}
}

func TestSymbolTableLookupReadsANodeALevel(t *testing.T) {
	g := readGolden(t)["old.h5"]["many"]
	b := readFile(t, "old.h5")
	for name, want := range g.Links {
		store := &plain{Reader: memstore.New(b)}
		f, err := Open(ctx, store, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		st, err := message(f, g.Header, format.MsgSymbolTable, format.DecodeSymbolTable)
		if err != nil {
			t.Fatal(err)
		}
		store.reads = nil
		e, ok, err := f.SymbolTableLookup(ctx, st.BTree, st.Heap, name)
		if err != nil || !ok || symbolTarget(&e) != want || e.Name != name {
			t.Fatalf("%s: %+v %t %v", name, e, ok, err)
		}
		// Heap, its data, two levels of B-tree, a symbol table node.
		if len(store.reads) > 5 {
			t.Fatalf("%s: %d reads: %v", name, len(store.reads), store.reads)
		}
		for _, other := range []string{name + "x", strings.TrimSuffix(name, "-") + "!", "", "zzz"} {
			if _, there := g.Links[other]; there {
				continue
			}
			if _, ok, err := f.SymbolTableLookup(ctx, st.BTree, st.Heap, other); ok || err != nil {
				t.Fatalf("%q: found %t, %v", other, ok, err)
			}
		}
	}
}

func TestSymbolTableListingPrefetchesLevels(t *testing.T) {
	store := &plain{Reader: memstore.New(readFile(t, "old.h5"))}
	f, err := Open(ctx, store, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	g := readGolden(t)["old.h5"]["many"]
	st, err := message(f, g.Header, format.MsgSymbolTable, format.DecodeSymbolTable)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.SymbolTableEntries(ctx, st.BTree, st.Heap); err != nil {
		t.Fatal(err)
	}
	// Heap and root, then the nodes of the level below, then symbol table nodes.
	if n := len(store.batches); n < 2 || n > 3 {
		t.Errorf("%d batches: %v", n, store.batches)
	}
	total := 0
	for _, b := range store.batches {
		total += len(b)
	}
	if total < len(g.Links)/8 {
		t.Errorf("%d ranges in batches for %d links", total, len(g.Links))
	}
}

// inflate undoes a pipeline of deflate alone.
func inflate(p []format.FilterDescription, mask uint32, stored []byte, size int) ([]byte, error) {
	if len(p) != 1 || p[0].ID != 1 || mask != 0 {
		return nil, fmt.Errorf("pipeline %v, mask %x", p, mask)
	}
	r, err := zlib.NewReader(bytes.NewReader(stored))
	if err != nil {
		return nil, err
	}
	out := make([]byte, size)
	_, err = io.ReadFull(r, out)
	return out, err
}

// dense opens what holds the links of a group.
func dense(t *testing.T, f *File, header uint64) (*FractalHeap, format.LinkInfo) {
	t.Helper()
	info, err := message(f, header, format.MsgLinkInfo, format.DecodeLinkInfo)
	if err != nil {
		t.Fatal(err)
	}
	h, err := f.FractalHeap(ctx, info.Heap)
	if err != nil {
		t.Fatal(err)
	}
	return h, info
}

func (h *FractalHeap) link(t *testing.T, id []byte) format.Link {
	t.Helper()
	data, off, err := h.Object(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	// The offset must lead to the same bytes in the store.
	if off >= 0 {
		again := make([]byte, len(data))
		if err := h.f.store.ReadAt(ctx, again, off); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("offset %d does not hold the object: %v", off, err)
		}
	} else if !h.h.Filtered() {
		t.Fatal("an object without an offset")
	}
	l, err := format.DecodeLink(cursor.New(data, off), h.f.Sizes())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestDenseLinksAreThoseOfLibhdf5(t *testing.T) {
	for _, file := range []string{"new.h5", "new_userblock.h5"} {
		for _, group := range []string{"dense", "filtered"} {
			g := readGolden(t)[file][group]
			f := openFile(t, file)
			f.SetUnfilter(inflate)
			h, info := dense(t, f, g.Header)
			if h.h.ManagedObjects != uint64(len(g.Links)) || h.h.Filtered() != (group == "filtered") {
				t.Errorf("%s: %d objects, filtered %t", group, h.h.ManagedObjects, h.h.Filtered())
			}
			names, err := f.BTreeV2(ctx, info.NameTree)
			if err != nil {
				t.Fatal(err)
			}
			if names.Header().Depth == 0 {
				t.Errorf("%s: the tree has one node", group)
			}
			got := map[string]target{}
			err = names.Records(ctx, func(rec []byte) error {
				r, err := format.DecodeLinkNameRecord(cursor.New(rec, 0))
				if err != nil {
					return err
				}
				l := h.link(t, r.ID)
				if r.Hash != cursor.Lookup3([]byte(l.Name), 0) {
					return fmt.Errorf("hash of %s", l.Name)
				}
				got[l.Name] = target{addr: l.Addr}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, g.Links) {
				t.Errorf("%s: got %v, want %v", group, got, g.Links)
			}
			var order []uint64
			orders, err := f.BTreeV2(ctx, info.OrderTree)
			if err != nil {
				t.Fatal(err)
			}
			if err := orders.Records(ctx, func(rec []byte) error {
				r, err := format.DecodeLinkOrderRecord(cursor.New(rec, 0))
				order = append(order, r.Order)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			for i, o := range order {
				if o != uint64(i) {
					t.Fatalf("record %d has order %d", i, o)
				}
			}
			if len(order) != len(g.Links) {
				t.Errorf("%d records by order, want %d", len(order), len(g.Links))
			}
		}
	}
}

func byHash(name string) func(rec []byte) int {
	want := cursor.Lookup3([]byte(name), 0)
	return func(rec []byte) int {
		switch got := cursor.New(rec, 0).U32(); {
		case got < want:
			return -1
		case got > want:
			return 1
		}
		return 0
	}
}

func TestFindReadsANodeALevel(t *testing.T) {
	g := readGolden(t)["new.h5"]["dense"]
	b := readFile(t, "new.h5")
	for name := range g.Links {
		store := &plain{Reader: memstore.New(b)}
		f, err := Open(ctx, store, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		h, info := dense(t, f, g.Header)
		tree, err := f.BTreeV2(ctx, info.NameTree)
		if err != nil {
			t.Fatal(err)
		}
		store.reads = nil
		found := 0
		err = tree.Find(ctx, byHash(name), func(rec []byte) error {
			if h.link(t, rec[4:]).Name == name {
				found++
			}
			return nil
		})
		if err != nil || found != 1 {
			t.Fatalf("%s: found %d times, %v", name, found, err)
		}
		// A record of an internal node may have its like in both children.
		if most := 2*int(tree.h.Depth) + 1 + 3; len(store.reads) > most {
			t.Fatalf("%s: %d reads", name, len(store.reads))
		}
		if rec, ok, err := tree.Lookup(ctx, byHash(name)); !ok || err != nil || len(rec) != 11 {
			t.Fatalf("%s: %v %t %v", name, rec, ok, err)
		}
		if _, ok, err := tree.Lookup(ctx, byHash(name+"?")); ok || err != nil {
			t.Fatalf("%s?: %t %v", name, ok, err)
		}
	}
}

func TestErrStopEndsRecords(t *testing.T) {
	f := openFile(t, "new.h5")
	_, info := dense(t, f, readGolden(t)["new.h5"]["dense"].Header)
	tree, err := f.BTreeV2(ctx, info.NameTree)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := tree.Records(ctx, func([]byte) error { n++; return ErrStop }); err != nil || n != 1 {
		t.Errorf("%d records, %v", n, err)
	}
}

func TestFilteredHeapWithoutFiltersIsUnsupported(t *testing.T) {
	f := openFile(t, "new.h5")
	h, info := dense(t, f, readGolden(t)["new.h5"]["filtered"].Header)
	tree, err := f.BTreeV2(ctx, info.NameTree)
	if err != nil {
		t.Fatal(err)
	}
	err = tree.Records(ctx, func(rec []byte) error {
		_, _, err := h.Object(ctx, rec[4:])
		return err
	})
	if h5err.KindOf(err) != h5err.Unsupported {
		t.Errorf("got %v", err)
	}
}

func TestHugeAttributesAreFound(t *testing.T) {
	g := readGolden(t)["new.h5"]["target"]
	f := openFile(t, "new.h5")
	info, err := message(f, g.Header, format.MsgAttributeInfo, format.DecodeAttributeInfo)
	if err != nil {
		t.Fatal(err)
	}
	h, err := f.FractalHeap(ctx, info.Heap)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := f.BTreeV2(ctx, info.NameTree)
	if err != nil {
		t.Fatal(err)
	}
	if h.h.HugeObjects == 0 {
		t.Error("the heap has no huge object")
	}
	got := map[string]int{}
	err = tree.Records(ctx, func(rec []byte) error {
		r, err := format.DecodeAttributeRecord(cursor.New(rec, 0), tree.h.Type)
		if err != nil {
			return err
		}
		data, off, err := h.Object(ctx, r.ID)
		if err != nil {
			return err
		}
		a, err := format.DecodeAttribute(cursor.New(data, off), f.Sizes())
		if err != nil {
			return err
		}
		got[a.Name] = len(a.Data)
		value := byte(0)
		fmt.Sscanf(a.Name, "attribute %d", &value)
		if !bytes.Equal(a.Data, bytes.Repeat([]byte{value}, len(a.Data))) {
			return fmt.Errorf("%s: %v", a.Name, a.Data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, g.Attributes) {
		t.Errorf("got %v, want %v", got, g.Attributes)
	}
}

func TestHeapPrefetchNamesAllBlocksInFewBatches(t *testing.T) {
	store := &plain{Reader: memstore.New(readFile(t, "new.h5"))}
	f, err := Open(ctx, store, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	h, info := dense(t, f, readGolden(t)["new.h5"]["dense"].Header)
	tree, err := f.BTreeV2(ctx, info.NameTree)
	if err != nil {
		t.Fatal(err)
	}
	var ids [][]byte
	if err := tree.Records(ctx, func(rec []byte) error {
		ids = append(ids, bytes.Clone(rec[4:]))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	store.batches, store.reads = nil, nil
	if err := h.Prefetch(ctx, ids); err != nil {
		t.Fatal(err)
	}
	if len(store.batches) > 2 {
		t.Errorf("%d batches", len(store.batches))
	}
	named := map[int64]bool{}
	for _, b := range store.batches {
		for _, r := range b {
			named[r.Off] = true
		}
	}
	for _, id := range ids {
		if _, _, err := h.Object(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range store.reads {
		if !named[r.Off] {
			t.Errorf("a read at %d that was not prefetched", r.Off)
		}
	}
}

// FuzzWalk changes bytes of a file and walks all there is: an error or an end.
func FuzzWalk(f *testing.F) {
	g := readGolden(f)
	names := []string{"old.h5", "new.h5"}
	f.Add(uint8(0), uint32(0x320), []byte{1})
	f.Add(uint8(1), uint32(0x200), []byte{0xff, 0xff})
	f.Fuzz(func(t *testing.T, which uint8, at uint32, change []byte) {
		name := names[int(which)%2]
		b := readFile(t, name)
		for i, c := range change {
			b[(int(at)%len(b)+i)%len(b)] ^= c
		}
		file, err := Open(ctx, memstore.New(b), Limits{})
		if err != nil {
			return
		}
		file.SetUnfilter(inflate)
		for _, o := range g[name] {
			walkAll(file, o.Header)
		}
	})
}

// walkAll walks links and attributes of an object as far as it can.
func walkAll(f *File, header uint64) {
	if st, err := message(f, header, format.MsgSymbolTable, format.DecodeSymbolTable); err == nil {
		_, _ = f.SymbolTableEntries(ctx, st.BTree, st.Heap)
		_, _, _ = f.SymbolTableLookup(ctx, st.BTree, st.Heap, "link 1")
	}
	walk := func(d *format.DenseStorage, idAt int) {
		h, err := f.FractalHeap(ctx, d.Heap)
		if err != nil {
			return
		}
		tree, err := f.BTreeV2(ctx, d.NameTree)
		if err != nil {
			return
		}
		_ = tree.Records(ctx, func(rec []byte) error {
			if len(rec) >= idAt+7 {
				_, _, _ = h.Object(ctx, rec[idAt:])
			}
			return nil
		})
	}
	if l, err := message(f, header, format.MsgLinkInfo, format.DecodeLinkInfo); err == nil {
		walk(&l.DenseStorage, 4)
	}
	if a, err := message(f, header, format.MsgAttributeInfo, format.DecodeAttributeInfo); err == nil {
		walk(&a.DenseStorage, 0)
	}
}

func TestFlippedBytesGiveAnErrorOrAnEnd(t *testing.T) {
	g := readGolden(t)
	for _, name := range []string{"old.h5", "new.h5"} {
		b := readFile(t, name)
		for at := 0; at < len(b); at += 487 {
			b[at] ^= 0xff
			if f, err := Open(ctx, memstore.New(b), Limits{}); err == nil {
				f.SetUnfilter(inflate)
				for _, o := range g[name] {
					walkAll(f, o.Header)
				}
			}
			b[at] ^= 0xff
		}
	}
}
