package core

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"clawh5/core/h5err"
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

// setSuperblock changes a version 2 or 3 superblock at the begin of a file: its
// flags and end of file (spec II.A).
func setSuperblock(image []byte, flags byte, end uint64) []byte {
	const flagsAt, endAt, sumAt = 11, 28, 44
	image = bytes.Clone(image)
	image[flagsAt] = flags
	binary.LittleEndian.PutUint64(image[endAt:], end)
	binary.LittleEndian.PutUint32(image[sumAt:], cursor.Lookup3(image[:sumAt], 0))
	return image
}

// A file that its writer did not close is read as far as it goes, and says so.
// The end of file in its superblock is too small or too large.
func TestFilesLeftOpenForWritingAreReadWithAWarning(t *testing.T) {
	image, err := os.ReadFile(files + "layouts_latest.h5")
	if err != nil {
		t.Fatal(err)
	}
	size := uint64(len(image))
	for _, flags := range []byte{0, 1, 4, 5} {
		for _, end := range []uint64{size, 100, size + 1000} {
			f, err := OpenMemory(background, setSuperblock(image, flags, end), Options{})
			if flags == 0 && end > size {
				if !errors.Is(err, h5err.Corrupt) {
					t.Errorf("a truncated file: %v", err)
				}
				continue
			}
			if flags == 0 && end < size {
				if err == nil {
					t.Error("a file of 100 bytes has no root group")
				}
				continue
			}
			if err != nil {
				t.Fatalf("flags %d, end %d of %d: %v", flags, end, size, err)
			}
			want := 0
			if flags != 0 {
				want++
				if end != size {
					want++
				}
			}
			if w := f.Warnings(); len(w) != want || strings.Contains(string(f.AppendInfo(nil)), `"warnings"`) != (want > 0) {
				t.Errorf("flags %d, end %d: %q", flags, end, w)
			}
			if got := valuesOf(t, f, "contiguous"); !strings.HasPrefix(got, "[") {
				t.Errorf("flags %d, end %d: %.50s", flags, end, got)
			}
			f.Close()
		}
	}
}

// Wherever a file that was left open ends, what is read is what the whole file
// has, and what was never written is an error.
func TestAFileThatWasNeverWrittenCompletelyIsNeverMisread(t *testing.T) {
	image, err := os.ReadFile(files + "layouts_latest.h5")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := OpenMemory(background, image, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	read := func(f *File, name string) (string, error) {
		o, err := f.Root().Open(background, name)
		if err != nil {
			return "", err
		}
		d, err := o.Dataset(background)
		if err != nil {
			return "", err
		}
		v, err := d.ReadValues(background, All(), d.Dims())
		if err != nil {
			return "", err
		}
		return string(v.AppendJSON(nil)), nil
	}
	names := []string{"contiguous", "chunked", "deflate", "shuffled", "lzf", "grown", "grown2", "compact"}
	want := map[string]string{}
	for _, name := range names {
		if want[name], err = read(whole, name); err != nil {
			t.Fatal(name, err)
		}
	}
	right, refused := 0, 0
	for cut := len(image); cut > 100; cut -= 1 + len(image)/60 {
		f, err := OpenMemory(background, setSuperblock(image[:cut], 1, uint64(len(image))), Options{})
		if err != nil {
			refused++
			continue
		}
		for _, name := range names {
			switch got, err := read(f, name); {
			case err != nil:
				refused++
			case got != want[name]:
				t.Errorf("%s with %d of %d bytes was misread", name, cut, len(image))
			default:
				right++
			}
		}
		f.Close()
	}
	if right == 0 || refused == 0 {
		t.Errorf("%d read, %d refused", right, refused)
	}
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
