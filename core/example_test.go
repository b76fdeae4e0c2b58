package core_test

import (
	"context"
	"encoding/binary"
	"fmt"

	"clawh5/core"
	"clawh5/storage/open"
)

// Read every second column of two rows.
func ExampleDataset_Read() {
	ctx := context.Background()
	f, err := core.OpenLocation(ctx, "../testdata/files/core/layouts_latest.h5", open.Options{}, core.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	o, err := f.Root().Open(ctx, "deflate")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := o.Dataset(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	start, stride, count := []uint64{1, 0}, []uint64{1, 2}, []uint64{2, 6}
	values := make([]byte, 2*6*d.TypeInfo().Size)
	if err := d.Read(ctx, core.Hyperslab(start, stride, count, nil), core.MemoryNative, values, nil); err != nil {
		fmt.Println(err)
		return
	}
	for i := 0; i < len(values); i += 4 {
		fmt.Print(binary.LittleEndian.Uint32(values[i:]), " ")
	}
	// Output: 11 13 15 17 19 21 22 24 26 28 30 32
}

// Tell what a read would cost before it is made. This file is so small that all
// of it came with its metadata.
func ExampleDataset_Explain() {
	ctx := context.Background()
	f, err := core.OpenLocation(ctx, "../testdata/files/core/layouts_latest.h5", open.Options{}, core.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	o, err := f.Root().Open(ctx, "chunked")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := o.Dataset(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := d.Explain(ctx, core.Hyperslab([]uint64{0, 0}, nil, []uint64{1, 11}, nil))
	fmt.Print(text, err)
	// Output:
	// 11 elements: 0 requests, 0 bytes
	//   chunked: 3 boxes, 3 stored, 3 in memory, 0 to decode, 0 requests for 0 bytes, 44 of them wanted
	// <nil>
}
