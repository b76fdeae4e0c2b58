package format

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
)

// A collection with object 2 of 3 bytes, object 1 of 8 bytes and free space:
// made after the specification.
const heapHex = "47434f4c 01 000000 6000000000000000" +
	"0200 0100 00000000 0300000000000000 0102030000000000" +
	"0100 0000 00000000 0800000000000000 1112131415161718" +
	"0000 0000 00000000 2000000000000000 00000000000000000000000000000000"

func decodeHeapBytes(p []byte) (*GlobalHeap, error) {
	return DecodeGlobalHeap(cursor.New(p, 100), wide)
}

func TestGlobalHeapCollection(t *testing.T) {
	p := unhex(t, heapHex)
	h, err := decodeHeapBytes(p)
	if err != nil {
		t.Fatal(err)
	}
	want := []GlobalHeapObject{
		{Index: 1, Data: []byte{0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18}, Offset: 100 + 56},
		{Index: 2, References: 1, Data: []byte{1, 2, 3}, Offset: 100 + 32},
	}
	if !reflect.DeepEqual(h.Objects, want) {
		t.Errorf("got %+v", h.Objects)
	}
	for i, want := range want {
		if got, ok := h.Object(uint32(i + 1)); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("object %d: %v", i+1, got)
		}
	}
	for _, i := range []uint32{0, 3, 1 << 16, 1<<32 - 1} {
		if o, ok := h.Object(i); ok {
			t.Errorf("object %d: %v", i, o)
		}
	}
	checkTruncations(t, p, 0, func(p []byte) error { _, err := decodeHeapBytes(p); return err })
}

func TestGlobalHeapFindsObjectsBetweenGaps(t *testing.T) {
	p := unhex(t, "47434f4c 01 000000 4000000000000000"+
		"0900 0100 00000000 0000000000000000"+
		"0300 0100 00000000 0100000000000000 0700000000000000 0000000000000000")
	h, err := decodeHeapBytes(p)
	if err != nil {
		t.Fatal(err)
	}
	if o, ok := h.Object(3); !ok || len(o.Data) != 1 || o.Data[0] != 7 {
		t.Error(o, ok)
	}
	if o, ok := h.Object(9); !ok || len(o.Data) != 0 {
		t.Error(o, ok)
	}
	if _, ok := h.Object(1); ok {
		t.Error("object 1 was deleted")
	}
}

func TestGlobalHeapMayEndWithAPieceTooShortForAnObject(t *testing.T) {
	for free := range 16 {
		p := unhex(t, "47434f4c 01 000000 0000000000000000 0100 0000 00000000 0800000000000000 1112131415161718"+strings.Repeat("00", free))
		p[8] = byte(len(p))
		if h, err := decodeHeapBytes(p); err != nil || len(h.Objects) != 1 {
			t.Errorf("%d bytes: %v, %v", free, h, err)
		}
	}
}

func TestGlobalHeapObjectsMustLieInTheCollection(t *testing.T) {
	for name, hex := range map[string]string{
		"object past the end":     "47434f4c 01 000000 2800000000000000 0100 0000 00000000 0900000000000000 1112131415161718",
		"object of 2^63 bytes":    "47434f4c 01 000000 2800000000000000 0100 0000 00000000 0000000000000080 1112131415161718",
		"free space past the end": "47434f4c 01 000000 2800000000000000 0000 0000 00000000 1900000000000000 1112131415161718",
		"smaller than its header": "47434f4c 01 000000 0800000000000000",
		"wrong signature":         "47434f4d 01 000000 1000000000000000",
	} {
		if _, err := decodeHeapBytes(unhex(t, hex)); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGlobalHeapID(t *testing.T) {
	id, err := DecodeGlobalHeapID(cursor.New(unhex(t, "0008000000000000 07000000"), 0), wide)
	if err != nil || id != (GlobalHeapID{0x800, 7}) {
		t.Error(id, err)
	}
}

// Both blocks were written by libhdf5 2.0, the first for compatibility with all
// versions, the second in its newest format.
const (
	virtualV0 = "00 0200000000000000" +
		"615f7372632e683500 6400 03000000 01000000 0000000000000000" +
		"02000000 01000000 00000000 18000000 02000000 01000000 00000000 00000000 00000000 09000000" +
		"2e00 6500 03000000 01000000 0000000000000000" +
		"02000000 01000000 00000000 18000000 02000000 01000000 02000000 00000000 02000000 09000000"
	virtualV1 = "01 0400000000000000" +
		"00 615f736f757263655f66696c652e683500 646174617365745f776974685f6c6f6e675f6e616d6500" + virtualAll + "0000" + virtualRow +
		"02 616e6f746865725f66696c655f6e616d652e683500 0000000000000000" + virtualAll + "0100" + virtualRow +
		"03 0000000000000000 0000000000000000" + virtualAll + "0200" + virtualRow +
		"01 0100000000000000 646174617365745f776974685f6c6f6e675f6e616d653200" + virtualAll + "0300" + virtualRow +
		"19d370da"
	virtualAll = "03000000 01000000 0000000000000000 02000000 03000000 01 02 02000000"
	virtualRow = "0100 0100 0100 0000 0100 0100 0a00"
)

// withChecksum returns p and its checksum.
func withChecksum(p []byte) []byte {
	sum := cursor.Lookup3(p, 0)
	return append(p[:len(p):len(p)], byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
}

func decodeVirtualBytes(p []byte) ([]VirtualMapping, error) {
	return DecodeVirtualMappings(cursor.New(p, 0), wide)
}

func TestVirtualMappings(t *testing.T) {
	all := EncodedSelection{Kind: SelectAll}
	rows := func(r uint64) EncodedSelection {
		return EncodedSelection{Kind: SelectHyperslab, Rank: 2, Start: []uint64{r, 0}, Stride: []uint64{1, 1}, Count: []uint64{1, 1}, Block: []uint64{1, 10}}
	}
	block := func(r uint64) EncodedSelection {
		return EncodedSelection{Kind: SelectHyperslab, Rank: 2, Blocks: []uint64{r, 0, r, 9}}
	}
	for name, tc := range map[string]struct {
		p    []byte
		want []VirtualMapping
	}{
		"version 0": {withChecksum(unhex(t, virtualV0)), []VirtualMapping{
			{"a_src.h5", "d", all, block(0)}, {".", "e", all, block(2)}}},
		"version 1": {unhex(t, virtualV1), []VirtualMapping{
			{"a_source_file.h5", "dataset_with_long_name", all, rows(0)},
			{"another_file_name.h5", "dataset_with_long_name", all, rows(1)},
			{"a_source_file.h5", "dataset_with_long_name", all, rows(2)},
			{"another_file_name.h5", "dataset_with_long_name2", all, rows(3)}}},
		"version 1, same file": {withChecksum(unhex(t, "01 0100000000000000 04 6500"+virtualAll+"0000"+virtualRow)),
			[]VirtualMapping{{".", "e", all, rows(0)}}},
	} {
		got, err := decodeVirtualBytes(tc.p)
		if err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		checkTruncations(t, tc.p, 0, func(p []byte) error { _, err := decodeVirtualBytes(p); return err })
	}
}

func TestVirtualMappingsAreBoundedAndChecked(t *testing.T) {
	p := withChecksum(unhex(t, virtualV0))
	p[len(p)-1] ^= 1
	if _, err := decodeVirtualBytes(p); !errors.Is(err, h5err.Corrupt) {
		t.Errorf("checksum: %v", err)
	}
	for name, hex := range map[string]string{
		"2^63 entries":            "00 0000000000000080 00000000",
		"name of a later mapping": "01 0100000000000000 01 0000000000000000 6500" + virtualAll + "0000" + virtualRow + "00000000",
	} {
		if _, err := decodeVirtualBytes(unhex(t, hex)); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
