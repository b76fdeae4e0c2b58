package format

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"clawh5/core/internal/cursor"
)

func TestHeaderSizesAreThoseOfTheirBytes(t *testing.T) {
	z := wide
	small := growing
	sizes := map[string]int{
		"local heap":                          LocalHeapSize(z),
		"symbol table node":                   SymbolTableNodeSize(z, 1),
		"group B-tree node":                   BTreeV1NodeSize(z, 1, z.Length),
		"version 2 B-tree header":             BTreeV2HeaderSize(z),
		"version 2 B-tree leaf":               linkTree.NodeBytes(z, 0, 2),
		"version 2 B-tree internal node":      linkTree.NodeBytes(z, 1, 1),
		"fractal heap header":                 FractalHeapHeaderSize(z, 0),
		"fractal heap indirect block":         smallHeap.IndirectBlockSize(z, 3),
		"shared message table":                SharedMessageTableSize(z, 1),
		"shared message list":                 SharedMessageListSize(z, 2),
		"fixed array header":                  FixedArrayHeaderSize(z),
		"fixed array data block":              int(plainArray.DataBlockSize(z)),
		"fixed array data block, filtered":    int(filterArray.DataBlockSize(z)),
		"fixed array data block, paged":       int(pagedArray.DataBlockSize(z)),
		"extensible array header":             ExtArrayHeaderSize(z),
		"extensible array index block":        small.IndexBlockSize(z),
		"extensible array super block, paged": int(small.SuperBlockSize(z, 1)),
	}
	for _, tc := range structureCases {
		if want, ok := sizes[tc.name]; ok {
			delete(sizes, tc.name)
			if n := len(tc.bytes(t)); n != want {
				t.Errorf("%s: %d bytes, computed are %d", tc.name, n, want)
			}
		}
	}
	if len(sizes) > 0 {
		t.Errorf("not compared: %v", sizes)
	}
}

func TestFractalHeapDirectBlockIsChecked(t *testing.T) {
	head := unhex(t, "46484442 00 0001000000000000 00000000 00000000")
	block := append(head, make([]byte, 512-len(head))...)
	copy(block[len(head):], "an object")
	sum := cursor.Lookup3(block, 0)
	copy(block[len(head)-4:], []byte{byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)})
	if heap.DirectOverhead(wide) != len(head) {
		t.Errorf("overhead %d, want %d", heap.DirectOverhead(wide), len(head))
	}
	saved := bytes.Clone(block)
	if err := heap.DecodeDirectBlock(block, 0, wide, 256, 0); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(block, saved) {
		t.Error("the block was changed")
	}
	for i := range block {
		block[i] ^= 1
		if heap.DecodeDirectBlock(block, 0, wide, 256, 0) == nil {
			t.Errorf("a flip at %d goes unnoticed", i)
		}
		block[i] ^= 1
	}
	checkTruncations(t, block, 0, func(p []byte) error {
		return heap.DecodeDirectBlock(bytes.Clone(p), 0, wide, 256, 0)
	})
}

// TestDoublingTableCoversTheHeap walks the rows of a doubling table as the
// specification draws it and asks for the first and last byte of each block.
func TestDoublingTableCoversTheHeap(t *testing.T) {
	h := heap
	entry, off := 0, uint64(0)
	for row := range 24 {
		size := uint64(512)
		if row > 0 {
			size <<= row - 1
		}
		for range h.Width {
			for _, within := range []uint64{0, size - 1} {
				e, r, w := h.Locate(off + within)
				if e != entry || r != row || w != within {
					t.Fatalf("offset %d: entry %d, row %d, %d in it; want %d, %d, %d", off+within, e, r, w, entry, row, within)
				}
			}
			entry, off = entry+1, off+size
		}
		if h.BlockSize(row) != size {
			t.Errorf("row %d: blocks of %d, want %d", row, h.BlockSize(row), size)
		}
		if direct := size <= h.MaxDirect; h.IsDirect(row) != direct {
			t.Errorf("row %d: direct %t, want %t", row, h.IsDirect(row), direct)
		} else if !direct {
			// The rows of the indirect block must hold just its size.
			var sum uint64
			for r := range h.IndirectRows(size) {
				sum += uint64(h.Width) * h.BlockSize(r)
			}
			if sum != size {
				t.Errorf("row %d: indirect blocks of %d bytes hold %d", row, size, sum)
			}
		}
	}
}

// TestExtensibleArrayPlaces numbers the elements of the blocks one after another
// and asks where each one lies.
func TestExtensibleArrayPlaces(t *testing.T) {
	h := ExtArrayHeader{elementForm: elementForm{ElementSize: 8}, MaxBits: 16, IndexElements: 3, MinElements: 2,
		MinPointers: 4, PageBits: 2}
	next := uint64(0)
	check := func(want ExtArrayPlace) {
		t.Helper()
		got, ok := h.Locate(next)
		want.level, want.First, want.Count = got.level, got.First, got.Count
		want.SuperFirst, want.SuperCount = got.SuperFirst, got.SuperCount
		want.BlockFirst, want.BlockCount = got.BlockFirst, got.BlockCount
		if !ok || got != want || got.First+got.Element != next {
			t.Fatalf("element %d: %+v, want %+v", next, got, want)
		}
		next++
	}
	for e := range uint64(3) {
		check(ExtArrayPlace{InIndex: true, Element: e})
	}
	block := uint64(0)
	for super := range 12 {
		if super == 4 {
			block = 0
		}
		for b := range uint64(1) << (super / 2) {
			for e := range uint64(2) << ((super + 1) / 2) {
				switch {
				case super < 4:
					check(ExtArrayPlace{Super: -1, Block: block, Element: e})
				default:
					check(ExtArrayPlace{Super: super - 4, Block: b, Paged: true, Page: e / 4, Element: e % 4})
				}
			}
			block++
		}
	}
	if _, ok := h.Locate(1 << 40); ok {
		t.Error("an element beyond the array has a place")
	}
}

func TestPageBitmapBeginsWithTheHighestBit(t *testing.T) {
	var set []string
	for i := range uint64(20) {
		if bitSet([]byte{0x81, 0x40}, i) {
			set = append(set, fmt.Sprint(i))
		}
	}
	if got := strings.Join(set, " "); got != "0 7 9" {
		t.Errorf("got %s", got)
	}
}
