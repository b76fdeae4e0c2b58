package core

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/storage/open"
)

func TestVirtualDatasetsReadAsH5pyReadsThem(t *testing.T) {
	for _, name := range []string{"mapped.h5", "mapped_v110.h5"} {
		f := openTest(t, virtualFiles+name, Options{})
		for path, want := range golden(t, name) {
			if got := readJSON(t, f, path); got != want {
				t.Errorf("%s %s: %s, want %s", name, path, got, want)
			}
		}
	}
}

func TestVirtualDatasetsWithoutEndGoAsFarAsH5pySays(t *testing.T) {
	for views, want := range golden(t, "endless.h5") {
		var o Options
		var view int // of H5D_vds_view_t: 0 is first missing, 1 last available
		if _, err := fmt.Sscan(views, &view, &o.PrintfGap); err != nil {
			t.Fatal(err)
		}
		o.View = [...]VirtualView{FirstMissing, LastAvailable}[view]
		var paths map[string]json.RawMessage
		if err := json.Unmarshal([]byte(want), &paths); err != nil {
			t.Fatal(err)
		}
		f := openTest(t, virtualFiles+"endless.h5", o)
		for path, want := range paths {
			if got := readJSON(t, f, path); got != string(want) {
				t.Errorf("%s, view and gap %s: %s, want %s", path, views, got, want)
			}
		}
	}
}

func TestPartsOfVirtualDatasetsAreRead(t *testing.T) {
	f := openTest(t, virtualFiles+"mapped.h5", Options{})
	for _, c := range []struct {
		path string
		s    Selection
		want string
	}{
		{"rows", Hyperslab([]uint64{1, 10}, []uint64{2, 1}, []uint64{2, 2}, nil), "[110,111,310,311]"},
		{"interleaved", Hyperslab([]uint64{2}, []uint64{5}, []uint64{5}, nil), "[200,301,3,104,205]"},
		{"interleaved", Points(1, []uint64{47, 0, 0, 13}), "[311,0,0,103]"},
		{"columns", Hyperslab([]uint64{4, 17}, nil, []uint64{2, 3}, nil), "[1048,49,1049,1058,59,1059]"},
		{"blocks", Hyperslab([]uint64{1}, nil, []uint64{7}, nil), "[304,-1,-1,-1,305,306,307]"},
		{"nested", Hyperslab([]uint64{10}, nil, []uint64{7}, nil), "[4,104,3,4,5,-1,-1]"},
		{"texts", Hyperslab([]uint64{2}, []uint64{2}, []uint64{3}, nil), `["text 0 2","","text 1 0"]`},
		{"rows", None(), "[]"},
	} {
		d := testDataset(t, f, c.path)
		bound, err := c.s.bind(d.Dims())
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.ReadValues(background, c.s, []uint64{uint64(bound.NumElements())})
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
		} else if got := string(v.AppendJSON(nil)); got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
	}
}

func TestVirtualMappingsAreTold(t *testing.T) {
	f := openTest(t, virtualFiles+"endless.h5", Options{})
	got := testDataset(t, f, "numbered").VirtualMappings()
	if len(got) != 1 || got[0].FileName != "numbered_%b.h5" || got[0].DatasetName != "d" {
		t.Fatalf("%+v", got)
	}
	if v := got[0].Virtual; v.Kind != RegionHyperslab || !slices.Equal(v.Count, []uint64{Unlimited, 1}) || !slices.Equal(v.Stride, []uint64{2, 1}) {
		t.Errorf("%+v", v)
	}
	f = openTest(t, virtualFiles+"mapped.h5", Options{})
	blocks := testDataset(t, f, "blocks").VirtualMappings()[0]
	if v := blocks.Virtual; v.Kind != RegionBlocks || !slices.Equal(v.Blocks, []uint64{0, 1, 5, 7, 10, 10}) || v.NumBlocks() != 3 {
		t.Errorf("%+v", v)
	}
	if all := testDataset(t, f, "all").VirtualMappings()[0]; all.Virtual.Kind != RegionAll && all.Virtual.Kind != RegionHyperslab {
		t.Errorf("%+v", all)
	}
	if own := testDataset(t, f, "own"); own.IsVirtual() || own.VirtualMappings() != nil {
		t.Error("a dataset that is not virtual has mappings")
	}
}

func TestThePlanOfAVirtualDatasetNamesItsSources(t *testing.T) {
	f := openTest(t, virtualFiles+"mapped.h5", Options{})
	text, err := testDataset(t, f, "rows").AppendPlan(background, nil, Hyperslab([]uint64{1, 0}, nil, []uint64{2, 3}, nil))
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Elements int
		Parts    []struct {
			File, Dataset, Layout string
			Wanted                int
		}
	}
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	if p.Elements != 6 || len(p.Parts) != 2 || p.Parts[0].File != "source_1.h5" || p.Parts[1].File != "source_2.h5" ||
		p.Parts[0].Dataset != "row" || p.Parts[0].Layout != "contiguous" || p.Parts[0].Wanted != 12 {
		t.Errorf("%s", text)
	}
}

func TestOnlySourcesThatAreTouchedAreFetched(t *testing.T) {
	r := serve(t, virtualFiles+"mapped.h5")
	d := testDataset(t, r.File, "rows")
	r.served(t, "the file, which comes whole", 1)
	got := make([]byte, 4*12)
	if err := d.Read(background, Hyperslab([]uint64{2, 0}, nil, []uint64{1, 12}, nil), MemoryNative, got, nil); err != nil {
		t.Fatal(err)
	}
	r.served(t, "one row of a source that comes whole", 1)
	all := make([]byte, 4*4*12)
	if err := d.Read(background, All(), MemoryNative, all, nil); err != nil {
		t.Fatal(err)
	}
	r.served(t, "the other three sources", 3)
	if err := d.Read(background, All(), MemoryNative, all, nil); err != nil {
		t.Fatal(err)
	}
	r.served(t, "again", 0)
	var told struct{ Requests int }
	if err := json.Unmarshal(r.AppendStats(nil), &told); err != nil || told.Requests != 1+1+3 {
		t.Errorf("%d requests are told, %v; want those of the sources too", told.Requests, err)
	}
	// A source that is missing is asked for once.
	missing := testDataset(t, r.File, "missing")
	for range 2 {
		if err := missing.Read(background, All(), MemoryNative, all, nil); err != nil {
			t.Fatal(err)
		}
	}
	r.served(t, "a source that is missing", 1)
}

// served fails unless the server has answered n requests since the last call. It
// counts them when it has sent the answer, which may be a little later than we
// have it.
func (r *remoteFile) served(t *testing.T, what string, n int64) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); r.server.Stats().Requests < n && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if got := r.server.Stats().Requests; got != n {
		t.Errorf("%s: %d requests, want %d", what, got, n)
	}
	r.server.Reset()
}

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

// Thousands of sources, read by parts and whole, leave no more files open than
// there may be, and none after Close.
func TestThousandsOfSourcesAreRead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open files are counted in /proc")
	}
	const n = 3000
	dir := t.TempDir()
	copyFiles(t, dir, "many.h5")
	for i := range n {
		if err := os.Symlink("many_source.h5", filepath.Join(dir, fmt.Sprintf("many_%d.h5", i))); err != nil {
			t.Fatal(err)
		}
	}
	copyFiles(t, dir, "many_source.h5")
	before := openFiles(t)
	f, err := OpenLocation(background, filepath.Join(dir, "many.h5"), open.Options{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := testDataset(t, f, "v")
	if len(d.VirtualMappings()) != n {
		t.Fatalf("%d mappings", len(d.VirtualMappings()))
	}
	got := make([]byte, 4*n)
	if err := d.Read(background, All(), MemoryNative, got, nil); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if v := binary.LittleEndian.Uint32(got[4*i:]); v != uint32(i%7) {
			t.Fatalf("element %d is %d", i, v)
		}
	}
	if during := openFiles(t); during > before+maxSourceFiles+1 {
		t.Errorf("%d files are open, %d were before", during, before)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open after Close, %d were before", after, before)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(list)
}
