package format

import (
	"encoding/binary"
	"testing"

	"clawh5/core/internal/cursor"
)

// FuzzBlocksOfHostileHeaders decodes the blocks of a structure by a header that
// nobody vouches for. What a block begins with is made right, so that the rest is
// reached: signature, version, the header's address.
func FuzzBlocksOfHostileHeaders(f *testing.F) {
	headers := []string{"version 2 B-tree header", "fractal heap header", "fixed array header", "extensible array header"}
	for _, tc := range structureCases {
		for kind, name := range headers {
			if tc.name == name {
				f.Add(uint8(kind), unhex(f, tc.hex), make([]byte, 64), uint16(2))
				f.Add(uint8(kind), unhex(f, tc.hex), []byte{0xff, 0, 1}, uint16(40))
			}
		}
	}
	f.Add(uint8(4), []byte{2, 5}, unhex(f, "54524545 01 00 0100"+undef+undef+"40000000 00000000"+zero+zero+zero), uint16(32))
	f.Fuzz(func(t *testing.T, kind uint8, header, body []byte, n uint16) {
		c := cursor.New(withChecksum(header), 0)
		switch kind % 5 {
		case 0:
			if h, err := DecodeBTreeV2Header(c, wide); err == nil {
				fuzzBTreeV2(t, &h, body, n)
			}
		case 1:
			if h, err := DecodeFractalHeapHeader(c, wide); err == nil {
				fuzzFractalHeap(t, &h, body, n)
			}
		case 2:
			if h, err := DecodeFixedArrayHeader(c, wide); err == nil {
				fuzzFixedArray(t, &h, body, n)
			}
		case 3:
			if h, err := DecodeExtArrayHeader(c, wide); err == nil {
				fuzzExtArray(t, &h, body, n)
			}
		case 4:
			dims := make([]uint64, len(header)%40)
			for i := range dims {
				dims[i] = max(1, uint64(header[i])<<(n%57)) // the index refuses chunks of no size
			}
			_, _ = DecodeChunkBTreeV1Node(cursor.New(body, 0), wide, n, dims)
		}
	})
}

const hostileAddress = 0x100

var hostileBytes = binary.LittleEndian.AppendUint64(nil, hostileAddress)

// blockOf returns a cursor at a block of size bytes at most, of version 0, whose
// parts and then body are followed by their checksum.
func blockOf(signature string, size uint64, body []byte, parts ...[]byte) *cursor.Cursor {
	b := append([]byte(signature), 0)
	for _, p := range append(parts, body) {
		b = append(b, p...)
	}
	if size >= 4 && uint64(len(b)) > size-4 {
		b = b[:size-4]
	}
	return cursor.New(withChecksum(b), 0)
}

func fuzzBTreeV2(t *testing.T, h *BTreeV2Header, body []byte, n uint16) {
	level := len(body) % (int(h.Depth) + 1)
	signature := "BTLF"
	if level > 0 {
		signature = "BTIN"
	}
	node, err := h.DecodeNode(blockOf(signature, uint64(h.NodeSize), body, []byte{byte(h.Type)}), wide, level, n)
	if err == nil && (len(node.Records) != int(n)*int(h.RecordSize) || level > 0 && len(node.Children) != int(n)+1) {
		t.Fatalf("%d bytes of records, %d children", len(node.Records), len(node.Children))
	}
}

func fuzzFractalHeap(t *testing.T, h *FractalHeapHeader, body []byte, n uint16) {
	_, _ = h.DecodeHeapID(cursor.New(body, 0), wide)
	rows := h.IndirectRows(h.BlockSize(int(n) % 64))
	if rows > 0 && rows <= 64 && h.IndirectBlockSize(wide, rows) <= 1<<16 {
		c := blockOf("FHIB", uint64(h.IndirectBlockSize(wide, rows)), body, hostileBytes, make([]byte, h.offsetWidth()))
		entries, err := h.DecodeIndirectBlock(c, wide, hostileAddress, 0, rows)
		if err == nil && len(entries) != rows*int(h.Width) {
			t.Fatalf("%d entries of %d rows", len(entries), rows)
		}
	}
	_ = h.DecodeDirectBlock(append([]byte("FHDB"), body...), 0, wide, hostileAddress, 0)
}

func fuzzFixedArray(t *testing.T, h *FixedArrayHeader, body []byte, n uint16) {
	c := blockOf("FADB", h.DataBlockSize(wide), body, []byte{h.client()}, hostileBytes)
	if b, err := h.DecodeDataBlock(c, wide, hostileAddress); err == nil && h.Paged() {
		b.HasPage(uint64(n) % h.pages())
	}
	if h.Paged() {
		_, size, entries := h.Page(wide, uint64(n)%h.pages())
		if size <= 1<<16 {
			e, err := h.DecodePage(cursor.New(withChecksum(body), 0), wide, entries)
			if err == nil && uint64(len(e.Addrs)) != entries {
				t.Fatalf("%d elements of %d", len(e.Addrs), entries)
			}
		}
	}
}

func fuzzExtArray(t *testing.T, h *ExtArrayHeader, body []byte, n uint16) {
	const most = 1 << 16
	client, offset := []byte{h.client()}, make([]byte, h.offsetWidth())
	if b, err := h.DecodeIndexBlock(blockOf("EAIB", most, body, client, hostileBytes), wide, hostileAddress); err == nil &&
		len(b.Elements.Addrs) != int(h.IndexElements) {
		t.Fatalf("%d elements of %d", len(b.Elements.Addrs), h.IndexElements)
	}
	for _, shift := range []uint{0, 8, 24, 40} {
		place, ok := h.Locate(uint64(n) << shift)
		if !ok || place.InIndex {
			continue
		}
		if place.Super >= 0 {
			_, _ = h.DecodeSuperBlock(blockOf("EASB", most, body, client, hostileBytes, offset), wide, hostileAddress, place.Super)
		}
		if off, size := h.DataBlockRange(wide, place); off+size < off {
			t.Fatalf("elements at %d of %d bytes", off, size)
		}
		_, _ = h.DecodeElements(blockOf("EADB", most, body, client, hostileBytes, offset), wide, hostileAddress, place)
	}
}
