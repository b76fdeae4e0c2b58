package sel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// positions lists an axis the slow way.
func positions(a Axis) []uint64 {
	if a.Index != nil {
		return a.Index
	}
	list := []uint64{}
	for i := uint64(0); i < a.Count; i++ {
		for j := uint64(0); j < a.Block; j++ {
			list = append(list, a.Start+i*a.Stride+j)
		}
	}
	return list
}

// product lists the coordinates of an orthogonal selection in row-major order.
func coordinates(axes []Axis) [][]uint64 {
	list := [][]uint64{{}}
	for _, a := range axes {
		var longer [][]uint64
		for _, prefix := range list {
			for _, p := range positions(a) {
				longer = append(longer, append(slices.Clone(prefix), p))
			}
		}
		list = longer
	}
	return list
}

func randomAxis(r *rand.Rand, extent uint64) Axis {
	switch {
	case extent == 0 || r.IntN(30) == 0:
		return Axis{Start: 0, Stride: 1, Count: 0, Block: 1}
	case r.IntN(4) == 0:
		return Axis{Stride: 1, Count: extent, Block: 1}
	case r.IntN(3) == 0:
		index := []uint64{}
		for i := uint64(0); i < extent; i++ {
			if r.IntN(2) == 0 {
				index = append(index, i)
			}
		}
		return Axis{Index: index}
	}
	start := r.Uint64N(extent)
	block := 1 + r.Uint64N(min(3, extent-start))
	stride := block + r.Uint64N(4)
	return Axis{Start: start, Stride: stride, Count: 1 + r.Uint64N((extent-start-block)/stride+1), Block: block}
}

// random makes a selection, its coordinates in result order, and a box.
func random(t *testing.T, r *rand.Rand) (*Selection, [][]uint64, []uint64) {
	rank := r.IntN(7)
	shape, box := make([]uint64, rank), make([]uint64, rank)
	limit := []uint64{1, 60, 14, 9, 6, 4, 4}[rank]
	for d := range shape {
		shape[d] = 1 + r.Uint64N(limit)
		if r.IntN(60) == 0 {
			shape[d] = 0
		}
		box[d] = 1 + r.Uint64N(limit+2)
		if r.IntN(3) == 0 {
			box[d] = max(1, shape[d])
		}
	}
	if total, _ := product(shape); rank > 0 && total > 0 && r.IntN(4) == 0 {
		coords, flat := [][]uint64{}, []uint64{}
		for range r.IntN(40) {
			p := make([]uint64, rank)
			for d := range p {
				p[d] = r.Uint64N(shape[d])
			}
			for again := r.IntN(4); again >= 0 && p[rank-1] < shape[rank-1]; again-- {
				coords, flat = append(coords, slices.Clone(p)), append(flat, p...)
				p[rank-1]++
			}
		}
		s, err := Points(shape, flat)
		if err != nil {
			t.Fatal(err)
		}
		return s, coords, box
	}
	axes := make([]Axis, rank)
	for d := range axes {
		axes[d] = randomAxis(r, shape[d])
	}
	s, err := Orthogonal(shape, axes)
	if err != nil {
		t.Fatalf("%v of %v: %v", axes, shape, err)
	}
	return s, coordinates(axes), box
}

type place struct{ box, out int64 }

func TestSelectionsAgreeWithAnElementByElementModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 6000 {
		s, coords, box := random(t, r)
		if s.NumElements() != int64(len(coords)) {
			t.Fatalf("%d elements, want %d", s.NumElements(), len(coords))
		}
		if n, ok := product(s.OutShape()); !ok || n != int64(len(coords)) {
			t.Fatalf("result shape %v for %d elements", s.OutShape(), len(coords))
		}
		g, err := NewGrid(s, box)
		if err != nil {
			t.Fatal(err)
		}
		want := model(g, coords)
		checkBounds(t, g, coords)
		checkEach(t, g, want)
		w := new(Window)
		scaled := make([]uint64, len(box))
		for ordinal, places := range want {
			g.Scaled(scaled, ordinal)
			w.Set(g, scaled)
			checkWindow(t, w, places)
		}
		for range 10 {
			checkUntouched(t, r, g, w, want)
		}
	}
}

// model groups the elements by box; within a box they are sorted.
func model(g *Grid, coords [][]uint64) map[uint64][]place {
	m := map[uint64][]place{}
	for out, c := range coords {
		var ordinal uint64
		var at int64
		for d, width := range g.box {
			counts := (g.s.shape[d] + width - 1) / width
			ordinal = ordinal*counts + c[d]/width
			at = at*int64(width) + int64(c[d]%width)
		}
		m[ordinal] = append(m[ordinal], place{at, int64(out)})
	}
	for _, places := range m {
		slices.SortFunc(places, func(a, b place) int {
			if a.box != b.box {
				return int(a.box - b.box)
			}
			return int(a.out - b.out)
		})
	}
	return m
}

func checkBounds(t *testing.T, g *Grid, coords [][]uint64) {
	t.Helper()
	lo, hi, boxes, ok := g.Bounds()
	if ok != (len(coords) > 0) {
		t.Fatalf("bounds %v for %d elements", ok, len(coords))
	}
	want := int64(1)
	for d := range lo {
		least, most := coords[0][d], coords[0][d]
		for _, c := range coords {
			least, most = min(least, c[d]), max(most, c[d])
		}
		if lo[d] != least/g.box[d] || hi[d] != most/g.box[d] {
			t.Fatalf("axis %d: bounds %d to %d, want %d to %d", d, lo[d], hi[d], least/g.box[d], most/g.box[d])
		}
		want *= int64(hi[d] - lo[d] + 1)
	}
	if ok && boxes != want {
		t.Fatalf("%d boxes in the bounds, want %d", boxes, want)
	}
}

func checkEach(t *testing.T, g *Grid, want map[uint64][]place) {
	t.Helper()
	if g.Touched() != int64(len(want)) {
		t.Fatalf("%d boxes touched, want %d", g.Touched(), len(want))
	}
	seen, last := 0, int64(-1)
	boxes := g.Boxes()
	for range len(want) {
		if !boxes.Next() {
			t.Fatal("the walk ends early")
		}
	}
	if boxes.Next() || boxes.Next() {
		t.Fatal("the walk goes on behind its end")
	}
	err := g.Each(func(scaled []uint64, ordinal uint64) error {
		if want[ordinal] == nil {
			t.Fatalf("box %v is not touched", scaled)
		}
		if n, ok := g.Ordinal(scaled); !ok || n != ordinal || int64(n) <= last {
			t.Fatalf("box %v has ordinal %d after %d, told %d", scaled, n, last, ordinal)
		}
		seen, last = seen+1, int64(ordinal)
		return nil
	})
	if err != nil || seen != len(want) {
		t.Fatalf("%d of %d boxes, %v", seen, len(want), err)
	}
}

func checkWindow(t *testing.T, w *Window, want []place) {
	t.Helper()
	if w.NumElements() != int64(len(want)) {
		t.Fatalf("%d elements in a window, want %d", w.NumElements(), len(want))
	}
	if first, end := w.Extent(); first != want[0].box || end != want[len(want)-1].box+1 {
		t.Fatalf("extent %d to %d, want %d to %d", first, end, want[0].box, want[len(want)-1].box+1)
	}
	got := []place{}
	at := int64(0)
	w.Runs(func(r Run) {
		if r.N < 1 || r.Len < 1 || r.Box < at {
			t.Fatalf("run %+v after box offset %d", r, at)
		}
		for i := range r.N {
			at = r.Box + i*r.BoxStep
			for j := range r.Len {
				got = append(got, place{at + j, r.Out + i*r.OutStep + j})
			}
		}
		if r.End() != got[len(got)-1].box+1 {
			t.Fatalf("run %+v ends at %d", r, r.End())
		}
	})
	if !slices.Equal(got, want) {
		t.Fatalf("runs give %v\nwant %v", got, want)
	}
	single := true
	for i, p := range want {
		single = single && p == place{want[0].box + int64(i), want[0].out + int64(i)}
	}
	r, ok := w.Single()
	if w.g.s.points != nil {
		single = false
	}
	if ok != single {
		t.Fatalf("single piece: %v, want %v for %v", ok, single, want)
	}
	if ok && (r != Run{Box: want[0].box, Out: want[0].out, Len: int64(len(want)), N: 1}) {
		t.Fatalf("single piece %+v for %v", r, want)
	}
}

func checkUntouched(t *testing.T, r *rand.Rand, g *Grid, w *Window, want map[uint64][]place) {
	t.Helper()
	scaled := make([]uint64, len(g.box))
	for d, n := range g.counts {
		scaled[d] = r.Uint64N(n + 1)
	}
	ordinal, ok := g.Ordinal(scaled)
	if touched := ok && want[ordinal] != nil; g.Touches(scaled) != touched {
		t.Fatalf("box %v touched: %v, want %v", scaled, !touched, touched)
	} else if ok && !touched {
		w.Set(g, scaled)
		w.Runs(func(run Run) { t.Fatalf("run %+v in a box that is not touched", run) })
		if w.NumElements() != 0 {
			t.Fatalf("%d elements in a box that is not touched", w.NumElements())
		}
	}
}
