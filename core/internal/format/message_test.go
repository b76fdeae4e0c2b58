package format

import (
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
)

var wide = Sizes{Offset: 8, Length: 8}

// unhex returns the bytes of hex digits; blanks are for reading.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	p, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkTruncations asserts that decode fails on every prefix of p that lacks
// more than the last optional bytes.
func checkTruncations(t *testing.T, p []byte, optional int, decode func(p []byte) error) {
	t.Helper()
	for n := range len(p) - optional {
		if err := decode(p[:n:n]); h5err.KindOf(err) != h5err.Corrupt {
			t.Errorf("the first %d of %d bytes: %v", n, len(p), err)
		}
	}
}

const (
	int32LE = "10080000 04000000 0000 2000"
	undef   = "ffffffffffffffff"
)

func intType(size uint32, signed bool) *Datatype {
	return &Datatype{Class: FixedPoint, Version: 1, Size: size, Precision: uint16(8 * size), Signed: signed, Committed: Undefined}
}

// The bytes are from files of libhdf5 2.0 unless a note says that they are made
// after the specification.
var messageCases = []struct {
	name     string
	typ      MessageType
	hex      string
	want     Body
	optional int // bytes at the end that may be missing
	sizes    Sizes
}{
	{name: "dataspace version 1", typ: MsgDataspace,
		hex:  "01 02 01 00 00000000 0400000000000000 0600000000000000" + undef + "0600000000000000",
		want: Dataspace{Kind: SimpleSpace, Dims: []uint64{4, 6}, MaxDims: []uint64{Unlimited, 6}}},
	{name: "dataspace version 2", typ: MsgDataspace, hex: "02 01 01 01 0800000000000000 0900000000000000",
		want: Dataspace{Kind: SimpleSpace, Dims: []uint64{8}, MaxDims: []uint64{9}}},
	{name: "dataspace with lengths of 4 bytes", typ: MsgDataspace, hex: "02 01 01 01 08000000 ffffffff",
		want: Dataspace{Kind: SimpleSpace, Dims: []uint64{8}, MaxDims: []uint64{Unlimited}}, sizes: Sizes{4, 4}},
	{name: "scalar dataspace version 1", typ: MsgDataspace, hex: "01 00 00 00 00000000", want: Dataspace{Kind: ScalarSpace}},
	{name: "null dataspace", typ: MsgDataspace, hex: "02 00 00 02", want: Dataspace{Kind: NullSpace}},
	{name: "link info of a dense group", typ: MsgLinkInfo, hex: "00 00 2504000000000000 b704000000000000",
		want: LinkInfo{DenseStorage: DenseStorage{Heap: 0x425, NameTree: 0x4b7, OrderTree: Undefined}}},
	{name: "link info with creation order", typ: MsgLinkInfo, hex: "00 03 0300000000000000" + undef + undef + undef,
		want: LinkInfo{DenseStorage: DenseStorage{true, true, Undefined, Undefined, Undefined}, MaxOrder: 3}},
	{name: "attribute info", typ: MsgAttributeInfo, hex: "00 00" + undef + undef,
		want: AttributeInfo{DenseStorage: DenseStorage{Heap: Undefined, NameTree: Undefined, OrderTree: Undefined}}},
	{name: "attribute info with creation order (specification)", typ: MsgAttributeInfo,
		hex:  "00 03 0700 0100000000000000 0200000000000000 0300000000000000",
		want: AttributeInfo{DenseStorage: DenseStorage{true, true, 1, 2, 3}, MaxOrder: 7}},
	{name: "datatype", typ: MsgDatatype, hex: int32LE, want: intType(4, true)},
	{name: "old fill value", typ: MsgFillValueOld, hex: "02000000 0700",
		want: FillValue{State: FillDefined, AllocTime: 2, WriteTime: 2, Value: []byte{7, 0}}},
	{name: "fill value version 1, undefined (specification)", typ: MsgFillValue, hex: "01 02 00 00",
		want: FillValue{State: FillUndefined, AllocTime: 2}},
	{name: "fill value version 2", typ: MsgFillValue, hex: "02 03 02 01 02000000 0700",
		want: FillValue{State: FillDefined, AllocTime: 3, WriteTime: 2, Value: []byte{7, 0}}},
	{name: "fill value version 2, default (specification)", typ: MsgFillValue, hex: "02 01 00 01 00000000",
		want: FillValue{State: FillDefault, AllocTime: 1}},
	{name: "fill value version 3", typ: MsgFillValue, hex: "03 2b 02000000 0700",
		want: FillValue{State: FillDefined, AllocTime: 3, WriteTime: 2, Value: []byte{7, 0}}},
	{name: "fill value version 3, default", typ: MsgFillValue, hex: "03 0a", want: FillValue{AllocTime: 2, WriteTime: 2}},
	{name: "fill value version 3, undefined (specification)", typ: MsgFillValue, hex: "03 15",
		want: FillValue{State: FillUndefined, AllocTime: 1, WriteTime: 1}},
	{name: "hard link", typ: MsgLink, hex: "01 00 01 61 b300000000000000", want: Link{Name: "a", Addr: 0xb3}},
	{name: "hard link with creation order", typ: MsgLink, hex: "01 04 0200000000000000 01 68 b300000000000000",
		want: Link{Name: "h", Addr: 0xb3, Order: 2, HasOrder: true}},
	{name: "soft link", typ: MsgLink, hex: "01 0c 01 0000000000000000 01 73 0200 2f61",
		want: Link{Name: "s", Type: SoftLink, Addr: Undefined, Target: "/a", HasOrder: true}},
	{name: "external link", typ: MsgLink, hex: "01 0c 40 0100000000000000 01 78 0900 00 6f2e683500 2f7000",
		want: Link{Name: "x", Type: ExternalLink, Addr: Undefined, File: "o.h5", Target: "/p", Order: 1, HasOrder: true}},
	{name: "user-defined link in UTF-8 with a long name length (specification)", typ: MsgLink,
		hex:  "01 1b 41 01 0200000000000000 c3a4 0300 010203",
		want: Link{Name: "ä", Charset: UTF8, Type: UserLink, UserType: 65, Addr: Undefined, UserData: []byte{1, 2, 3}}},
	{name: "external data files", typ: MsgExternalFiles,
		hex:  "01 000000 0100 0100 cb02000000000000 0800000000000000 0300000000000000 0400000000000000",
		want: ExternalFiles{Heap: 0x2cb, Files: []ExternalFile{{NameOffset: 8, Offset: 3, Size: 4}}}},
	{name: "compact layout version 1 (specification)", typ: MsgLayout,
		hex:  "01 01 00 0000000000 03000000 03000000 010203",
		want: Layout{Version: 1, Class: CompactLayout, Address: Undefined, Size: 3, Compact: []byte{1, 2, 3}}},
	{name: "contiguous layout version 2 (specification)", typ: MsgLayout,
		hex:  "02 02 01 0000000000 0004000000000000 03000000 04000000",
		want: Layout{Version: 2, Class: ContiguousLayout, Address: 0x400}},
	{name: "chunked layout version 1 (specification)", typ: MsgLayout,
		hex:  "01 02 02 0000000000 0004000000000000 03000000 04000000",
		want: Layout{Version: 1, Class: ChunkedLayout, Address: 0x400, ChunkDims: []uint64{3}, ElemSize: 4}},
	{name: "compact layout version 3 (specification)", typ: MsgLayout, hex: "03 00 0200 0102",
		want: Layout{Version: 3, Class: CompactLayout, Address: Undefined, Size: 2, Compact: []byte{1, 2}}},
	{name: "contiguous layout version 3", typ: MsgLayout, hex: "03 01" + undef + "0800000000000000",
		want: Layout{Version: 3, Class: ContiguousLayout, Address: Undefined, Size: 8}},
	{name: "chunked layout version 3", typ: MsgLayout, hex: "03 02 03" + undef + "02000000 03000000 02000000",
		want: Layout{Version: 3, Class: ChunkedLayout, Address: Undefined, ChunkDims: []uint64{2, 3}, ElemSize: 2}},
	{name: "extensible array", typ: MsgLayout, hex: "05 02 00 03 01 020302 04 20 04 04 10 0a" + undef,
		want: Layout{Version: 5, Class: ChunkedLayout, Address: Undefined, ChunkDims: []uint64{2, 3}, ElemSize: 2,
			Index: ExtensibleArrayIndex, ExtArray: ExtensibleArrayParams{32, 4, 4, 16, 10}}},
	{name: "filtered single chunk", typ: MsgLayout, hex: "05 02 02 03 01 0a0a04 01 1100000000000000 00000000 0008000000000000",
		want: Layout{Version: 5, Class: ChunkedLayout, Address: 0x800, ChunkDims: []uint64{10, 10}, ElemSize: 4,
			Index: SingleChunkIndex, SingleFiltered: true, SingleSize: 17}},
	{name: "implicit index (specification)", typ: MsgLayout, hex: "04 02 01 02 02 00010400 02 0008000000000000",
		want: Layout{Version: 4, Class: ChunkedLayout, Address: 0x800, ChunkDims: []uint64{256}, ElemSize: 4,
			Index: ImplicitIndex, DontFilterPartialEdgeChunks: true}},
	{name: "fixed array (specification)", typ: MsgLayout, hex: "04 02 00 02 01 0504 03 0a 0008000000000000",
		want: Layout{Version: 4, Class: ChunkedLayout, Address: 0x800, ChunkDims: []uint64{5}, ElemSize: 4,
			Index: FixedArrayIndex, FixedArrayPageBits: 10}},
	{name: "version 2 B-tree (specification)", typ: MsgLayout, hex: "04 02 00 02 01 0504 05 00080000 64 28 0008000000000000",
		want: Layout{Version: 4, Class: ChunkedLayout, Address: 0x800, ChunkDims: []uint64{5}, ElemSize: 4,
			Index: BTreeV2Index, BTree2: BTreeV2Params{2048, 100, 40}}},
	{name: "virtual layout (specification)", typ: MsgLayout, hex: "04 03 0008000000000000 02000000",
		want: Layout{Version: 4, Class: VirtualLayout, Address: 0x800, HeapIndex: 2}},
	{name: "group info", typ: MsgGroupInfo, hex: "00 00", want: GroupInfo{8, 6, 4, 8}},
	{name: "group info with all fields (specification)", typ: MsgGroupInfo, hex: "00 03 0100 0200 0300 0400", want: GroupInfo{1, 2, 3, 4}},
	{name: "filter pipeline version 1", typ: MsgFilterPipeline,
		hex: "01 02 000000000000 0200 0800 0100 0100 73687566666c6500 02000000 00000000" +
			"0100 0800 0100 0100 6465666c61746500 04000000 00000000", optional: 4,
		want: FilterPipeline{{2, "shuffle", true, []uint32{2}}, {1, "deflate", true, []uint32{4}}}},
	{name: "filter pipeline version 2", typ: MsgFilterPipeline, hex: "02 02 0200 0100 0100 02000000 0100 0100 0100 04000000",
		want: FilterPipeline{{2, "", true, []uint32{2}}, {1, "", true, []uint32{4}}}},
	{name: "filter pipeline version 2 with a registered filter (specification)", typ: MsgFilterPipeline,
		hex: "02 01 007d 0400 0000 0000 6c7a6600", want: FilterPipeline{{32000, "lzf", false, []uint32{}}}},
	{name: "attribute version 1", typ: MsgAttribute, optional: 8,
		hex: "01 00 0500 0c00 0800 756e697400000000" + int32LE + "00000000" + "01000000 00000000" + "0500000000000000",
		want: Attribute{Name: "unit", Data: []byte{5, 0, 0, 0, 0, 0, 0, 0}, DataOffset: 40,
			Type:  Message{Type: MsgDatatype, Offset: 16, Body: []byte{0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 0x20, 0}},
			Space: Message{Type: MsgDataspace, Offset: 32, Body: []byte{1, 0, 0, 0, 0, 0, 0, 0}}}},
	{name: "attribute version 2 with a shared datatype (specification)", typ: MsgAttribute, optional: 1,
		hex: "02 01 0200 0a00 0400 6100 0202 0003000000000000 02000000 09",
		want: Attribute{Name: "a", Data: []byte{9}, DataOffset: 24,
			Type:  Message{Type: MsgDatatype, Flags: FlagShared, Offset: 10, Body: []byte{2, 2, 0, 3, 0, 0, 0, 0, 0, 0}},
			Space: Message{Type: MsgDataspace, Offset: 20, Body: []byte{2, 0, 0, 0}}}},
	{name: "attribute version 3", typ: MsgAttribute, optional: 4,
		hex: "03 00 0500 0c00 0400 00 756e697400" + int32LE + "02000002 05000000",
		want: Attribute{Name: "unit", Data: []byte{5, 0, 0, 0}, DataOffset: 30,
			Type:  Message{Type: MsgDatatype, Offset: 14, Body: []byte{0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 0x20, 0}},
			Space: Message{Type: MsgDataspace, Offset: 26, Body: []byte{2, 0, 0, 2}}}},
	{name: "comment (specification)", typ: MsgComment, hex: "686900", optional: 3, want: Comment("hi")},
	// 1998-12-31 23:59:59 UTC is 915148799 in every calendar.
	{name: "old modification time (specification)", typ: MsgModTimeOld, hex: "3139393831323331323335393539 0000", optional: 2,
		want: ModificationTime(915148799)},
	{name: "modification time (specification)", typ: MsgModTime, hex: "01 000000 7f118c36", want: ModificationTime(0x368c117f)},
	{name: "shared message table (specification)", typ: MsgSharedTable, hex: "00 0003000000000000 02",
		want: SharedMessageTable{Addr: 0x300, Indexes: 2}},
	{name: "continuation", typ: MsgContinuation, hex: "7805000000000000 7000000000000000", want: Continuation{0x578, 0x70}},
	{name: "symbol table", typ: MsgSymbolTable, hex: "8800000000000000 a802000000000000", want: SymbolTable{0x88, 0x2a8}},
	{name: "B-tree K values (specification)", typ: MsgBTreeK, hex: "00 2000 1000 0400", want: BTreeK{32, 16, 4}},
	{name: "driver info (specification)", typ: MsgDriverInfo, hex: "00 4e43534166616d69 0200 0102",
		want: DriverInfo{"NCSAfami", []byte{1, 2}}},
	{name: "reference count", typ: MsgRefCount, hex: "00 02000000", want: ReferenceCount(2)},
	{name: "file space info version 0 (specification)", typ: MsgFileSpaceInfo,
		hex: "00 01 0200000000000000 01000000 02000000 03000000 04000000 05000000 ffffffff", sizes: Sizes{Offset: 4, Length: 8},
		want: FileSpaceInfo{Persist: true, Threshold: 2, EndOfAllocation: Undefined, Managers: []uint64{1, 2, 3, 4, 5, Undefined}}},
	{name: "file space info version 1 (specification)", typ: MsgFileSpaceInfo,
		hex:  "01 01 00 0100000000000000 0010000000000000 0700" + undef,
		want: FileSpaceInfo{Version: 1, Strategy: PagedAggregation, Threshold: 1, PageSize: 4096, PageEndThreshold: 7, EndOfAllocation: Undefined}},
	{name: "metadata cache image", typ: MsgCacheImage, hex: "00 0004000000000000 2000000000000000", want: CacheImage{0x400, 32}},
	{name: "bogus", typ: MsgBogus, hex: "efbeadde", optional: 4, want: Raw{0xef, 0xbe, 0xad, 0xde}},
	{name: "NIL", typ: MsgNil, hex: "0000", optional: 2, want: Raw{0, 0}},
}

func TestMessagesDecode(t *testing.T) {
	for _, tc := range messageCases {
		t.Run(tc.name, func(t *testing.T) {
			z := tc.sizes
			if z == (Sizes{}) {
				z = wide
			}
			p := unhex(t, tc.hex)
			decode := func(p []byte) (Body, error) { return (&Message{Type: tc.typ, Body: p}).Decode(z) }
			got, err := decode(p)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got\n%+v, want\n%+v", got, tc.want)
			}
			checkTruncations(t, p, tc.optional, func(p []byte) error { _, err := decode(p); return err })
		})
	}
}

func TestMessagesThatContradictTheSpecificationAreRefused(t *testing.T) {
	for _, tc := range []struct {
		name string
		typ  MessageType
		hex  string
		kind h5err.Kind
	}{
		{"maximum below the size", MsgDataspace, "02 01 01 01 0800000000000000 0700000000000000", h5err.Corrupt},
		{"rank 33", MsgDataspace, "02 21 00 01" + strings.Repeat("0100000000000000", 33), h5err.Corrupt},
		{"scalar with dimensions", MsgDataspace, "02 01 00 00 0800000000000000", h5err.Corrupt},
		{"dataspace version 3", MsgDataspace, "03 00 00 02", h5err.Unsupported},
		{"dataspace version 0", MsgDataspace, "00 00 00 02", h5err.Corrupt},
		{"link of an unknown type", MsgLink, "01 08 02 01 61 0000", h5err.Unsupported},
		{"link without a name", MsgLink, "01 00 00 b300000000000000", h5err.Corrupt},
		{"link with a NUL in the name", MsgLink, "01 00 01 00 b300000000000000", h5err.Corrupt},
		{"soft link without a target", MsgLink, "01 08 01 01 61 0000", h5err.Corrupt},
		{"name of 2^63 bytes", MsgLink, "01 03 0000000000000080 61", h5err.Corrupt},
		{"external link of version 1", MsgLink, "01 08 40 01 78 0400 10 6100 6200", h5err.Unsupported},
		{"chunk of no size", MsgLayout, "03 02 02" + undef + "00000000 02000000", h5err.Corrupt},
		{"chunk above 2^64 bytes", MsgLayout, "04 02 00 04 08 0000000001000000 0000000001000000 0000000001000000 0400000000000000 02" + undef, h5err.Corrupt},
		{"chunk without dimensions", MsgLayout, "03 02 01" + undef + "02000000", h5err.Corrupt},
		{"virtual layout in version 3", MsgLayout, "03 03" + undef + "00000000", h5err.Corrupt},
		{"version 1 B-tree in version 4", MsgLayout, "04 02 00 02 01 0504 00" + undef, h5err.Corrupt},
		{"unknown chunk index", MsgLayout, "04 02 00 02 01 0504 06" + undef, h5err.Unsupported},
		{"layout version 6", MsgLayout, "06 01" + undef + "0800000000000000", h5err.Unsupported},
		{"compact data above the message", MsgLayout, "01 01 00 0000000000 03000000 ffffffff 010203", h5err.Corrupt},
		{"33 filters", MsgFilterPipeline, "02 21", h5err.Corrupt},
		{"filter name of 7 bytes in version 1", MsgFilterPipeline, "01 01 000000000000 0200 0700 0100 0000 73687566666c6500", h5err.Corrupt},
		{"attribute name that ends early", MsgAttribute, "03 00 0500 0c00 0400 00 756e000000" + int32LE + "02000002", h5err.Corrupt},
		{"attribute name that does not end", MsgAttribute, "03 00 0400 0c00 0400 00 756e6974" + int32LE + "02000002", h5err.Corrupt},
		{"attribute without a name", MsgAttribute, "03 00 0000 0c00 0400 00" + int32LE + "02000002", h5err.Corrupt},
		{"fill value both defined and undefined", MsgFillValue, "03 30 00000000", h5err.Corrupt},
		{"date with a letter", MsgModTimeOld, "3139393831323331323335393541", h5err.Corrupt},
		{"continuation to nowhere", MsgContinuation, undef + "7000000000000000", h5err.Corrupt},
	} {
		_, err := (&Message{Type: tc.typ, Body: unhex(t, tc.hex)}).Decode(wide)
		if !errors.Is(err, tc.kind) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.kind)
		}
	}
}

func TestUnknownMessagesAreKeptUnlessTheyForbidIt(t *testing.T) {
	m := Message{Type: 0x77, Body: []byte{1}, Flags: FlagFailUnknownWrite}
	if b, err := m.Decode(wide); err != nil || !reflect.DeepEqual(b, Raw{1}) {
		t.Error(b, err)
	}
	m.Flags = FlagFailUnknown
	if _, err := m.Decode(wide); !errors.Is(err, h5err.Unsupported) {
		t.Error(err)
	}
}

func TestSharedMessages(t *testing.T) {
	for name, tc := range map[string]struct {
		hex  string
		want Shared
	}{
		"version 1 with the address only":         {"01 00 000000000000 0003000000000000", Shared{Addr: 0x300}},
		"version 1 with the offset of a name too": {"01 00 000000000000 0800000000000000 0003000000000000", Shared{Addr: 0x300}},
		"version 2":                   {"02 00 0003000000000000", Shared{Addr: 0x300}},
		"version 3, committed":        {"03 02 0003000000000000", Shared{Addr: 0x300}},
		"version 3, in the heap":      {"03 01 0001020304050607", Shared{InHeap: true, HeapID: [8]byte{0, 1, 2, 3, 4, 5, 6, 7}, Addr: Undefined}},
		"version 2, old heap of none": {"02 01 0003000000000000", Shared{Addr: 0x300}},
	} {
		p := unhex(t, tc.hex)
		decode := func(p []byte) (Body, error) {
			return (&Message{Type: MsgDatatype, Flags: FlagShared, Body: p}).Decode(wide)
		}
		if got, err := decode(p); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if name != "version 1 with the offset of a name too" { // cut off, it is the other form
			checkTruncations(t, p, 0, func(p []byte) error { _, err := decode(p); return err })
		}
	}
}

func TestErrorsTellStructureAndFileOffset(t *testing.T) {
	_, err := DecodeLayout(cursor.New([]byte{3, 9}, 1000), wide)
	var e *h5err.Error
	if !errors.As(err, &e) || e.Structure != "data layout message" || e.Offset != 1002 {
		t.Errorf("%v", err)
	}
}
