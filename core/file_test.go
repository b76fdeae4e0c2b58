package core

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"clawh5/core/h5err"
	"clawh5/storage/open"
)

func TestLinksThatLeadNowhereNameTheMissingPart(t *testing.T) {
	f := openTest(t, files+"small_groups_latest.h5", Options{})
	for path, missing := range map[string]string{"/dangling": "nothing", "/a/b/x/y": "x", "none": "none"} {
		_, err := f.Root().Open(background, path)
		if !errors.Is(err, h5err.NotFound) || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestExternalLinksAreFollowedUnlessRefused(t *testing.T) {
	for _, libver := range []string{"earliest", "latest"} {
		path := files + "small_groups_" + libver + ".h5"
		_, err := openTest(t, path, Options{External: RefuseExternal}).Root().Open(background, "/external")
		if !errors.Is(err, h5err.Permission) {
			t.Errorf("%v, want a permission error", err)
		}
		o, err := openTest(t, path, Options{}).Root().Open(background, "/external")
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(o.File().Location()) != "links_target.h5" {
			t.Errorf("the object is in %s", o.File().Location())
		}
		d, err := o.Dataset(background)
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.ReadValues(background, All(), d.Dims())
		if err != nil || string(v.AppendJSON(nil)) != "[0,1,2,3,4]" {
			t.Errorf("%s, %v", v.AppendJSON(nil), err)
		}
	}
}

func testDataset(t testing.TB, f *File, path string) *Dataset {
	t.Helper()
	o, err := f.Root().Open(background, path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := o.Dataset(background)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestWrongRequestsAreExplained(t *testing.T) {
	f := openTest(t, files+"layouts_latest.h5", Options{})
	d := testDataset(t, f, "deflate") // (7, 11) int32
	row := make([]byte, 11*4)
	for _, c := range []struct {
		s    Selection
		mem  MemoryType
		dst  []byte
		kind h5err.Kind
	}{
		{All(), MemoryFile, row, h5err.Space},
		{Hyperslab([]uint64{7, 0}, nil, []uint64{1, 11}, nil), MemoryFile, row, h5err.Selection},
		{Hyperslab([]uint64{0}, nil, []uint64{1}, nil), MemoryFile, row, h5err.Selection},
		{Points(2, []uint64{0, 11}), MemoryFile, row[:4], h5err.Selection},
		{Hyperslab([]uint64{0, 0}, nil, []uint64{1, 11}, nil), MemoryFloat64, row, h5err.Space},
		{Hyperslab([]uint64{0, 0}, nil, []uint64{1, 11}, nil), 99, row, h5err.Handle},
	} {
		err := d.Read(background, c.s, c.mem, c.dst, nil)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), "/deflate") {
			t.Errorf("%+v: %v, want %v", c.s, err, c.kind)
		}
	}
	if o, _ := f.Root().Open(background, "/"); o != nil {
		if _, err := o.Dataset(background); !errors.Is(err, h5err.Type) {
			t.Errorf("a group as a dataset: %v", err)
		}
	}
}

func TestAFileThatIsNotTheExpectedOneIsRefused(t *testing.T) {
	path := files + "layouts_latest.h5"
	same := openTest(t, path, Options{}).Identity()
	openTest(t, path, Options{ExpectIdentity: same})
	_, err := OpenLocation(background, path, open.Options{}, Options{ExpectIdentity: same + "x"})
	if !errors.Is(err, h5err.Changed) {
		t.Error(err)
	}
}

func TestFilesThatAreNotHDF5SaySo(t *testing.T) {
	for _, image := range [][]byte{nil, []byte("hello"), make([]byte, 5000)} {
		if _, err := OpenMemory(background, image, Options{}); !errors.Is(err, h5err.NotHDF5) {
			t.Errorf("%d bytes: %v", len(image), err)
		}
	}
	if _, err := OpenLocation(background, "/no/such/file", open.Options{}, Options{}); !errors.Is(err, h5err.NotFound) {
		t.Error(err)
	}
}

// An old-format file has no checksums, so that the address of its contiguous
// data and the end of the file can be moved far beyond 4 GiB in a sparse copy.
func TestDataBeyondFourGigabytesIsRead(t *testing.T) {
	const far, n = int64(5) << 30, 7 * 11 * 4
	image, err := os.ReadFile(files + "layouts_earliest.h5")
	if err != nil {
		t.Fatal(err)
	}
	f := openTest(t, files+"layouts_earliest.h5", Options{})
	want := make([]byte, n)
	d := testDataset(t, f, "contiguous")
	if err := d.Read(background, All(), MemoryFile, want, nil); err != nil {
		t.Fatal(err)
	}
	layout := func(address uint64) string { // version 3, contiguous (spec IV.A.2.i)
		return string(binary.LittleEndian.AppendUint64([]byte{3, 1}, address))
	}
	text := string(image)
	if strings.Count(text, layout(d.info.Layout.Address)) != 1 {
		t.Fatal("the layout message must stand in the file once")
	}
	text = strings.Replace(text, layout(d.info.Layout.Address), layout(uint64(far)), 1)
	const endOfFile = 40 // offset in superblock version 0 with 8-byte offsets (spec II.A)
	patched := []byte(text)
	binary.LittleEndian.PutUint64(patched[endOfFile:], uint64(far+n))
	path := filepath.Join(t.TempDir(), "sparse.h5")
	writeSparse(t, path, patched, far, want)
	got := make([]byte, n)
	err = testDataset(t, openTest(t, path, Options{}), "contiguous").Read(background, All(), MemoryFile, got, nil)
	if err != nil || string(got) != string(want) {
		t.Errorf("%v; values differ: %v", err, string(got) != string(want))
	}
}

func writeSparse(t *testing.T, path string, head []byte, at int64, tail []byte) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := out.Write(head); err != nil {
		t.Fatal(err)
	}
	if _, err := out.WriteAt(tail, at); err != nil {
		t.Skipf("no sparse file of %d bytes here: %v", at, err)
	}
}

// A driver information block (spec II.B) at the end of a copy, to which its
// superblock (version 0, spec II.A) points, makes it a part of a set. A family of
// one member is a file as any other.
func TestOneFileOfASetIsNotReadAlone(t *testing.T) {
	const driverAddress = 48 // offset in superblock version 0 with 8-byte offsets
	image, err := os.ReadFile(files + "layouts_earliest.h5")
	if err != nil {
		t.Fatal(err)
	}
	for driver, refused := range map[string]bool{"NCSAfami": false, "NCSAmult": true, "someones": false} {
		block := "\x00\x00\x00\x00\x08\x00\x00\x00" + driver + "\x00\x10\x00\x00\x00\x00\x00\x00"
		part := append(append([]byte(nil), image...), block...)
		binary.LittleEndian.PutUint64(part[driverAddress:], uint64(len(image)))
		f, err := OpenMemory(background, part, Options{})
		if err == nil {
			f.Close()
		}
		if errors.Is(err, h5err.Unsupported) != refused || !refused && err != nil {
			t.Errorf("%s: %v", driver, err)
		}
	}
}

// Sixteen readers of one handle see what one reader sees.
func TestManyGoroutinesReadOneHandle(t *testing.T) {
	f := openTest(t, files+"layouts_latest.h5", Options{ChunkCacheBytes: 200})
	names := []string{"contiguous", "chunked", "deflate", "shuffled", "lzf", "grown", "grown2", "compact"}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			for range 100 {
				d := testDataset(t, f, names[rng.IntN(len(names))])
				if err := readRandomSlab(d, rng); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// readRandomSlab reads part of a (7, 11) dataset whose values count up.
func readRandomSlab(d *Dataset, rng *rand.Rand) error {
	y, x := uint64(rng.IntN(7)), uint64(rng.IntN(11))
	ny, nx := 1+uint64(rng.IntN(int(7-y))), 1+uint64(rng.IntN(int(11-x)))
	dst := make([]byte, 4*ny*nx)
	if err := d.ReadSlab(background, []uint64{y, x, 1, 1, ny, nx}, MemoryFile, dst); err != nil {
		return err
	}
	for i := range ny * nx {
		want := uint32((y+i/nx)*11 + x + i%nx)
		if got := binary.LittleEndian.Uint32(dst[4*i:]); got != want {
			return fmt.Errorf("element %d of [%d:+%d, %d:+%d] is %d, want %d", i, y, ny, x, nx, got, want)
		}
	}
	return nil
}
