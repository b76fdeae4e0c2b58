package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"clawh5/core/h5err"
	"clawh5/core/internal/chunk"
	"clawh5/core/internal/format"
	"clawh5/core/internal/sel"
	"clawh5/storage"
)

// index is a chunk index of a list.
type index struct {
	chunks           []chunk.Chunk
	lookups, withins int
}

func (x *index) Within(_ context.Context, lo, hi []uint64, yield func(chunk.Chunk) error) error {
	x.withins++
	for _, c := range x.chunks {
		inside := true
		for d, at := range c.Scaled {
			inside = inside && lo[d] <= at && at <= hi[d]
		}
		if inside {
			if err := yield(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *index) Lookup(_ context.Context, scaled []uint64) (chunk.Chunk, bool, error) {
	x.lookups++
	for _, c := range x.chunks {
		if slices.Equal(c.Scaled, scaled) {
			return c, true, nil
		}
	}
	return chunk.Chunk{}, false, nil
}

// row is n chunks of a one-dimensional dataset, stored size bytes each, step
// bytes from one to the next.
func row(n int, size, step uint64) *index {
	x := &index{}
	for i := range n {
		x.chunks = append(x.chunks, chunk.Chunk{Scaled: []uint64{uint64(i)}, Addr: 1000 + uint64(i)*step, Size: size})
	}
	return x
}

func chunkedSource(shape, box []uint64, x chunk.Index) *Source {
	return &Source{Layout: &format.Layout{Version: 4, Class: format.ChunkedLayout, ChunkDims: box}, Filtered: true,
		Space: &format.Dataspace{Kind: format.SimpleSpace, Dims: shape}, ElemSize: 4, Index: x, Base: 512, End: 1 << 40}
}

func contiguousSource(shape ...uint64) *Source {
	n := uint64(4)
	for _, d := range shape {
		n *= d
	}
	return &Source{Layout: &format.Layout{Version: 3, Class: format.ContiguousLayout, Address: 2048, Size: n},
		Space: &format.Dataspace{Kind: format.SimpleSpace, Dims: shape}, ElemSize: 4, End: 2048 + n}
}

func all(t *testing.T, shape ...uint64) *sel.Selection {
	t.Helper()
	s, err := sel.All(shape)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func axes(t *testing.T, shape []uint64, a ...sel.Axis) *sel.Selection {
	t.Helper()
	s, err := sel.Orthogonal(shape, a)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustPlan(t *testing.T, src *Source, s *sel.Selection) *Part {
	t.Helper()
	p, err := New(context.Background(), src, s)
	if err != nil {
		t.Fatal(err)
	}
	return p.Parts[0]
}

func TestAJobTakes32Bytes(t *testing.T) {
	if n := unsafe.Sizeof(Job{}); n > 32 {
		t.Errorf("%d bytes", n)
	}
}

func TestChunksBecomeJobsInOrderOfTheGrid(t *testing.T) {
	x := &index{chunks: []chunk.Chunk{
		{Scaled: []uint64{2, 1}, Addr: 100, Size: 7, Mask: 3},
		{Scaled: []uint64{0, 0}, Addr: 300, Size: 9},
		{Scaled: []uint64{9, 9}, Addr: 1, Size: 1}, // outside the shape
		{Scaled: []uint64{1, 0}, Addr: 200, Size: 8},
	}}
	src := chunkedSource([]uint64{30, 20}, []uint64{10, 10}, x)
	src.Remote = true
	p := mustPlan(t, src, all(t, 30, 20))
	want := []Job{{Ordinal: 0, Off: 812, Size: 9}, {Ordinal: 2, Off: 712, Size: 8}, {Ordinal: 5, Off: 612, Size: 7, Mask: 3}}
	if !slices.Equal(p.Jobs, want) || p.Missing != 3 || p.Kind != Chunks {
		t.Errorf("jobs %v, %d missing, %v", p.Jobs, p.Missing, p.Kind)
	}
	for i, off := range []int64{612, 712, 812} {
		if got := p.InFileOrder(i).Off; got != off {
			t.Errorf("job %d of the file at %d, want %d", i, got, off)
		}
	}
}

func TestChunksThatASelectionSkipsAreNoJobs(t *testing.T) {
	x := row(100, 50, 60)
	shape, box := []uint64{1000}, []uint64{10}
	p := mustPlan(t, chunkedSource(shape, box, x), axes(t, shape, sel.Range(5, 1000, 40)))
	if len(p.Jobs) != 25 || p.Missing != 0 || x.lookups != 0 || x.withins != 1 {
		t.Errorf("%d jobs, %d missing, %d lookups, %d walks", len(p.Jobs), p.Missing, x.lookups, x.withins)
	}
	for i, j := range p.Jobs {
		if j.Ordinal != uint64(4*i) {
			t.Errorf("job %d is chunk %d", i, j.Ordinal)
		}
	}
}

func TestFewAndFarChunksAreLookedUp(t *testing.T) {
	shape, box := []uint64{100000}, []uint64{10}
	for _, c := range []struct {
		name    string
		s       *sel.Selection
		remote  bool
		lookups int
	}{
		{"one", axes(t, shape, sel.Range(3, 5, 1)), true, 1},
		{"two, remote", axes(t, shape, sel.Range(3, 15, 1)), true, 0},
		{"two, local", axes(t, shape, sel.Range(3, 15, 1)), false, 2},
		{"far apart", axes(t, shape, sel.Range(0, 100000, 5000)), true, 20},
		{"far apart, local", axes(t, shape, sel.Range(0, 100000, 5000)), false, 20},
	} {
		x := row(0, 0, 0)
		src := chunkedSource(shape, box, x)
		src.Remote = c.remote
		if p := mustPlan(t, src, c.s); x.lookups != c.lookups || (x.withins == 0) != (c.lookups > 0) || p.Kind != Fill {
			t.Errorf("%s: %d lookups, %d walks, %v", c.name, x.lookups, x.withins, p.Kind)
		}
	}
}

func TestPlansOfBrokenFilesAreRefused(t *testing.T) {
	shape, box := []uint64{100}, []uint64{10}
	with := func(change func(*Source)) *Source {
		src := chunkedSource(shape, box, row(10, 40, 40))
		change(src)
		return src
	}
	flat := func(change func(*Source)) *Source {
		src := contiguousSource(100)
		change(src)
		return src
	}
	for _, c := range []struct {
		name string
		src  *Source
		kind h5err.Kind
		want string
	}{
		{"chunk past the end", with(func(s *Source) { s.End = 1399 }), h5err.Corrupt, "chunk at offset 1872: 40 bytes at address 1360 reach past the end of the file at 1399"},
		{"chunk address overflows", with(func(s *Source) {
			s.Index = &index{chunks: []chunk.Chunk{{Scaled: []uint64{1}, Addr: ^uint64(0) - 5, Size: 40}}}
		}), h5err.Corrupt, "reach past the end"},
		{"two chunks at one place", with(func(s *Source) { x := row(10, 40, 40); x.chunks[3].Scaled[0] = 7; s.Index = x }), h5err.Corrupt, "two chunks at [7]"},
		{"unfiltered chunk of another size", with(func(s *Source) { s.Filtered = false; s.Index = row(10, 39, 40) }), h5err.Corrupt, "39 bytes stored of an unfiltered chunk of 40"},
		{"stored size without reason", with(func(s *Source) { s.Index = row(10, 1<<20, 1<<20) }), h5err.Limit, "1048576 bytes stored for a chunk of 40"},
		{"chunks of another rank", with(func(s *Source) { s.Layout.ChunkDims = []uint64{10, 10} }), h5err.Corrupt, "chunks of rank 2"},
		{"chunk without elements", with(func(s *Source) { s.Layout.ChunkDims = []uint64{0} }), h5err.Corrupt, "without elements"},
		{"chunk too large", with(func(s *Source) { s.Layout.ChunkDims = []uint64{1 << 62} }), h5err.Limit, "more bytes"},
		{"element of no bytes", with(func(s *Source) { s.ElemSize = 0 }), h5err.Corrupt, "0 bytes"},
		{"virtual", with(func(s *Source) { s.Layout.Class = format.VirtualLayout }), h5err.Unsupported, "virtual"},
		{"unknown layout", with(func(s *Source) { s.Layout.Class = 9 }), h5err.Unsupported, "layout class 9"},
		{"contiguous past the end", flat(func(s *Source) { s.End-- }), h5err.Corrupt, "contiguous data at offset 2048: 400 bytes at address 2048 reach past"},
		{"contiguous address overflows", flat(func(s *Source) { s.Layout.Address = ^uint64(0) - 1 }), h5err.Corrupt, "reach past"},
		{"contiguous too short", flat(func(s *Source) { s.Layout.Size-- }), h5err.Corrupt, "399 bytes of contiguous data for 400"},
		{"compact too short", flat(func(s *Source) { s.Layout.Class = format.CompactLayout; s.Layout.Compact = make([]byte, 399) }), h5err.Corrupt, "399 bytes of compact data for 400"},
	} {
		_, err := New(context.Background(), c.src, all(t, 100))
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %v: %s", c.name, err, c.kind, c.want)
		}
	}
	if _, err := New(context.Background(), contiguousSource(100), all(t, 10, 10)); !errors.Is(err, h5err.Selection) {
		t.Errorf("selection of another rank: %v", err)
	}
	huge := contiguousSource(1<<40, 1<<40)
	s := axes(t, huge.Space.Dims, sel.Range(0, 1, 1), sel.Range(0, 1, 1))
	if _, err := New(context.Background(), huge, s); !errors.Is(err, h5err.Corrupt) {
		t.Errorf("2^82 bytes: %v", err)
	}
}

func TestTheFrontOfATruncatedDatasetCanBeRead(t *testing.T) {
	src := contiguousSource(100)
	src.End = 2048 + 40
	if p := mustPlan(t, src, axes(t, src.Space.Dims, sel.Range(0, 10, 1))); p.Off != 2048 {
		t.Errorf("%+v", p)
	}
	if _, err := New(context.Background(), src, axes(t, src.Space.Dims, sel.Range(0, 11, 1))); !errors.Is(err, h5err.Corrupt) {
		t.Errorf("one more: %v", err)
	}
}

func TestUnallocatedDataIsFilled(t *testing.T) {
	src := contiguousSource(10)
	src.Layout.Address = format.Undefined
	if p := mustPlan(t, src, all(t, 10)); p.Kind != Fill {
		t.Errorf("contiguous: %v", p.Kind)
	}
	if p := mustPlan(t, chunkedSource([]uint64{10}, []uint64{3}, nil), all(t, 10)); p.Kind != Fill || p.Missing != 4 {
		t.Errorf("chunked: %v, %d missing", p.Kind, p.Missing)
	}
}

// requests lists offset and length of the requests of a part.
func requests(p *Part) (list [][2]int64) {
	_ = p.Requests(nil, func(r Request) error { list = append(list, [2]int64{r.Off, r.Len}); return nil })
	return list
}

func TestRequestsMergeOverHolesUpToTheGapAndTheMaximum(t *testing.T) {
	for _, c := range []struct {
		name       string
		n          int
		size, step uint64
		want       [][2]int64
	}{
		{"adjacent", 4, 100, 100, [][2]int64{{1512, 400}}},
		{"a hole of the gap", 2, 100, 100 + storage.MergeGap, [][2]int64{{1512, 200 + storage.MergeGap}}},
		{"a hole one larger", 2, 100, 101 + storage.MergeGap, [][2]int64{{1512, 100}, {1613 + storage.MergeGap, 100}}},
		{"up to the maximum", 5, 1 << 20, 1 << 20, [][2]int64{{1512, 4 << 20}, {1512 + 4<<20, 1 << 20}}},
		{"one chunk more than the maximum", 1, 5 << 20, 5 << 20, [][2]int64{{1512, 5 << 20}}},
		{"no chunk is cut", 3, 3 << 20, 3 << 20, [][2]int64{{1512, 3 << 20}, {1512 + 3<<20, 3 << 20}, {1512 + 6<<20, 3 << 20}}},
		{"one address for all", 3, 100, 0, [][2]int64{{1512, 100}}},
	} {
		src := chunkedSource([]uint64{uint64(c.n) << 20}, []uint64{1 << 20}, row(c.n, c.size, c.step))
		src.Remote = true
		p := mustPlan(t, src, all(t, uint64(c.n)<<20))
		if got := requests(p); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// held is a store that holds one range.
type held struct{ lo, hi int64 }

func (h held) Contains(off, n int64) bool              { return off >= h.lo && off+n <= h.hi }
func (h held) TryView(off int64, n int) ([]byte, bool) { return nil, false }

func TestWhatTheStoreHoldsIsNotRequested(t *testing.T) {
	src := chunkedSource([]uint64{50}, []uint64{10}, row(5, 100, 100))
	src.Remote, src.Held = true, held{1700, 1812}
	p := mustPlan(t, src, all(t, 50))
	var got []string
	_ = p.Requests(func(j *Job) bool { return j.Ordinal == 0 }, func(r Request) error {
		got = append(got, fmt.Sprint(r.Off, r.Len, r.First, r.N, r.Held))
		return nil
	})
	want := []string{"1512 100 0 1 true", "1612 100 1 1 false", "1712 100 2 1 true", "1812 200 3 2 false"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHeldBytesCostNothing(t *testing.T) {
	for _, remote := range []bool{false, true} {
		src := chunkedSource([]uint64{50}, []uint64{10}, row(5, 40, 100))
		src.Remote, src.Held = remote, held{1700, 1812}
		for _, src.Filtered = range []bool{false, true} {
			if c := mustPlan(t, src, all(t, 50)).Cost(); c.Held != 1 || c.Wanted != 200 || remote && c.Requests != 2 || !remote && c.Requests != 4 {
				t.Errorf("remote %v, filtered %v: %+v", remote, src.Filtered, c)
			}
		}
	}
	src := contiguousSource(100)
	src.Held = held{0, 1 << 20}
	if c := mustPlan(t, src, all(t, 100)).Cost(); c.Held != 1 || c.Requests != 0 || c.Bytes != 0 {
		t.Errorf("%+v", c)
	}
}

func TestAPartOfAnUnfilteredChunkIsOneRangeOfIt(t *testing.T) {
	src := chunkedSource([]uint64{100, 100}, []uint64{50, 100}, &index{chunks: []chunk.Chunk{
		{Scaled: []uint64{0, 0}, Addr: 10000, Size: 20000}, {Scaled: []uint64{1, 0}, Addr: 50000, Size: 20000},
	}})
	src.Filtered, src.Remote = false, true
	s := axes(t, src.Space.Dims, sel.Range(48, 53, 1), sel.Range(10, 20, 1))
	p := mustPlan(t, src, s)
	// Rows 48 and 49 of the first chunk, 0 to 2 of the second.
	want := [][2]int64{{512 + 10000 + 48*400 + 40, 50000 + 2*400 + 80 - 10000 - 48*400 - 40}}
	if got := requests(p); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestContiguousDataIsCutIntoTilesThatAreOneRequest(t *testing.T) {
	shape := []uint64{780, 144, 192} // 110592 bytes a slice
	src := contiguousSource(shape...)
	full := func(d int) sel.Axis { return sel.Range(0, shape[d], 1) }
	for _, c := range []struct {
		name     string
		remote   bool
		s        *sel.Selection
		box      []uint64
		requests int64
		bytes    int64
	}{
		{"all, remote", true, all(t, shape...), []uint64{37, 144, 192}, 22, 86261760},
		{"all, local", false, all(t, shape...), []uint64{9, 144, 192}, 87, 86261760},
		{"a small slice", false, axes(t, shape, sel.Range(5, 6, 1), sel.Range(10, 26, 1), sel.Range(3, 19, 1)), shape, 1, 15*768 + 64},
		{"a small slice, remote", true, axes(t, shape, sel.Range(5, 6, 1), sel.Range(10, 26, 1), sel.Range(3, 19, 1)), shape, 1, 15*768 + 64},
		{"a point of every slice", false, axes(t, shape, full(0), sel.Range(7, 8, 1), sel.Range(9, 10, 1)), []uint64{1, 144, 192}, 780, 780 * 4},
		{"a point of every slice, remote", true, axes(t, shape, full(0), sel.Range(7, 8, 1), sel.Range(9, 10, 1)), []uint64{37, 144, 192}, 22, 21*(36*110592+4) + 2*110592 + 4},
		{"every third slice, remote", true, axes(t, shape, sel.Range(0, 780, 4), full(1), full(2)), []uint64{1, 144, 192}, 195, 195 * 110592},
	} {
		src.Remote = c.remote
		p := mustPlan(t, src, c.s)
		if !slices.Equal(p.Grid.Box(), c.box) {
			t.Errorf("%s: tiles %v, want %v", c.name, p.Grid.Box(), c.box)
		}
		if cost := p.Cost(); cost.Requests != c.requests || cost.Bytes != c.bytes || cost.Wanted != c.s.NumElements()*4 {
			t.Errorf("%s: %+v, want %d requests, %d bytes", c.name, cost, c.requests, c.bytes)
		}
	}
}

func TestExtentsCoverTheRunsWithinTheirBounds(t *testing.T) {
	src := contiguousSource(1 << 26)
	coords := []uint64{5, 4, 3, 1 << 20, 1<<20 + 1, 1 << 25, 7}
	s, err := sel.Points(src.Space.Dims, coords)
	if err != nil {
		t.Fatal(err)
	}
	p := mustPlan(t, src, s)
	if c := p.Cost(); c.Requests != 3 || c.Bytes != 4*(5+2+1) {
		t.Errorf("%+v", c)
	}
}

func TestAPlanPrintsItsCost(t *testing.T) {
	src := chunkedSource([]uint64{50}, []uint64{10}, row(4, 100, 200))
	src.Remote = true
	p, err := New(context.Background(), src, all(t, 50))
	if err != nil {
		t.Fatal(err)
	}
	want := "50 elements: 1 requests, 700 bytes\n" +
		"  chunked: 5 boxes, 4 stored, 0 in memory, 4 to decode, 1 requests for 700 bytes, 400 of them wanted\n"
	if got := p.String(); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	const wantJSON = `{"elements":50,"requests":1,"bytes":700,"parts":[{"layout":"chunked","boxes":5,"stored":4,"held":0,"decode":4,"requests":1,"bytes":700,"wanted":400}]}`
	if string(b) != wantJSON {
		t.Errorf("%s\nwant %s", b, wantJSON)
	}
}

func TestAnEmptySelectionPlansNothing(t *testing.T) {
	for _, src := range []*Source{contiguousSource(10), chunkedSource([]uint64{10}, []uint64{3}, row(4, 10, 10))} {
		p, err := New(context.Background(), src, sel.None([]uint64{10}))
		if err != nil || p.Elements != 0 || p.Parts[0].Cost().Requests != 0 {
			t.Errorf("%v %v", p, err)
		}
	}
}
