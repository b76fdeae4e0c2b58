package chunk

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"clawh5/core/internal/format"
)

// TestSeekFindsTheFirstPointOfTheBoxThatDoesNotLieBefore compares with a search
// through all points in row-major order.
func TestSeekFindsTheFirstPointOfTheBoxThatDoesNotLieBefore(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const side = 5
	for range 3000 {
		rank := 1 + r.IntN(3)
		lo, hi, p := make([]uint64, rank), make([]uint64, rank), make([]uint64, rank)
		for d := range lo {
			a, b := r.Uint64N(side), r.Uint64N(side)
			lo[d], hi[d], p[d] = min(a, b), max(a, b), r.Uint64N(side+1)
		}
		every := &box{lo: make([]uint64, rank), hi: make([]uint64, rank), at: make([]uint64, rank)}
		for d := range every.hi {
			every.hi[d] = side
		}
		b := newBox(lo, hi, endlessCounts[:rank])
		var want []uint64
		for ok := true; ok && want == nil; ok = every.next() {
			if b.has(every.at) && !before(every.at, p) {
				want = append(want, every.at...)
			}
		}
		ok := b.seek(p)
		if ok != (want != nil) || (ok && !reflect.DeepEqual(b.at, want)) {
			t.Fatalf("box %v..%v from %v: %v %t, want %v", lo, hi, p, b.at, ok, want)
		}
	}
}

func TestBoxIsCutToTheChunksThereAre(t *testing.T) {
	if newBox([]uint64{2, 0}, []uint64{5, 9}, []uint64{2, 3}) != nil || newBox([]uint64{0}, []uint64{5}, []uint64{0}) != nil ||
		newBox([]uint64{3}, []uint64{2}, []uint64{9}) != nil {
		t.Error("an empty box is not nil")
	}
	b := newBox([]uint64{1, 0}, []uint64{^uint64(0), 1}, []uint64{3, 3})
	n := 0
	for ok := true; ok; ok = b.next() {
		n++
	}
	if n != 4 {
		t.Errorf("%d points, want 4", n)
	}
}

func TestNumberingIsRowMajorWithTheFirstDimensionInFront(t *testing.T) {
	space := &format.Dataspace{Dims: []uint64{3, 4, 30}, MaxDims: []uint64{3, format.Unlimited, 31}}
	g, err := newGrid([]uint64{1, 2, 10}, space)
	if err != nil {
		t.Fatal(err)
	}
	n, err := g.number(1)
	if err != nil {
		t.Fatal(err)
	}
	// Dimension 1 first, then 0 and 2, of which there can be 3 and 4.
	at := make([]uint64, 3)
	n.permute(at, []uint64{2, 5, 3})
	i, ok := n.index(at)
	if want := uint64(5*12 + 2*4 + 3); i != want || !ok {
		t.Errorf("index %d, want %d", i, want)
	}
	back, dims := make([]uint64, 3), make([]uint64, 3)
	n.point(i, back)
	n.restore(dims, back)
	if !reflect.DeepEqual(dims, []uint64{2, 5, 3}) {
		t.Errorf("back to %v", dims)
	}
}

func TestEdgeChunksReachOverTheEdge(t *testing.T) {
	g, err := newGrid([]uint64{2, 3}, &format.Dataspace{Dims: []uint64{4, 7}})
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[[2]uint64]bool{{0, 0}: false, {1, 1}: false, {0, 2}: true, {2, 0}: true, {^uint64(0), 0}: true} {
		if g.isEdge(p[:]) != want {
			t.Errorf("%v: %t", p, !want)
		}
	}
}
