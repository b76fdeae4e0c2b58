package meta

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/storage/memstore"
)

// builder makes a file of structures after the specification, with addresses and
// lengths of 8 bytes.
type builder struct{ buf []byte }

func newBuilder() *builder { return &builder{make([]byte, 96)} }

// add puts a structure made of fields behind the others and returns its address.
func (b *builder) add(fields ...any) uint64 {
	addr := uint64(len(b.buf))
	b.buf = append(b.buf, encode(fields...)...)
	return addr
}

// summed is add with the checksum that ends a structure.
func (b *builder) summed(fields ...any) uint64 {
	p := encode(fields...)
	return b.add(p, cursor.Lookup3(p, 0))
}

func encode(fields ...any) []byte {
	var p []byte
	for _, f := range fields {
		switch v := f.(type) {
		case string:
			p = append(p, v...)
		case []byte:
			p = append(p, v...)
		case uint8:
			p = append(p, v)
		case uint16:
			p = binary.LittleEndian.AppendUint16(p, v)
		case uint32:
			p = binary.LittleEndian.AppendUint32(p, v)
		case uint64:
			p = binary.LittleEndian.AppendUint64(p, v)
		default:
			panic(fmt.Sprintf("%T", f))
		}
	}
	return p
}

func (b *builder) open(t *testing.T) (*File, *plain) {
	t.Helper()
	copy(b.buf, superblock0(0, uint64(len(b.buf))))
	s := &plain{Reader: memstore.New(b.buf)}
	f, err := Open(ctx, s, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return f, s
}

const undefined = format.Undefined

// symbolTree builds a group of n names "n0000", "n0001" and so on: nodes of
// two names, and fan children to a node of the B-tree above.
type symbolTree struct {
	*builder
	btree, heap uint64
	depth       int
}

func nameOf(i int) string { return fmt.Sprintf("n%04d", i) }

func newSymbolTree(n, fan int) *symbolTree {
	t := &symbolTree{builder: newBuilder()}
	names := strings.Repeat("\x00", 8) // the empty name at 0
	offset := func(i int) uint64 { return uint64(8 + 8*i) }
	for i := range n {
		names += nameOf(i) + "\x00\x00\x00"
	}
	segment := t.add(names)
	t.heap = t.add("HEAP", uint32(0), uint64(len(names)), uint64(1), segment)
	type child struct{ addr, last uint64 } // the offset of the greatest name below
	var level []child
	for i := 0; i < n; i += 2 {
		entries, k := []byte{}, min(2, n-i)
		for j := range k {
			entries = append(entries, encode(offset(i+j), uint64(1000+i+j), make([]byte, 24))...)
		}
		level = append(level, child{t.add("SNOD", uint8(1), uint8(0), uint16(k), entries, make([]byte, 320-len(entries))), offset(i + k - 1)})
	}
	for t.depth = 0; ; t.depth++ {
		var next []child
		for c := range slices.Chunk(level, fan) {
			keys := encode(uint64(0))
			for _, k := range c {
				keys = append(keys, encode(k.addr, k.last)...)
			}
			next = append(next, child{t.node(t.depth, len(c), keys), c[len(c)-1].last})
		}
		if level = next; len(level) == 1 {
			t.btree = level[0].addr
			return t
		}
	}
}

// node adds a node of a group B-tree (spec III.A.1).
func (b *builder) node(level, n int, keys []byte) uint64 {
	return b.add("TREE", uint8(0), uint8(level), uint16(n), uint64(undefined), uint64(undefined), keys, make([]byte, 544-24-len(keys)))
}

func TestSymbolTablesOfEveryDepthListAndFind(t *testing.T) {
	for n, depth := range map[int]int{1: 0, 5: 0, 9: 1, 18: 1, 19: 2, 54: 2} {
		tree := newSymbolTree(n, 3)
		if tree.depth != depth {
			t.Fatalf("%d names make a tree of depth %d, want %d", n, tree.depth, depth)
		}
		f, _ := tree.open(t)
		all, err := f.SymbolTableEntries(ctx, tree.btree, tree.heap)
		if err != nil || len(all) != n {
			t.Fatalf("%d of %d entries, %v", len(all), n, err)
		}
		for i := range n {
			e, ok, err := f.SymbolTableLookup(ctx, tree.btree, tree.heap, nameOf(i))
			if err != nil || !ok || e.Name != nameOf(i) || e.Header != uint64(1000+i) || all[i].Header != e.Header {
				t.Errorf("%s of %d: %+v, %v, %v", nameOf(i), n, e, ok, err)
			}
		}
		for _, name := range []string{"", "a", "n", "n0000\x00", "n00005", nameOf(n), "z"} {
			if e, ok, err := f.SymbolTableLookup(ctx, tree.btree, tree.heap, name); ok || err != nil {
				t.Errorf("%q of %d: %+v, %v", name, n, e, err)
			}
		}
	}
}

func TestSymbolTablesThatGoRoundAreCorrupt(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(tree *symbolTree)
	}{
		{"a root that is its own child", func(b *symbolTree) {
			binary.LittleEndian.PutUint64(b.buf[b.btree+32:], b.btree)
		}},
		{"a child of a level too high", func(b *symbolTree) {
			child := binary.LittleEndian.Uint64(b.buf[b.btree+32:])
			b.buf[child+5] = 2
		}},
		{"a child of a level too low", func(b *symbolTree) {
			b.buf[b.btree+5]++
		}},
		{"32 levels of two children that are one", func(b *symbolTree) {
			at := b.btree
			for level := 3; level < 35; level++ {
				at = b.node(level, 2, encode(uint64(0), at, uint64(8), at, uint64(16)))
			}
			b.btree = at
		}},
	} {
		tree := newSymbolTree(30, 3)
		c.spoil(tree)
		f, _ := tree.open(t)
		if _, err := f.SymbolTableEntries(ctx, tree.btree, tree.heap); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Records of links by name (spec III.A.2, type 5): a hash and a heap ID of 7
// bytes. A node of 512 bytes is full with 45 in a leaf and 24 in the level above,
// so that counts take 1 byte, and totals of the levels above that 2.
const (
	recordSize = 11
	nodeSize   = 512
)

func record(hash uint32, id byte) []byte { return encode(hash, id, make([]byte, 6)) }

// nodeV2 adds a node, in the room that a node has.
func (b *builder) nodeV2(signature string, fields ...any) uint64 {
	addr := b.summed(append([]any{signature, uint8(0), uint8(5)}, fields...)...)
	b.add(make([]byte, nodeSize-(len(b.buf)-int(addr))))
	return addr
}

// treeV2 builds a tree of a depth in which every node has two records, and
// returns its header and its records in order. Each hash comes twice.
func (b *builder) treeV2(depth int) (header uint64, records [][]byte) {
	n := 0
	next := func() []byte {
		records = append(records, record(uint32(10+n/2), byte(n)))
		n++
		return records[n-1]
	}
	var grow func(level int) (addr, total uint64)
	grow = func(level int) (addr, total uint64) {
		if level == 0 {
			return b.nodeV2("BTLF", next(), next()), 2
		}
		var recs, children []byte
		for i := range 3 {
			addr, below := grow(level - 1)
			children = append(children, encode(addr, uint8(2))...)
			if level > 1 {
				children = append(children, encode(uint16(below))...)
			}
			if total += below; i < 2 {
				recs = append(recs, next()...)
				total++
			}
		}
		return b.nodeV2("BTIN", recs, children), total
	}
	root, total := grow(depth)
	header = b.summed("BTHD", uint8(0), uint8(5), uint32(nodeSize), uint16(recordSize), uint16(depth), uint8(100), uint8(40), root, uint16(2), total)
	return header, records
}

func TestBTreesOfEveryDepthYieldInOrderAndFindEqualKeys(t *testing.T) {
	for depth := range 4 {
		b := newBuilder()
		header, want := b.treeV2(depth)
		f, _ := b.open(t)
		tree, err := f.BTreeV2(ctx, header)
		if err != nil {
			t.Fatal(err)
		}
		var got [][]byte
		keep := func(rec []byte) error { got = append(got, bytes.Clone(rec)); return nil }
		if err := tree.Records(ctx, keep); err != nil || !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("depth %d: %d records, want %d, %v", depth, len(got), len(want), err)
		}
		hash := func(rec []byte) int { return int(binary.LittleEndian.Uint32(rec)) }
		for key := 9; key <= 10+len(want)/2; key++ {
			compare := func(rec []byte) int { return hash(rec) - key }
			var equal [][]byte
			for _, r := range want {
				if hash(r) == key {
					equal = append(equal, r)
				}
			}
			got = nil
			if err := tree.Find(ctx, compare, keep); err != nil || !slices.EqualFunc(got, equal, bytes.Equal) {
				t.Errorf("depth %d, key %d: %x, want %x, %v", depth, key, got, equal, err)
			}
			rec, ok, err := tree.Lookup(ctx, compare)
			if err != nil || ok != (len(equal) > 0) || ok && hash(rec) != key {
				t.Errorf("depth %d: looking up %d gives %x, %v, %v", depth, key, rec, ok, err)
			}
		}
	}
}

func TestBTreeThatGoesRoundIsCorrupt(t *testing.T) {
	b := newBuilder()
	leaf := b.nodeV2("BTLF", record(1, 1), record(1, 2))
	at, total := leaf, uint64(2)
	width, most := 0, uint64(45) // bytes of the total of a child, records that fit below it
	for level := 1; level < 12; level++ {
		child := append(encode(at, uint8(2)), encode(total)[:width]...)
		fit := uint64(nodeSize-10-9-width) / uint64(recordSize+9+width)
		most = (fit+1)*most + fit
		width = (bits.Len64(most) + 7) / 8
		at = b.nodeV2("BTIN", record(1, 1), record(1, 2), child, child, child)
		total = 3*total + 2
	}
	header := b.summed("BTHD", uint8(0), uint8(5), uint32(nodeSize), uint16(recordSize), uint16(11), uint8(100), uint8(40), at, uint16(2), total)
	f, _ := b.open(t)
	tree, err := f.BTreeV2(ctx, header)
	if err == nil {
		err = tree.Records(ctx, func([]byte) error { return nil })
	}
	if !errors.Is(err, h5err.Corrupt) || !strings.Contains(err.Error(), "more nodes") {
		t.Error(err)
	}
}

func TestTinyObjectsLieInTheirID(t *testing.T) {
	b := newBuilder()
	zero := uint64(0)
	heap := b.summed("FRHP", uint8(0), uint16(8), uint16(0), uint8(0), uint32(100), zero, uint64(undefined), zero, uint64(undefined),
		zero, zero, zero, zero, zero, zero, uint64(5), uint64(1), uint16(4), uint64(512), uint64(65536), uint16(32), uint16(1), uint64(undefined), uint16(0))
	f, _ := b.open(t)
	h, err := f.FractalHeap(ctx, heap)
	if err != nil || h.h.TinyObjects != 1 {
		t.Fatal(h, err)
	}
	data, off, err := h.Object(ctx, []byte("\x24hello\x00\x00")) // tiny, of 4+1 bytes (spec III.G)
	if err != nil || string(data) != "hello" || off != -1 {
		t.Errorf("%q at %d, %v", data, off, err)
	}
	for _, id := range []string{"\x27hello..", "\x24hell", "", "\x30hello..", "\x00\x00\x00\x00\x00\x05\x00\x00"} {
		if data, _, err := h.Object(ctx, []byte(id)); err == nil {
			t.Errorf("%q gives %q", id, data)
		}
	}
}

// collection builds a global heap collection (spec III.E) of size bytes.
func (b *builder) collection(size int, objects ...string) uint64 {
	p := encode("GCOL", uint8(1), make([]byte, 3), uint64(size))
	for i, o := range objects {
		p = append(p, encode(uint16(i+1), uint16(1), uint32(0), uint64(len(o)), o, make([]byte, (8-len(o)%8)%8))...)
	}
	p = append(p, encode(uint16(0), uint16(0), uint32(0), uint64(size-len(p)))...)
	return b.add(p, make([]byte, size-len(p)))
}

func TestGlobalHeapsAreFetchedInTwoBatches(t *testing.T) {
	b := newBuilder()
	long := strings.Repeat("x", 5000)
	var addrs []uint64
	for i := range 5 {
		addrs = append(addrs, b.collection(4096, fmt.Sprint("object ", i), ""))
	}
	addrs = append(addrs, b.collection(8192, "first", long))
	f, s := b.open(t)
	s.batches = nil
	if err := f.GlobalHeapPrefetch(ctx, append(addrs, addrs[0], 1<<50)); err != nil {
		t.Fatal(err)
	}
	if len(s.batches) != 2 || len(s.batches[0]) != 6 || len(s.batches[1]) != 1 || s.batches[1][0].Off != int64(addrs[5])+4096 {
		t.Errorf("batches %v", s.batches)
	}
	for _, c := range []struct {
		at    uint64
		index uint32
		want  string
	}{{addrs[0], 1, "object 0"}, {addrs[0], 2, ""}, {addrs[4], 1, "object 4"}, {addrs[5], 2, long}} {
		got, err := f.GlobalHeapObject(ctx, format.GlobalHeapID{Collection: c.at, Index: c.index})
		if err != nil || string(got) != c.want {
			t.Errorf("object %d at %d: %.20q, %v", c.index, c.at, got, err)
		}
	}
	for _, id := range []format.GlobalHeapID{{Collection: addrs[0], Index: 3}, {Collection: addrs[0], Index: 0},
		{Collection: addrs[0] + 1, Index: 1}, {Collection: 1 << 50, Index: 1}, {Collection: addrs[5] + 8000, Index: 1}} {
		if got, err := f.GlobalHeapObject(ctx, id); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%+v: %.20q, %v", id, got, err)
		}
	}
	batches := len(s.batches)
	if err := f.GlobalHeapPrefetch(ctx, addrs); err != nil {
		t.Fatal(err)
	}
	// Those of 1, 2 and 3 are not decoded yet.
	if more := slices.Concat(s.batches[batches:]...); len(more) != 3 || more[0].Off != int64(addrs[1]) || more[2].Off != int64(addrs[3]) {
		t.Errorf("fetched again: %v", more)
	}
}
