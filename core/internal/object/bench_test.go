package object

import (
	"fmt"
	"testing"
)

// BenchmarkListing describes 1,000 datasets with 5 attributes each, as a listing
// of their group does.
func BenchmarkListing(b *testing.B) {
	const datasets = 1000
	w := newBuilder()
	list := []msg{int32Type, simpleSpace(100), noData}
	for i := range 5 {
		list = append(list, attribute(fmt.Sprintf("attribute %d", i), 0, int32Type.body, simpleSpace(2).body, make([]byte, 8)))
	}
	list[2].body = put64([]byte{3, 1}, 48, 400)
	links := []msg{linkInfo}
	for i := range datasets {
		links = append(links, hardLink(fmt.Sprintf("dataset %d", i), w.add(headerV2(0, list...))))
	}
	p := w.file(w.add(headerV2(0, links...)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := openBytes(ctx, p)
		if err != nil {
			b.Fatal(err)
		}
		root, err := f.Header(ctx, f.Root())
		if err != nil {
			b.Fatal(err)
		}
		found, err := f.Links(ctx, root, false)
		if err != nil || len(found) != datasets {
			b.Fatal(len(found), err)
		}
		for i := range found {
			describeOne(b, f, found[i].Addr)
		}
	}
}

func describeOne(b *testing.B, f *File, addr uint64) {
	h, err := f.Header(ctx, addr)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := f.Dataset(ctx, h); err != nil {
		b.Fatal(err)
	}
	if list, err := f.Attributes(ctx, h, false); err != nil || len(list) != 5 {
		b.Fatal(len(list), err)
	}
}
