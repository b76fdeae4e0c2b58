package sel

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"clawh5/core/h5err"
)

func TestSelectionsThatDoNotFitAreRefused(t *testing.T) {
	const huge = math.MaxUint64
	slab := func(start, stride, count, block uint64) error {
		_, err := Hyperslab([]uint64{5, 10}, []uint64{0, start}, []uint64{1, stride}, []uint64{1, count}, []uint64{1, block})
		return err
	}
	index := func(list ...uint64) error {
		_, err := Orthogonal([]uint64{10}, []Axis{{Index: list}})
		return err
	}
	points := func(coords ...uint64) error {
		_, err := Points([]uint64{5, 10}, coords)
		return err
	}
	all := func(shape ...uint64) error {
		_, err := All(shape)
		return err
	}
	rank := func() error {
		_, err := Hyperslab([]uint64{5, 10}, []uint64{0}, nil, []uint64{1}, nil)
		return err
	}
	for _, c := range []struct {
		name string
		err  error
		want string // parts of the message; empty: accepted
	}{
		{"last element", slab(9, 1, 1, 1), ""},
		{"start behind the end", slab(10, 1, 1, 1), "axis 1: index 10 is out of range for extent 10"},
		{"block behind the end", slab(8, 1, 1, 3), "axis 1: index 10 is out of range for extent 10"},
		{"strides to the end", slab(0, 3, 4, 1), ""},
		{"stride one too far", slab(1, 3, 4, 1), "axis 1: index 10 is out of range for extent 10"},
		{"blocks touch", slab(0, 2, 5, 2), ""},
		{"blocks overlap", slab(0, 2, 3, 3), "axis 1: blocks of 3 overlap at stride 2"},
		{"stride 0", slab(0, 0, 1, 1), "axis 1: stride 0"},
		{"empty at the end", slab(10, 1, 0, 1), ""},
		{"empty behind the end", slab(11, 1, 0, 1), "index 11"},
		{"product overflows", slab(1, huge, huge, 1), "axis 1: 18446744073709551615 blocks"},
		{"sum overflows", slab(huge, 1, 1, huge), "axis 1: 1 blocks"},
		{"block overflows", slab(2, huge, 2, 1), "axis 1: 2 blocks"},
		{"index", index(0, 3, 9), ""},
		{"index behind the end", index(0, 3, 10), "axis 0: index 10 is out of range for extent 10"},
		{"index twice", index(0, 3, 3), "axis 0: index 3 follows 3"},
		{"index falls", index(5, 3), "axis 0: index 3 follows 5"},
		{"no index", index([]uint64{}...), ""},
		{"points", points(4, 9, 0, 0, 4, 9), ""},
		{"point behind the end", points(4, 9, 5, 0), "axis 0: index 5 is out of range for extent 5"},
		{"half a point", points(4, 9, 1), "3 coordinates"},
		{"too many elements", all(1<<32, 1<<31), "more elements"},
		{"zero elements of a huge shape", all(1<<63, 1<<63, 0), ""},
		{"rank 32", all(make([]uint64, 32)...), ""},
		{"rank 33", all(make([]uint64, 33)...), "rank 33"},
		{"rank differs", rank(), "another rank"},
	} {
		if c.want == "" {
			if c.err != nil {
				t.Errorf("%s: %v", c.name, c.err)
			}
			continue
		}
		if !errors.Is(c.err, h5err.Selection) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
}

func TestScalarIsOneElementAndNoneIsNothing(t *testing.T) {
	s, err := All(nil)
	if err != nil || s.NumElements() != 1 || len(s.OutShape()) != 0 {
		t.Fatalf("scalar: %+v %v", s, err)
	}
	for _, shape := range [][]uint64{nil, {3}, {1 << 40, 1 << 40}} {
		n := None(shape)
		if n.NumElements() != 0 || !slices.Equal(n.OutShape(), []uint64{0}) {
			t.Fatalf("none of %v: %+v", shape, n)
		}
	}
}

func TestRange(t *testing.T) {
	for _, c := range []struct {
		start, stop, step uint64
		want              []uint64
	}{
		{0, 5, 1, []uint64{0, 1, 2, 3, 4}},
		{1, 8, 3, []uint64{1, 4, 7}},
		{1, 7, 3, []uint64{1, 4}},
		{4, 4, 1, []uint64{}},
		{5, 4, 1, []uint64{}},
	} {
		if got := positions(Range(c.start, c.stop, c.step)); !slices.Equal(got, c.want) {
			t.Errorf("%d:%d:%d is %v, want %v", c.start, c.stop, c.step, got, c.want)
		}
	}
}

func TestTrailingAxesMergeIntoOnePiece(t *testing.T) {
	shape, box := []uint64{780, 144, 192}, []uint64{1, 144, 192}
	for _, c := range []struct {
		name  string
		axes  []Axis
		chunk uint64
		want  []Run
	}{
		{"a whole chunk", []Axis{Range(0, 780, 1), Range(0, 144, 1), Range(0, 192, 1)}, 7,
			[]Run{{Box: 0, Out: 7 * 144 * 192, Len: 144 * 192, N: 1}}},
		{"rows of a chunk", []Axis{Range(7, 9, 1), Range(10, 20, 1), Range(0, 192, 1)}, 8,
			[]Run{{Box: 10 * 192, Out: 10 * 192, Len: 10 * 192, N: 1}}},
		{"a rectangle", []Axis{Range(7, 9, 1), Range(10, 20, 1), Range(4, 9, 1)}, 8,
			[]Run{{Box: 10*192 + 4, Out: 50, Len: 5, N: 10, BoxStep: 192, OutStep: 5}}},
		{"every other row", []Axis{Range(7, 9, 1), Range(0, 144, 2), Range(0, 192, 1)}, 7,
			[]Run{{Box: 0, Out: 0, Len: 192, N: 72, BoxStep: 384, OutStep: 192}}},
		{"a column", []Axis{Range(7, 8, 1), Range(0, 144, 1), Range(3, 4, 1)}, 7,
			[]Run{{Box: 3, Out: 0, Len: 1, N: 144, BoxStep: 192, OutStep: 1}}},
	} {
		s, err := Orthogonal(shape, c.axes)
		if err != nil {
			t.Fatal(err)
		}
		g, err := NewGrid(s, box)
		if err != nil {
			t.Fatal(err)
		}
		var got []Run
		var w Window
		w.Set(g, []uint64{c.chunk, 0, 0})
		w.Runs(func(r Run) { got = append(got, r) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestHugeShapesAreCutWithoutWalkingThem(t *testing.T) {
	shape := []uint64{1 << 62, 1 << 60}
	s, err := Hyperslab(shape, []uint64{1<<62 - 3, 5}, nil, []uint64{3, 1 << 59}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewGrid(s, []uint64{1, 1}); !errors.Is(err, h5err.Limit) {
		t.Errorf("2^122 boxes: %v", err)
	}
	if _, err := NewGrid(s, []uint64{1 << 32, 1 << 32}); !errors.Is(err, h5err.Limit) {
		t.Errorf("a box of 2^64 elements: %v", err)
	}
	if _, err := NewGrid(s, []uint64{0, 1}); !errors.Is(err, h5err.Selection) {
		t.Errorf("a box of width 0: %v", err)
	}
	g, err := NewGrid(s, []uint64{1 << 31, 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Touched(); got != 1<<29+1 {
		t.Errorf("%d boxes touched", got)
	}
	last, _ := Hyperslab([]uint64{math.MaxUint64}, []uint64{math.MaxUint64 - 1}, nil, []uint64{1}, nil)
	g, err = NewGrid(last, []uint64{1 << 62})
	if err != nil {
		t.Fatal(err)
	}
	var seen []uint64
	_ = g.Each(func(scaled []uint64, ordinal uint64) error { seen = append(seen, ordinal); return nil })
	var w Window
	w.Set(g, []uint64{3})
	if run, ok := w.Single(); !slices.Equal(seen, []uint64{3}) || !ok || run.Box != 1<<62-2 {
		t.Errorf("last position: boxes %v, %+v %v", seen, run, ok)
	}
}

func TestEachStopsAtTheFirstError(t *testing.T) {
	s, _ := All([]uint64{10})
	g, _ := NewGrid(s, []uint64{2})
	stop := errors.New("stop")
	n := 0
	if err := g.Each(func([]uint64, uint64) error { n++; return stop }); err != stop || n != 1 {
		t.Errorf("%v after %d", err, n)
	}
}

func TestASmallSelectionCostsFewAllocations(t *testing.T) {
	shape, box := []uint64{780, 144, 192}, []uint64{1, 144, 192}
	var w Window
	allocs := testing.AllocsPerRun(100, func() {
		s, _ := Hyperslab(shape, []uint64{5, 6, 7}, nil, []uint64{1, 16, 16}, nil)
		g, _ := NewGrid(s, box)
		n := int64(0)
		_ = g.Each(func(scaled []uint64, _ uint64) error {
			w.Set(g, scaled)
			w.Runs(func(r Run) { n += r.Len * r.N })
			return nil
		})
		if n != 256 {
			t.Fatal(n)
		}
	})
	if allocs > 3 {
		t.Errorf("%v allocations", allocs)
	}
}

func BenchmarkSmallSlice(b *testing.B) {
	shape, box := []uint64{780, 144, 192}, []uint64{1, 144, 192}
	var w Window
	b.ReportAllocs()
	for b.Loop() {
		s, _ := Hyperslab(shape, []uint64{5, 6, 7}, nil, []uint64{1, 16, 16}, nil)
		g, _ := NewGrid(s, box)
		_ = g.Each(func(scaled []uint64, _ uint64) error {
			w.Set(g, scaled)
			w.Runs(func(r Run) {})
			return nil
		})
	}
}
