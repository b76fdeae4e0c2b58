package format

import (
	"errors"
	"reflect"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
)

func decodeSelectionBytes(p []byte) (EncodedSelection, error) {
	return DecodeSelection(cursor.New(p, 0))
}

// Made after the specification, section VIII.A, except where noted.
var selectionCases = []struct {
	name, hex string
	want      EncodedSelection
}{
	{"none", "00000000 01000000 0000000000000000", EncodedSelection{Kind: SelectNone}},
	{"all", "03000000 01000000 0000000000000000", EncodedSelection{Kind: SelectAll}},
	{"points version 1 (libhdf5)", "01000000 01000000 00000000 18000000 02000000 02000000 00000000 01000000 03000000 05000000",
		EncodedSelection{Kind: SelectPoints, Rank: 2, Points: []uint64{0, 1, 3, 5}}},
	{"points version 2", "01000000 02000000 08 01000000 0100000000000000 0000000001000000",
		EncodedSelection{Kind: SelectPoints, Rank: 1, Points: []uint64{1 << 32}}},
	{"hyperslab version 1 (libhdf5)", "02000000 01000000 00000000 18000000 02000000 01000000 01000000 02000000 02000000 03000000",
		EncodedSelection{Kind: SelectHyperslab, Rank: 2, Blocks: []uint64{1, 2, 2, 3}}},
	{"hyperslab version 2", "02000000 02000000 01 24000000 01000000 0100000000000000 0300000000000000 ffffffffffffffff 0200000000000000",
		EncodedSelection{Kind: SelectHyperslab, Rank: 1, Start: []uint64{1}, Stride: []uint64{3}, Count: []uint64{Unlimited}, Block: []uint64{2}}},
	{"regular hyperslab version 3", "02000000 03000000 01 02 01000000 0100 0300 ffff 0200",
		EncodedSelection{Kind: SelectHyperslab, Rank: 1, Start: []uint64{1}, Stride: []uint64{3}, Count: []uint64{Unlimited}, Block: []uint64{2}}},
	{"irregular hyperslab version 3", "02000000 03000000 00 02 01000000 0200 0100 0200 0500 0500",
		EncodedSelection{Kind: SelectHyperslab, Rank: 1, Blocks: []uint64{1, 2, 5, 5}}},
}

func TestEncodedSelections(t *testing.T) {
	for _, tc := range selectionCases {
		p := unhex(t, tc.hex)
		got, err := decodeSelectionBytes(p)
		if err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, %v", tc.name, got, err)
		}
		checkTruncations(t, p, 0, func(p []byte) error { _, err := decodeSelectionBytes(p); return err })
	}
}

func TestEncodedSelectionsAreBounded(t *testing.T) {
	for _, tc := range []struct {
		name, hex string
		kind      h5err.Kind
	}{
		{"rank 0", "01000000 01000000 00000000 18000000 00000000 02000000 00000000", h5err.Corrupt},
		{"rank 33", "01000000 01000000 00000000 18000000 21000000 00000000", h5err.Corrupt},
		{"2^64-1 points", "01000000 02000000 08 20000000 ffffffffffffffff", h5err.Corrupt},
		{"block that ends before it begins", "02000000 01000000 00000000 18000000 01000000 01000000 02000000 01000000", h5err.Corrupt},
		{"numbers of 3 bytes", "01000000 02000000 03 01000000 000000", h5err.Corrupt},
		{"stride 0", "02000000 03000000 01 02 01000000 0100 0000 0200 0100", h5err.Corrupt},
		{"type 4", "04000000 01000000 0000000000000000", h5err.Unsupported},
		{"version 4", "02000000 04000000 01 02 01000000 0100 0300 0200 0200", h5err.Unsupported},
		{"version 0", "03000000 00000000 0000000000000000", h5err.Corrupt},
	} {
		if _, err := decodeSelectionBytes(unhex(t, tc.hex)); !errors.Is(err, tc.kind) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.kind)
		}
	}
}

func TestRegionReference(t *testing.T) {
	// The first global heap object of h5py's d.regionref[1:3, 2:4].
	p := unhex(t, "2003000000000000 02000000 01000000 00000000 18000000 02000000 01000000 01000000 02000000 02000000 03000000")
	decode := func(p []byte) (RegionReference, error) { return DecodeRegionReference(cursor.New(p, 0), wide) }
	got, err := decode(p)
	want := RegionReference{0x320, EncodedSelection{Kind: SelectHyperslab, Rank: 2, Blocks: []uint64{1, 2, 2, 3}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	checkTruncations(t, p, 0, func(p []byte) error { _, err := decode(p); return err })
}

func TestRevisedReferenceElements(t *testing.T) {
	heap := GlobalHeapID{0x800, 3}
	for name, tc := range map[string]struct {
		hex  string
		want ReferenceElement
	}{
		"object in this file": {"02 00 08 0003000000000000 00000000000000",
			ReferenceElement{Kind: ObjectReference2, Inline: true, ReferenceBlock: ReferenceBlock{Token: []byte{0, 3, 0, 0, 0, 0, 0, 0}}}},
		"object in another file": {"02 01 10000000 0008000000000000 03000000",
			ReferenceElement{Kind: ObjectReference2, External: true, Size: 16, Heap: heap}},
		"region":    {"03 00 20000000 0008000000000000 03000000", ReferenceElement{Kind: RegionReference2, Size: 32, Heap: heap}},
		"attribute": {"04 00 20000000 0008000000000000 03000000", ReferenceElement{Kind: AttributeReference, Size: 32, Heap: heap}},
		"null":      {"00 00 00000000 0000000000000000 00000000", ReferenceElement{Null: true}},
	} {
		p := unhex(t, tc.hex)
		decode := func(p []byte) (ReferenceElement, error) { return DecodeReferenceElement(cursor.New(p, 0), wide) }
		if got, err := decode(p); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		checkTruncations(t, p, 0, func(p []byte) error { _, err := decode(p); return err })
	}
}

func TestRevisedReferenceBlocks(t *testing.T) {
	token := []byte{0, 3, 0, 0, 0, 0, 0, 0}
	for name, tc := range map[string]struct {
		kind     ReferenceKind
		external bool
		hex      string
		want     ReferenceBlock
	}{
		"object": {ObjectReference2, true, "08 0003000000000000 0400 612e6835", ReferenceBlock{Token: token, File: "a.h5"}},
		"region": {RegionReference2, false, "08 0003000000000000 10000000 02000000 03000000 01000000 0000000000000000",
			ReferenceBlock{Token: token, Rank: 2, Selection: EncodedSelection{Kind: SelectAll}}},
		"attribute": {AttributeReference, false, "08 0003000000000000 0200 6162", ReferenceBlock{Token: token, Attribute: "ab"}},
	} {
		p := unhex(t, tc.hex)
		decode := func(p []byte) (ReferenceBlock, error) {
			return DecodeReferenceBlock(cursor.New(p, 0), &ReferenceElement{Kind: tc.kind, External: tc.external})
		}
		got, err := decode(p)
		if err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if addr, ok := got.Addr(wide); !ok || addr != 0x300 {
			t.Errorf("%s: address %#x, %v", name, addr, ok)
		}
		checkTruncations(t, p, 0, func(p []byte) error { _, err := decode(p); return err })
	}
}
