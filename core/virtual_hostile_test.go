package core

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/storage/open"
)

func TestVirtualSourcesStayWithinThePolicy(t *testing.T) {
	dir := t.TempDir()
	copyFiles(t, dir, "mapped.h5")
	path := filepath.Join(dir, "mapped.h5")
	if err := readError(t, openTest(t, path, Options{External: RefuseExternal}), "rows"); !errors.Is(err, h5err.Permission) {
		t.Error(err)
	}
	if got := readJSON(t, openTest(t, path, Options{External: RefuseExternal}), "same_file"); !strings.HasPrefix(got, "[500,") {
		t.Error(got)
	}
	// Sources out of the directory, by a link: refused, not filled.
	absolute, err := filepath.Abs(virtualFiles + "source_0.h5")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(absolute, filepath.Join(dir, "source_0.h5")); err != nil {
		t.Skip(err)
	}
	if err := readError(t, openTest(t, path, Options{}), "rows"); !errors.Is(err, h5err.Permission) {
		t.Error(err)
	}
	f, err := OpenLocation(background, path, open.Options{}, Options{External: ExternalAnywhere})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := readJSON(t, f, "rows"); !strings.HasPrefix(got, "[[0,1,2,") || !strings.HasSuffix(got, "-1]]") {
		t.Error(got)
	}
}

// mappingBlock returns the encoded mappings of a dataset.
func mappingBlock(t testing.TB, f *File, path string) []byte {
	t.Helper()
	l := testDataset(t, f, path).info.Layout
	block, err := f.objects.GlobalHeapObject(background, format.GlobalHeapID{Collection: l.Address, Index: l.HeapIndex})
	if err != nil {
		t.Fatal(err)
	}
	return block
}

// resum makes the checksum at the end of a block of mappings right.
func resum(block []byte) {
	n := len(block) - 4
	binary.LittleEndian.PutUint32(block[n:], cursor.Lookup3(block[:n], 0))
}

// renamed writes a copy of a file to dir in which the mappings of one dataset
// have one text in the place of another as long, and opens it.
func renamed(t *testing.T, dir, file, path, from, to string) *File {
	t.Helper()
	image, err := os.ReadFile(virtualFiles + file)
	if err != nil {
		t.Fatal(err)
	}
	block := mappingBlock(t, openTest(t, virtualFiles+file, Options{}), path)
	at := bytes.Index(image, block)
	changed := bytes.ReplaceAll(block, []byte(from), []byte(to))
	if at < 0 || len(changed) != len(block) || bytes.Equal(changed, block) {
		t.Fatalf("%q is no replacement of %q", to, from)
	}
	resum(changed)
	copy(image[at:], changed)
	name := filepath.Join(dir, "renamed.h5")
	if err := os.WriteFile(name, image, 0o600); err != nil {
		t.Fatal(err)
	}
	return openTest(t, name, Options{})
}

func TestHostileNamesOfSourcesAreRefused(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	copyFiles(t, dir, "source_3.h5")
	for name, want := range map[string]h5err.Kind{
		"../rce_3.h5": h5err.Permission,
		"/etc/passwd": h5err.Permission,
		"http://a/b5": h5err.Permission,
		"source_%.h5": h5err.Corrupt,
		"source%b.h5": h5err.Corrupt, // a number without blocks
	} {
		f := renamed(t, inner, "mapped.h5", "blocks", "source_3.h5", name)
		o, err := f.Root().Open(background, "blocks")
		if err == nil {
			var d *Dataset
			if d, err = o.Dataset(background); err == nil {
				_, err = d.ReadValues(background, All(), d.Dims())
			}
		}
		if h5err.KindOf(err) != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

func TestAVirtualDatasetThatIsItsOwnSourceIsRefused(t *testing.T) {
	f := renamed(t, t.TempDir(), "mapped.h5", "same_file", "own\x00", "all\x00")
	// "all" leads to source_3.h5, which is missing there: the fill value.
	if got := readJSON(t, f, "same_file"); !strings.HasPrefix(got, "[-1,-1,") {
		t.Error(got)
	}
	dir := t.TempDir()
	f = renamed(t, dir, "mapped.h5", "nested", "interleaved\x00", "/././nested\x00")
	if err := readError(t, f, "nested"); !errors.Is(err, h5err.Corrupt) || !strings.Contains(err.Error(), "source of itself") {
		t.Error(err)
	}
	// By way of another file, which is the same one.
	f = renamed(t, dir, "mapped.h5", "all", "source_3.h5\x00row", "renamed.h5\x00/all")
	if err := readError(t, f, "all"); !errors.Is(err, h5err.Corrupt) || !strings.Contains(err.Error(), "source of itself") {
		t.Error(err)
	}
}

// A chain of files, each a virtual dataset of the next.
func TestVirtualDatasetsMayNotBeNestedForEver(t *testing.T) {
	block := mappingBlock(t, openTest(t, virtualFiles+"mapped.h5", Options{}), "all")
	image, err := os.ReadFile(virtualFiles + "mapped.h5")
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(image, block)
	chain := func(depth int) error {
		dir := t.TempDir()
		copyFiles(t, dir, "source_3.h5")
		for i := range depth - 1 {
			changed := bytes.Replace(block, []byte("source_3.h5\x00row"), fmt.Appendf(nil, "chain%03d.h5\x00all", i+1), 1)
			resum(changed)
			link := bytes.Clone(image)
			copy(link[at:], changed)
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("chain%03d.h5", i)), link, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("chain%03d.h5", depth-1)), image, 0o600); err != nil {
			t.Fatal(err)
		}
		f := openTest(t, filepath.Join(dir, "chain000.h5"), Options{})
		o, err := f.Root().Open(background, "all")
		if err != nil {
			t.Fatal(err)
		}
		d, err := o.Dataset(background)
		if err != nil {
			return err
		}
		v, err := d.ReadValues(background, All(), d.Dims())
		if err == nil && !strings.HasPrefix(string(v.AppendJSON(nil)), "[300,301,") {
			t.Errorf("%s", v.AppendJSON(nil))
		}
		return err
	}
	if err := chain(maxVirtualDepth); err != nil {
		t.Error(err)
	}
	if err := chain(maxVirtualDepth + 1); !errors.Is(err, h5err.Limit) {
		t.Error(err)
	}
}
