package format

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
)

// structureCase is a structure of the file's infrastructure (spec II, III, IV.A.1
// and VII), its bytes after the specification, and what they mean.
type structureCase struct {
	name   string
	hex    string
	sum    bool // a checksum is added
	decode func(c *cursor.Cursor, z Sizes) (string, error)
	want   string
}

func show[T any](v T, err error) (string, error) { return fmt.Sprintf("%+v", v), err }

// sized makes a decode of one that needs more than a cursor and sizes.
func sized[T any](decode func(c *cursor.Cursor, z Sizes) (T, error)) func(c *cursor.Cursor, z Sizes) (string, error) {
	return func(c *cursor.Cursor, z Sizes) (string, error) { return show(decode(c, z)) }
}

const (
	superblockStart = "89 48 44 46 0d 0a 1a 0a"
	zero            = "0000000000000000"
	rootEntry       = zero + "6000000000000000 01000000 00000000 8800000000000000 a802000000000000"
)

var (
	linkTree = BTreeV2Header{Type: LinkNameRecords, NodeSize: 512, RecordSize: 11, levels: []btreeV2Level{{maxRecords: 45}, {maxRecords: 24, totalWidth: 2}}}
	heap     = FractalHeapHeader{IDLength: 7, ChecksumsBlocks: true, MaxManaged: 4096, Width: 4, StartBlock: 512,
		MaxDirect: 65536, MaxBits: 32, startBits: 9, widthBits: 2}
	smallHeap = FractalHeapHeader{IDLength: 8, ChecksumsBlocks: true, MaxManaged: 64, Width: 2, StartBlock: 32,
		MaxDirect: 32, MaxBits: 16, startBits: 5, widthBits: 1}
	plainArray  = FixedArrayHeader{elementForm: elementForm{ElementSize: 8}, PageBits: 10, Entries: 2}
	pagedArray  = FixedArrayHeader{elementForm: elementForm{ElementSize: 8}, PageBits: 1, Entries: 5}
	filterArray = FixedArrayHeader{elementForm: elementForm{true, 14}, PageBits: 10, Entries: 1}
	growing     = ExtArrayHeader{elementForm: elementForm{ElementSize: 8}, MaxBits: 4, IndexElements: 1, MinElements: 1,
		MinPointers: 2, PageBits: 1, MaxIndexSet: 9}
)

var structureCases = []structureCase{
	{"superblock 0", superblockStart + "00 00 00 00 00 08 08 00 0400 1000 00000000" + zero + undef + "0008000000000000" + undef + rootEntry, false,
		decodeSuperblock,
		"{Version:0 Sizes:{Offset:8 Length:8} Flags:0 GroupLeafK:4 GroupInternalK:16 ChunkK:32 Base:0 Extension:18446744073709551615 EndOfFile:2048 Driver:18446744073709551615 Root:96 RootEntry:{NameOffset:0 Header:96 CacheType:1 BTree:136 Heap:680 TargetOffset:0}}"},
	{"superblock 1", superblockStart + "01 00 00 00 00 04 04 00 0500 1100 00000000 2100 0000 00020000 ffffffff 00080000 80000000 00000000 60000000 00000000 00000000 00000000000000000000000000000000", false,
		decodeSuperblock,
		"{Version:1 Sizes:{Offset:4 Length:4} Flags:0 GroupLeafK:5 GroupInternalK:17 ChunkK:33 Base:512 Extension:18446744073709551615 EndOfFile:2048 Driver:128 Root:96 RootEntry:{NameOffset:0 Header:96 CacheType:0 BTree:18446744073709551615 Heap:18446744073709551615 TargetOffset:0}}"},
	{"superblock 3", superblockStart + "03 08 08 05" + zero + "3000000000000000 0004000000000000 8000000000000000", true,
		decodeSuperblock,
		"{Version:3 Sizes:{Offset:8 Length:8} Flags:5 GroupLeafK:4 GroupInternalK:16 ChunkK:32 Base:0 Extension:48 EndOfFile:1024 Driver:18446744073709551615 Root:128 RootEntry:{NameOffset:0 Header:0 CacheType:0 BTree:0 Heap:0 TargetOffset:0}}"},
	{"driver information block", "00 000000 08000000 4e43534166616d69 0010000000000000", false,
		func(c *cursor.Cursor, _ Sizes) (string, error) { return show(DecodeDriverInfoBlock(c)) },
		"{Driver:NCSAfami Data:[0 16 0 0 0 0 0 0]}"},
	{"symbol table node", "534e4f44 01 00 0200 0800000000000000 2003000000000000 00000000 00000000" + zero + zero +
		"1000000000000000 ffffffffffffffff 02000000 00000000 18000000 00000000 0000000000000000", false,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(DecodeSymbolTableNode(c, z, 4)) },
		"[{NameOffset:8 Header:800 CacheType:0 BTree:18446744073709551615 Heap:18446744073709551615 TargetOffset:0} {NameOffset:16 Header:18446744073709551615 CacheType:2 BTree:18446744073709551615 Heap:18446744073709551615 TargetOffset:24}]"},
	{"local heap", "48454150 00 000000 5800000000000000 1000000000000000 c802000000000000", false,
		sized(DecodeLocalHeap), "{SegmentSize:88 FreeHead:16 Segment:712}"},
	{"group B-tree node", "54524545 00 01 0200" + undef + undef + zero + "1005000000000000 0800000000000000 2005000000000000 1000000000000000", false,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(DecodeGroupBTreeV1Node(c, z, 16)) },
		"{BTreeV1Node:{Type:0 Level:1 Entries:2 Left:18446744073709551615 Right:18446744073709551615} Keys:[0 8 16] Children:[1296 1312]}"},
	{"chunk B-tree node", "54524545 01 00 0200" + undef + undef +
		"40000000 00000000" + zero + "0500000000000000" + zero + "0010000000000000" +
		"41000000 01000000 0400000000000000 0000000000000000" + zero + "0020000000000000", false,
		func(c *cursor.Cursor, z Sizes) (string, error) {
			return show(DecodeChunkBTreeV1Node(c, z, 32, []uint64{2, 5}))
		},
		"{BTreeV1Node:{Type:1 Level:0 Entries:2 Left:18446744073709551615 Right:18446744073709551615} Rank:2 Words:[0 1 4096 64 2 0 8192 4294967361]}"},
	{"version 2 B-tree header", "42544844 00 05 00020000 0b00 0100 64 28 0010000000000000 0300 6000000000000000", true,
		sized(DecodeBTreeV2Header),
		"{Type:5 NodeSize:512 RecordSize:11 Depth:1 SplitPercent:100 MergePercent:40 Root:4096 RootRecords:3 TotalRecords:96 levels:[{maxRecords:45 totalWidth:0} {maxRecords:24 totalWidth:2}]}"},
	{"version 2 B-tree leaf", "42544c46 00 05 01000000 00000000000001 02000000 00000000000002", true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(linkTree.DecodeNode(c, z, 0, 2)) },
		"{Level:0 Count:2 Records:[1 0 0 0 0 0 0 0 0 0 1 2 0 0 0 0 0 0 0 0 0 2] Children:[]}"},
	{"version 2 B-tree internal node", "4254494e 00 05 01000000 00000000000001 0020000000000000 2d 0030000000000000 05", true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(linkTree.DecodeNode(c, z, 1, 1)) },
		"{Level:1 Count:1 Records:[1 0 0 0 0 0 0 0 0 0 1] Children:[{Addr:8192 Records:45} {Addr:12288 Records:5}]}"},
	{"link name record", "78563412 00 0102030405 06", false,
		func(c *cursor.Cursor, _ Sizes) (string, error) { return show(DecodeLinkNameRecord(c)) },
		"{Hash:305419896 ID:[0 1 2 3 4 5 6]}"},
	{"link creation order record", "0700000000000000 00010203040506", false,
		func(c *cursor.Cursor, _ Sizes) (string, error) { return show(DecodeLinkOrderRecord(c)) },
		"{Order:7 ID:[0 1 2 3 4 5 6]}"},
	{"attribute name record", "0001020304050607 04 09000000 78563412", false,
		func(c *cursor.Cursor, _ Sizes) (string, error) {
			return show(DecodeAttributeRecord(c, AttributeNameRecords))
		},
		"{ID:[0 1 2 3 4 5 6 7] Flags:4 Order:9 Hash:305419896}"},
	{"huge object record, indirect", "0010000000000000 0002000000000000 0300000000000000", false,
		func(c *cursor.Cursor, z Sizes) (string, error) {
			return show(DecodeHugeRecord(c, z, HugeIndirectRecords))
		},
		"{Addr:4096 Size:512 Mask:0 Full:512 Key:3}"},
	{"huge object record, indirect and filtered", "0010000000000000 0002000000000000 05000000 0004000000000000 0300000000000000", false,
		func(c *cursor.Cursor, z Sizes) (string, error) {
			return show(DecodeHugeRecord(c, z, HugeIndirectFilteredRecords))
		},
		"{Addr:4096 Size:512 Mask:5 Full:1024 Key:3}"},
	{"huge object record, direct and filtered", "0010000000000000 0002000000000000 05000000 0004000000000000", false,
		func(c *cursor.Cursor, z Sizes) (string, error) {
			return show(DecodeHugeRecord(c, z, HugeDirectFilteredRecords))
		},
		"{Addr:4096 Size:512 Mask:5 Full:1024 Key:0}"},
	{"fractal heap header", "46524850 00 0700 0000 02 00100000" + zero + undef + "f001000000000000" + undef +
		"0002000000000000 0002000000000000 0000000000000000 0200000000000000" + zero + "0100000000000000" + zero + "0300000000000000" +
		"0400 0002000000000000 0000010000000000 2000 0100 0010000000000000 0000", true,
		sized(DecodeFractalHeapHeader),
		"{IDLength:7 FilterLength:0 ChecksumsBlocks:true MaxManaged:4096 HugeBTree:18446744073709551615 ManagedObjects:2 HugeObjects:1 TinyObjects:3 Width:4 StartBlock:512 MaxDirect:65536 MaxBits:32 Root:4096 RootRows:0 RootSize:0 RootMask:0 Pipeline:[] startBits:9 widthBits:2}"},
	{"fractal heap indirect block", "46484942 00 0001000000000000 0000 0010000000000000" + undef + "0020000000000000" + undef +
		"0030000000000000" + undef, true,
		func(c *cursor.Cursor, z Sizes) (string, error) {
			return show(smallHeap.DecodeIndirectBlock(c, z, 256, 0, 3))
		},
		"[{Addr:4096 Size:0 Mask:0} {Addr:18446744073709551615 Size:0 Mask:0} {Addr:8192 Size:0 Mask:0} {Addr:18446744073709551615 Size:0 Mask:0} {Addr:12288 Size:0 Mask:0} {Addr:18446744073709551615 Size:0 Mask:0}]"},
	{"heap ID of a managed object", "00 34120000 2000", false, sized(heap.DecodeHeapID),
		"{Kind:0 Offset:4660 Length:32 Direct:false Huge:{Addr:0 Size:0 Mask:0 Full:0 Key:0} Tiny:[]}"},
	{"heap ID of a huge object", "10 070000000000", false, sized(heap.DecodeHeapID),
		"{Kind:1 Offset:0 Length:0 Direct:false Huge:{Addr:0 Size:0 Mask:0 Full:0 Key:7} Tiny:[]}"},
	{"heap ID of a tiny object", "22 616263", false, sized(heap.DecodeHeapID),
		"{Kind:2 Offset:0 Length:0 Direct:false Huge:{Addr:0 Size:0 Mask:0 Full:0 Key:0} Tiny:[97 98 99]}"},
	{"heap ID of an extended tiny object", "20 02 616263", false,
		sized((&FractalHeapHeader{IDLength: 40, MaxDirect: 512, MaxBits: 16}).DecodeHeapID),
		"{Kind:2 Offset:0 Length:0 Direct:false Huge:{Addr:0 Size:0 Mask:0 Full:0 Key:0} Tiny:[97 98 99]}"},
	{"heap ID of a huge object with its address", "10 0010000000000000 0002000000000000", false,
		sized((&FractalHeapHeader{IDLength: 17, MaxDirect: 512, MaxBits: 16}).DecodeHeapID),
		"{Kind:1 Offset:0 Length:0 Direct:true Huge:{Addr:4096 Size:512 Mask:0 Full:512 Key:0} Tiny:[]}"},
	{"shared message table", "534d5442 00 01 1f00 32000000 1e00 1900 0200 0010000000000000 0020000000000000", true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(DecodeSharedMessageIndexes(c, z, 1)) },
		"[{BTree:true MessageTypes:31 MinSize:50 ListCutoff:30 BTreeCutoff:25 Messages:2 Index:4096 Heap:8192}]"},
	{"shared message list", "534d4c49 00 11000000 03000000 0001020304050607 01 12000000 00 03 0100 0010000000000000", true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(DecodeSharedMessageList(c, z, 2)) },
		"[{InHeader:false Hash:17 RefCount:3 ID:[0 1 2 3 4 5 6 7] Type:NIL message Number:0 Header:0} {InHeader:true Hash:18 RefCount:0 ID:[] Type:datatype message Number:1 Header:4096}]"},
	{"object header 1", "01 00 0200 01000000 18000000 00000000 1200 0800 00 000000 0100000000000000 0000 0000 00 000000", false, decodeHeader,
		"refs 1: [{Type:object modification time message Flags:0 CreationOrder:0 Body:[1 0 0 0 0 0 0 0] Offset:24} {Type:NIL message Flags:0 CreationOrder:0 Body:[] Offset:40}]"},
	{"object header 2", "4f484452 02 34 01000000 02000000 03000000 04000000 0800 0600 09 05 0200 01 0700 aabb cc", true, decodeHeader,
		"refs 1, times 1 2 3 4, 8 to 6: [{Type:fill value message Flags:1 CreationOrder:7 Body:[170 187] Offset:33}]"},
	{"object header continuation block", "4f43484b 05 0200 01 aabb 00 0000", true,
		func(c *cursor.Cursor, _ Sizes) (string, error) {
			h := ObjectHeader{Version: 2}
			return show(h.ContinuationMessages(c, nil))
		},
		"[{Type:fill value message Flags:1 CreationOrder:0 Body:[170 187] Offset:8}]"},
	{"fixed array header", "46414844 00 01 0e 0a 0500000000000000 0010000000000000", true, sized(DecodeFixedArrayHeader),
		"{elementForm:{Filtered:true ElementSize:14} PageBits:10 Entries:5 DataBlock:4096}"},
	{"fixed array data block", "46414442 00 00 0001000000000000 0010000000000000" + undef, true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(plainArray.DecodeDataBlock(c, z, 256)) },
		"{Elements:{Addrs:[4096 18446744073709551615] Sizes:[] Masks:[]} bitmap:[]}"},
	{"fixed array data block, filtered", "46414442 00 01 0001000000000000 0010000000000000 2a01 03000000", true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(filterArray.DecodeDataBlock(c, z, 256)) },
		"{Elements:{Addrs:[4096] Sizes:[298] Masks:[3]} bitmap:[]}"},
	{"fixed array data block, paged", "46414442 00 00 0001000000000000 a0", true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(pagedArray.DecodeDataBlock(c, z, 256)) },
		"{Elements:{Addrs:[] Sizes:[] Masks:[]} bitmap:[160]}"},
	{"fixed array data block page", "0010000000000000 0020000000000000", true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(pagedArray.DecodePage(c, z, 2)) },
		"{Addrs:[4096 8192] Sizes:[] Masks:[]}"},
	{"extensible array header", "45414844 00 00 08 20 04 10 04 0a" + zero + zero + zero + zero + "0700000000000000 1400000000000000 0010000000000000", true,
		sized(DecodeExtArrayHeader),
		"{elementForm:{Filtered:false ElementSize:8} MaxBits:32 IndexElements:4 MinElements:16 MinPointers:4 PageBits:10 MaxIndexSet:7 IndexBlock:4096}"},
	{"extensible array index block", "45414942 00 00 0001000000000000 0010000000000000 0020000000000000" + undef +
		"0030000000000000" + undef + undef, true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(growing.DecodeIndexBlock(c, z, 256)) },
		"{Elements:{Addrs:[4096] Sizes:[] Masks:[]} DataBlocks:[8192 18446744073709551615] SuperBlocks:[12288 18446744073709551615 18446744073709551615]}"},
	{"extensible array super block, paged", "45415342 00 00 0001000000000000 03 c0 80 0030000000000000" + undef, true,
		func(c *cursor.Cursor, z Sizes) (string, error) { return show(growing.DecodeSuperBlock(c, z, 256, 1)) },
		"{DataBlocks:[12288 18446744073709551615] pages:2 bitmap:[192 128]}"},
	{"extensible array data block", "45414442 00 00 0001000000000000 01 0010000000000000 0020000000000000", true,
		func(c *cursor.Cursor, z Sizes) (string, error) {
			return show(growing.DecodeElements(c, z, 256, ExtArrayPlace{Count: 2}))
		},
		"{Addrs:[4096 8192] Sizes:[] Masks:[]}"},
	{"extensible array data block page", "0010000000000000 0020000000000000", true,
		func(c *cursor.Cursor, z Sizes) (string, error) {
			return show(growing.DecodeElements(c, z, 256, ExtArrayPlace{Count: 2, Paged: true}))
		},
		"{Addrs:[4096 8192] Sizes:[] Masks:[]}"},
}

func decodeSuperblock(c *cursor.Cursor, _ Sizes) (string, error) { return show(DecodeSuperblock(c)) }

func decodeHeader(c *cursor.Cursor, _ Sizes) (string, error) {
	prefix := *c
	h, err := DecodeObjectHeader(&prefix)
	if err != nil {
		return "", err
	}
	m, err := h.FirstChunkMessages(c, nil)
	s := fmt.Sprintf("refs %d", h.RefCount)
	if h.HasTimes {
		s += fmt.Sprintf(", times %d %d %d %d", h.Access, h.Modified, h.Change, h.Birth)
		s += fmt.Sprintf(", %d to %d", h.MaxCompact, h.MinDense)
	}
	return fmt.Sprintf("%s: %+v", s, m), err
}

func (tc *structureCase) bytes(t testing.TB) []byte {
	p := unhex(t, tc.hex)
	if tc.sum {
		p = withChecksum(p)
	}
	return p
}

func TestInfrastructure(t *testing.T) {
	for _, tc := range structureCases {
		t.Run(tc.name, func(t *testing.T) {
			p := tc.bytes(t)
			sizes := wide
			if tc.name == "superblock 1" {
				sizes = Sizes{4, 4}
			}
			got, err := tc.decode(cursor.New(p, 0), sizes)
			if err != nil {
				t.Fatal(err)
			}
			if got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			checkTruncations(t, p, 0, func(p []byte) error {
				_, err := tc.decode(cursor.New(p, 0), sizes)
				return err
			})
		})
	}
}

func TestChecksumOfInfrastructureIsVerified(t *testing.T) {
	for _, tc := range structureCases {
		if !tc.sum {
			continue
		}
		p := tc.bytes(t)
		for i := range p {
			p[i] ^= 0x10
			_, err := tc.decode(cursor.New(p, 0), wide)
			p[i] ^= 0x10
			if err == nil {
				t.Errorf("%s: a flip at %d goes unnoticed", tc.name, i)
			}
		}
	}
}

func TestInfrastructureErrorsNameStructureAndOffset(t *testing.T) {
	p := unhex(t, "48454151 00 000000"+zero+zero+zero)
	_, err := DecodeLocalHeap(cursor.New(p, 1000), wide)
	var e *h5err.Error
	if !errors.As(err, &e) || e.Kind != h5err.Corrupt || e.Structure != "local heap" || e.Offset != 1000 {
		t.Errorf("got %v", err)
	}
}

func TestNewerVersionsAreUnsupported(t *testing.T) {
	for _, tc := range []struct {
		hex    string
		decode func(c *cursor.Cursor, z Sizes) (string, error)
	}{
		{superblockStart + "04 08 08 00", decodeSuperblock},
		{"48454150 01 000000", sized(DecodeLocalHeap)},
		{"42544844 01 05", sized(DecodeBTreeV2Header)},
		{"46524850 01 0700", sized(DecodeFractalHeapHeader)},
		{"40 070000000000", sized(heap.DecodeHeapID)},
		{"46414844 01 00", sized(DecodeFixedArrayHeader)},
		{"45414844 01 00", sized(DecodeExtArrayHeader)},
		{"4f484452 03 00", decodeHeader},
	} {
		p := append(unhex(t, tc.hex), bytes.Repeat([]byte{0}, 200)...)
		if _, err := tc.decode(cursor.New(p, 0), wide); h5err.KindOf(err) != h5err.Unsupported {
			t.Errorf("%s: %v", tc.hex, err)
		}
	}
}

func FuzzInfrastructure(f *testing.F) {
	for i, tc := range structureCases {
		f.Add(uint8(i), tc.bytes(f))
		f.Add(uint8(i), unhex(f, tc.hex))
	}
	f.Fuzz(func(t *testing.T, i uint8, p []byte) {
		tc := structureCases[int(i)%len(structureCases)]
		for _, z := range []Sizes{{8, 8}, {4, 4}, {2, 32}} {
			_, _ = tc.decode(cursor.New(p, 0), z)
			// With a right checksum the rest of the decode is reached.
			_, _ = tc.decode(cursor.New(withChecksum(p), 0), z)
		}
		if h, err := DecodeFractalHeapHeader(cursor.New(withChecksum(p), 0), wide); err == nil {
			_, row, within := h.Locate(uint64(len(p)) << (i % 64))
			if row < 64 && within >= h.BlockSize(row) {
				t.Fatalf("%d bytes in a block of %d", within, h.BlockSize(row))
			}
		}
		if h, err := DecodeExtArrayHeader(cursor.New(withChecksum(p), 0), wide); err == nil {
			if at, ok := h.Locate(uint64(len(p)) << (i % 48)); ok && at.Element >= at.Count {
				t.Fatalf("element %d of %d", at.Element, at.Count)
			}
		}
	})
}
