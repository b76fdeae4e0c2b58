package core

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

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

// Sources that lack a member of the virtual dataset's are read side by side, each
// in two steps: what they lack stays as it is.
func TestSourcesMayLackMembers(t *testing.T) {
	d := testDataset(t, openTest(t, virtualFiles+"wider.h5", Options{Workers: 4}), "v")
	const size = 16 // x, more, n
	got := bytes.Repeat([]byte{0x5a}, 8*size)
	if err := d.Read(background, All(), MemoryFile, got, nil); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		source, k := i/2, i%2
		x, n := 0.5*float64(source), source
		if k == 1 {
			x, n = 1.5, source+10
		}
		e := got[i*size:][:size]
		if math.Float64frombits(binary.LittleEndian.Uint64(e)) != x || binary.LittleEndian.Uint32(e[12:]) != uint32(n) {
			t.Errorf("element %d: % x, want x %v and n %d", i, e, x, n)
		}
		if binary.LittleEndian.Uint32(e[8:]) != 0x5a5a5a5a {
			t.Errorf("element %d: % x, of which no source has the bytes in the middle", i, e)
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
	if own := testDataset(t, f, "own"); own.VirtualMappings() != nil {
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
	if during := openFiles(t); during > before+openSources(false)+1 {
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
