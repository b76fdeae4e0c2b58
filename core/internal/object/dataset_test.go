package object

import (
	"errors"
	"reflect"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

func datasetOf(t *testing.T, list ...msg) (*Dataset, error) {
	t.Helper()
	f, h, err := only(t, headerV2(0, list...))
	if err != nil {
		t.Fatal(err)
	}
	return f.Dataset(ctx, h)
}

func layout(body ...byte) msg { return msg{format.MsgLayout, 0, body} }

func TestDatasetFacts(t *testing.T) {
	f := openTestFile(t, "old.h5")
	d, err := f.Dataset(ctx, at(t, f, "/data"))
	if err != nil {
		t.Fatal(err)
	}
	if d.Type.Class != format.Compound || d.Type.Size != 12 || d.Type.Committed != at(t, f, "/type").Addr {
		t.Errorf("%+v", d.Type)
	}
	if !reflect.DeepEqual(d.Space, format.Dataspace{Kind: format.SimpleSpace, Dims: []uint64{3}, MaxDims: []uint64{format.Unlimited}}) {
		t.Errorf("%+v", d.Space)
	}
	if d.Layout.Class != format.ChunkedLayout || !reflect.DeepEqual(d.Layout.ChunkDims, []uint64{2}) || d.Layout.ElemSize != 12 {
		t.Errorf("%+v", d.Layout)
	}
	if len(d.Filters) != 1 || d.Filters[0].ID != 1 || !reflect.DeepEqual(d.Filters[0].Params, []uint32{1}) {
		t.Errorf("%+v", d.Filters)
	}
	if d.External != nil || d.Fill.AllocTime != 3 {
		t.Errorf("%+v", d)
	}
}

func TestNamedDatatype(t *testing.T) {
	f := openTestFile(t, "old.h5")
	h := at(t, f, "/type")
	d, err := f.NamedDatatype(ctx, h)
	if err != nil || d.Committed != h.Addr || len(d.Members) != 2 || d.Members[1].Offset != 4 || d.Members[1].Type.Order != format.BigEndian {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := f.Dataset(ctx, h); !errors.Is(err, h5err.Type) {
		t.Error(err)
	}
	if _, err := f.NamedDatatype(ctx, at(t, f, "/data")); !errors.Is(err, h5err.Type) {
		t.Error(err)
	}
}

// The messages of shared.h5 lie in the heap of shared messages, but for those of
// a: libhdf5 shares a message from its second use on.
func TestMessagesInTheSharedMessageHeap(t *testing.T) {
	f := openTestFile(t, "shared.h5")
	for _, name := range []string{"a", "b", "c"} {
		h := at(t, f, "/"+name)
		shared := 0
		for i := range h.Messages {
			if h.Messages[i].Shared() {
				shared++
			}
		}
		if shared < 3 && name != "a" {
			t.Errorf("only %d messages of %s are shared", shared, name)
		}
		d, err := f.Dataset(ctx, h)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(d.Space.Dims, []uint64{4, 6}) || len(d.Type.Members) != 2 || d.Type.Committed != format.Undefined ||
			len(d.Filters) != 2 || string(d.Fill.Value) != "\x01\x00\x00\x00\x00\x00\x00\x40" {
			t.Errorf("%+v", d)
		}
		a, err := f.Attribute(ctx, h, "same")
		if err != nil || len(a.Data) != 20 || a.Data[16] != 4 {
			t.Errorf("%+v, %v", a, err)
		}
	}
	list, err := f.Attributes(ctx, at(t, f, "/c"), false)
	if err != nil || len(list) != 13 {
		t.Fatal(attributeNames(list), err)
	}
	for _, a := range list {
		if a.Err != nil || len(a.Data) != 20 || a.Data[4] != 1 {
			t.Errorf("%+v", a)
		}
	}
}

func TestSharedFromAnotherHeader(t *testing.T) {
	b := newBuilder()
	committed := b.add(headerV2(0, int32Type))
	shared := msg{format.MsgDatatype, format.FlagShared, put64([]byte{2, 0}, committed)}
	f := b.open(t, b.add(headerV2(0, shared, scalarSpace, noData)))
	h, err := f.Header(ctx, f.Root())
	if err != nil {
		t.Fatal(err)
	}
	if d, err := f.Dataset(ctx, h); err != nil || d.Type.Committed != committed || d.Type.Size != 4 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestSharedMessagesThatLeadNowhereAreCorrupt(t *testing.T) {
	b := newBuilder()
	self := b.next()
	loop := b.add(headerV2(0, msg{format.MsgDatatype, format.FlagShared, put64([]byte{2, 0}, self)}, scalarSpace, noData))
	empty := b.add(headerV2(0, linkInfo))
	none := b.add(headerV2(0, msg{format.MsgDatatype, format.FlagShared, put64([]byte{2, 0}, empty)}, scalarSpace, noData))
	heap := b.add(headerV2(0, msg{format.MsgDatatype, format.FlagShared, put64([]byte{3, 1}, 1)}, scalarSpace, noData))
	f := b.open(t, empty)
	for _, addr := range []uint64{loop, none, heap} {
		h, err := f.Header(ctx, addr)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Dataset(ctx, h); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("at %d: %v", addr, err)
		}
	}
}

func TestContiguousSizeOfOldLayoutsIsComputed(t *testing.T) {
	body := append([]byte{1, 2, 1, 0, 0, 0, 0, 0}, put64(nil, 48)...)
	d, err := datasetOf(t, int32Type, simpleSpace(3), layout(append(body, 3, 0, 0, 0, 4, 0, 0, 0)...))
	if err != nil || d.Layout.Size != 12 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestDatasetsFromBeforeFillValuesHaveNone(t *testing.T) {
	d, err := datasetOf(t, int32Type, scalarSpace, noData)
	if err != nil || d.Fill.State != format.FillUndefined || d.Fill.AllocTime != 2 {
		t.Errorf("%+v, %v", d, err)
	}
	d, err = datasetOf(t, int32Type, scalarSpace, noData, msg{format.MsgFillValueOld, 0, []byte{4, 0, 0, 0, 1, 2, 3, 4}})
	if err != nil || d.Fill.State != format.FillDefined || string(d.Fill.Value) != "\x01\x02\x03\x04" {
		t.Errorf("%+v, %v", d, err)
	}
}

// h5py tells both of files from before version 1.6 of the library.
func TestSpaceIsAllocatedLateBesideAnOldFillValueAndByLayoutWithoutOne(t *testing.T) {
	compact := layout(3, 0, 4, 0, 1, 2, 3, 4)
	old := msg{format.MsgFillValueOld, 0, []byte{4, 0, 0, 0, 1, 2, 3, 4}}
	for want, list := range map[uint8][]msg{1: {int32Type, scalarSpace, compact}, 2: {int32Type, scalarSpace, compact, old}} {
		if d, err := datasetOf(t, list...); err != nil || d.Fill.AllocTime != want {
			t.Errorf("%+v, %v; want %d", d, err, want)
		}
	}
}

func TestMessagesThatContradictEachOtherAreCorrupt(t *testing.T) {
	for name, list := range map[string][]msg{
		"no layout":                      {int32Type, scalarSpace},
		"chunks of another rank":         {int32Type, simpleSpace(3, 3), layout(append(append([]byte{3, 2, 2}, put64(nil, 48)...), 2, 0, 0, 0, 4, 0, 0, 0)...)},
		"chunks of another element size": {int32Type, simpleSpace(3), layout(append(append([]byte{3, 2, 2}, put64(nil, 48)...), 2, 0, 0, 0, 8, 0, 0, 0)...)},
		"too little compact data":        {int32Type, simpleSpace(3), layout(3, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8)},
		"too little contiguous data":     {int32Type, simpleSpace(3), layout(append([]byte{3, 1}, put64(nil, 48, 8)...)...)},
		"fill value of another size":     {int32Type, scalarSpace, noData, {format.MsgFillValue, 0, []byte{2, 2, 2, 1, 2, 0, 0, 0, 1, 2}}},
		"2^64 elements":                  {int32Type, simpleSpace(1<<32, 1<<32), noData},
		"2^64 bytes":                     {int32Type, simpleSpace(1 << 62), noData},
	} {
		if _, err := datasetOf(t, list...); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
