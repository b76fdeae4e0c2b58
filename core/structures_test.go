package core

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

const structureFiles = "../testdata/files/structures/"

// valuesOf returns the JSON of the values of a dataset.
func valuesOf(t *testing.T, f *File, path string) string {
	t.Helper()
	d := testDataset(t, f, path)
	v, err := d.ReadValues(background, All(), d.Dims())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(v.AppendJSON(nil))
}

// numbers is the JSON of n numbers from 0.
func numbers(n int) string {
	out := []byte{'['}
	for i := range n {
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Append(out, i)
	}
	return string(append(out, ']'))
}

// The places of all metadata in the image are overwritten: nothing but the image
// can be what is read.
func TestMetadataIsReadFromACacheImage(t *testing.T) {
	b, err := os.ReadFile(structureFiles + "cache_image.h5")
	if err != nil {
		t.Fatal(err)
	}
	z := format.Sizes{Offset: 8, Length: 8}
	at := bytes.Index(b, []byte("MDCI"))
	size := binary.LittleEndian.Uint64(b[at+6:])
	image, err := format.DecodeCacheImageBlock(cursor.New(b[at:at+int(size)], int64(at)), z)
	if err != nil || len(image.Entries) < 40 {
		t.Fatalf("%d entries, %v", len(image.Entries), err)
	}
	spoiled := bytes.Clone(b)
	for _, e := range image.Entries {
		copy(spoiled[e.Addr:], bytes.Repeat([]byte{0xee}, len(e.Data)))
	}
	for name, image := range map[string][]byte{"as written": b, "spoiled": spoiled} {
		f, err := OpenMemory(background, image, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer f.Close()
		if got := valuesOf(t, f, "numbers"); got != numbers(10) {
			t.Errorf("%s: %s", name, got)
		}
		if got := valuesOf(t, f, "chunked"); got != numbers(200) {
			t.Errorf("%s: %s", name, got)
		}
		if got := valuesOf(t, f, "group/member17"); got != "17" {
			t.Errorf("%s: %s", name, got)
		}
		o, err := f.Root().Open(background, "numbers")
		if err != nil {
			t.Fatal(err)
		}
		if a, err := o.Attribute(background, "attribute13"); err != nil || string(a.AppendJSON(nil)) != "13" {
			t.Errorf("%s: %v", name, err)
		}
		if d := testDataset(t, f, "texts"); d.Dims()[0] != 20 {
			t.Errorf("%s: %v", name, d.Dims())
		}
	}
}
