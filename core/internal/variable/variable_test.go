package variable

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

const (
	little = format.LittleEndian
	big    = format.BigEndian
)

// sample is a heap of two collections, at 64 and at 128.
func sample() *fakeHeap {
	h := newHeap()
	put := func(collection uint64, index uint32, data []byte) {
		h.objects[format.GlobalHeapID{Collection: collection, Index: index}] = data
	}
	put(64, 1, []byte("hello"))
	put(64, 2, []byte("ab\x00cd"))
	put(128, 1, []byte{1, 2, 3, 4, 5, 6})
	for _, size := range []int{4, 8} {
		nested := slices.Concat(element(size, 2, 128, 1), element(size, 0, 0, 0), element(size, 1, 128, 1))
		put(128, uint32(size), nested)
	}
	return h
}

func run(t *testing.T, h Heap, d *format.Datatype, memory memoryType, offsetSize int, src []byte, n int) (dst, heap []byte) {
	t.Helper()
	p, err := Compile(d, inSlots(memory(d)), offsetSize)
	if err != nil {
		t.Fatal(err)
	}
	_, size := p.Sizes()
	dst = make([]byte, n*size)
	if heap, err = p.Run(background, h, dst, src, n, 1<<20); err != nil {
		t.Fatal(err)
	}
	return dst, heap
}

// slotHex is a slot of memory: offset and count, 8 bytes each.
func slotHex(offset, count byte) string {
	return fmt.Sprintf("%02x%014x%02x%014x", offset, 0, count, 0)
}

func TestElementsBecomeSlotsAndAHeap(t *testing.T) {
	hello, cut, null := element(8, 5, 64, 1), element(8, 5, 64, 2), element(8, 0, 0, 0)
	shorts := element(8, 3, 128, 1)
	for _, c := range []struct {
		name       string
		d          *format.Datatype
		memory     memoryType
		offsetSize int
		src        []byte
		n          int
		dst, heap  string // hex
	}{
		{"strings end at the first NUL", text(8), asFile, 8, slices.Concat(hello, cut), 2,
			slotHex(0, 5) + slotHex(5, 2), "68656c6c6f" + "6162"},
		{"a length shorter than the object", text(8), asFile, 8, element(8, 3, 64, 1), 1, slotHex(0, 3), "68656c"},
		{"never written", text(8), asFile, 8, slices.Concat(null, hello), 2, slotHex(0, 0) + slotHex(0, 5), "68656c6c6f"},
		{"a length without an address", text(8), asFile, 8, element(8, 9, 0, 1), 1, slotHex(0, 0), ""},
		{"the undefined address", text(4), asFile, 4, element(4, 9, math.MaxUint32, 1), 1, slotHex(0, 0), ""},
		{"big-endian numbers as in the file", sequence(8, integer(2, big)), asFile, 8, shorts, 1, slotHex(0, 3), "010203040506"},
		{"big-endian numbers in native order", sequence(8, integer(2, big)), native, 8, shorts, 1, slotHex(0, 3), "020104030605"},
		{"a record of fixed parts in native order", sequence(8, compound(1, integer(2, big))), native, 8,
			element(8, 2, 128, 1), 1, slotHex(0, 2), "000302" + "000605"},
		{"addresses of 4 bytes shift what is behind", compound(0, integer(1, little), text(4), integer(2, big)), native, 4,
			slices.Concat([]byte{7}, element(4, 5, 64, 1), []byte{1, 2}), 1, "07" + slotHex(0, 5) + "0201", "68656c6c6f"},
		{"addresses of 2 bytes", text(2), asFile, 2, element(2, 5, 64, 1), 1, slotHex(0, 5), "68656c6c6f"},
		{"arrays", array(text(4), 2), asFile, 4, slices.Concat(element(4, 1, 64, 1), element(4, 2, 64, 2)), 1,
			slotHex(0, 1) + slotHex(1, 2), "68" + "6162"},
		{"nested data lies behind the slots", sequence(8, sequence(8, integer(2, big))), native, 8, element(8, 3, 128, 8), 1,
			slotHex(0, 3), slotHex(48, 2) + slotHex(52, 0) + slotHex(52, 1) + "02010403" + "0201"},
		{"nested with addresses of 4 bytes", sequence(4, sequence(4, integer(2, big))), asFile, 4, element(4, 2, 128, 4), 1,
			slotHex(0, 2), slotHex(32, 2) + slotHex(36, 0) + "01020304"},
		{"no elements", text(8), asFile, 8, nil, 0, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := sample()
			dst, heap := run(t, h, c.d, c.memory, c.offsetSize, c.src, c.n)
			if got := hex.EncodeToString(dst); got != c.dst {
				t.Errorf("elements\n%s, want\n%s", got, c.dst)
			}
			if got := hex.EncodeToString(heap); got != c.heap {
				t.Errorf("heap\n%s, want\n%s", got, c.heap)
			}
			if len(c.dst) != 2*len(c.src) {
				return
			}
			p, _ := Compile(c.d, inSlots(c.memory(c.d)), c.offsetSize)
			same := slices.Clone(c.src)
			again, err := p.Run(background, h, same, same, c.n, 1<<20)
			if err != nil || !bytes.Equal(same, dst) || !bytes.Equal(again, heap) {
				t.Errorf("in place: %x, heap %x, %v", same, again, err)
			}
		})
	}
}

func TestRecordsAreConvertedInPlaceBesideSlots(t *testing.T) {
	d := compound(0, array(compound(0, integer(2, big), integer(1, big)), 2), text(8))
	src := slices.Concat([]byte{1, 2, 3, 4, 5, 6}, element(8, 1, 64, 1))
	p, err := Compile(d, native(d), 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(background, sample(), src, src, 1, 100); err != nil {
		t.Fatal(err)
	}
	if want := "020103" + "050406" + slotHex(0, 1); hex.EncodeToString(src) != want {
		t.Errorf("%x, want %s", src, want)
	}
}

func TestEachLevelIsOneBatchOfCollections(t *testing.T) {
	h := sample()
	h.objects[format.GlobalHeapID{Collection: 256, Index: 1}] = slices.Concat(element(8, 1, 512, 1), element(8, 1, 128, 1), element(8, 2, 512, 1))
	h.objects[format.GlobalHeapID{Collection: 512, Index: 1}] = []byte{1, 2}
	src := slices.Concat(element(8, 1, 256, 1), element(8, 3, 128, 8), element(8, 0, 64, 1), element(8, 3, 256, 1), element(8, 1, 0, 0))
	run(t, h, sequence(8, sequence(8, integer(1, little))), asFile, 8, src, 5)
	if got := fmt.Sprint(h.prefetched); got != "[[256 128] [512 128]]" {
		t.Errorf("batches %s", got)
	}
	if h.got != 3+2+1+3 { // outer; of 256, the null one counts not, of 128, of 256
		t.Errorf("%d objects were read", h.got)
	}
	h = sample()
	run(t, h, text(8), asFile, 8, element(8, 0, 0, 0), 1)
	if h.prefetched != nil {
		t.Errorf("nothing to fetch, but asked for %v", h.prefetched)
	}
}

func TestBadDataGivesErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		d     *format.Datatype
		src   []byte
		limit int64
		kind  h5err.Kind
	}{
		{"an object that is missing", text(8), element(8, 5, 64, 9), 1000, h5err.Corrupt},
		{"an object shorter than a string", text(8), element(8, 6, 64, 1), 1000, h5err.Corrupt},
		{"an object shorter than a sequence", sequence(8, integer(4, little)), element(8, 2, 128, 1), 1000, h5err.Corrupt},
		{"a count of 2^32-1", sequence(8, integer(4, little)), element(8, math.MaxUint32, 128, 1), 1000, h5err.Corrupt},
		{"more than the limit", text(8), element(8, 5, 64, 1), 4, h5err.Limit},
		{"slots above the limit", sequence(8, text(8)), element(8, 3, 128, 8), 47, h5err.Limit},
	} {
		p, err := Compile(c.d, c.d, 8)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Run(background, sample(), make([]byte, 16), c.src, 1, c.limit); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, err, c.kind)
		}
	}
}

func TestLimitIsExact(t *testing.T) {
	p, err := Compile(text(8), text(8), 8)
	if err != nil {
		t.Fatal(err)
	}
	src := slices.Concat(element(8, 5, 64, 1), element(8, 5, 64, 1))
	if _, err := p.Run(background, sample(), make([]byte, 32), src, 2, 10); err != nil {
		t.Error(err)
	}
	if _, err := p.Run(background, sample(), make([]byte, 32), src, 2, 9); !errors.Is(err, h5err.Limit) {
		t.Error(err)
	}
}

func TestCancelledReadEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	p, err := Compile(text(8), text(8), 8)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(ctx, sample(), make([]byte, 16), element(8, 5, 64, 1), 1, 100)
	if !errors.Is(err, h5err.Cancelled) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Each of these would take minutes, gigabytes or a panic if it were compiled as
// it stands.
func TestHostileDatatypesAreRefusedOrCompiledInTime(t *testing.T) {
	deep := text(8)
	for range 60 {
		deep = compound(0, deep)
	}
	if p, err := Compile(deep, deep, 8); err != nil || len(p.steps) != 1 {
		t.Errorf("compounds 60 deep: %v", err)
	}
	wide := text(8)
	for range 4 {
		wide = sequence(8, array(wide, 1<<12))
	}
	if _, err := Compile(wide, wide, 8); err != nil {
		t.Errorf("4 levels of arrays of 4096: %v", err)
	}
	huge := compound(0, text(4))
	huge.Size = 3 << 30
	grows := array(compound(math.MaxInt32/4-12, text(4)), 4)
	outside := compound(0, text(8))
	outside.Size = 15
	for _, c := range []struct {
		name       string
		d          *format.Datatype
		offsetSize int
		kind       h5err.Kind
	}{
		{"an array of 2^26 slots", array(text(8), 1<<26), 8, h5err.Limit},
		{"65536 slots in arrays in different sequences", compound(0, sequence(8, array(text(8), 40000)), sequence(8, array(text(8), 40000))), 8, h5err.Limit},
		{"an element of 3 GiB", huge, 4, h5err.Limit},
		{"an element that grows beyond 2 GiB", grows, 4, h5err.Limit},
		{"a slot of another size", text(4), 8, h5err.Corrupt},
		{"a member outside", outside, 8, h5err.Corrupt},
		{"a fixed part of no size", compound(0, text(8), integer(0, little)), 8, h5err.Corrupt},
	} {
		if _, err := Compile(c.d, inSlots(c.d), c.offsetSize); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, err, c.kind)
		}
	}
}
