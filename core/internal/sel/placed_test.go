package sel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// spread returns steps that leave holes between the elements of a result.
func spread(r *rand.Rand, out []uint64) (int64, []int64) {
	steps := make([]int64, len(out))
	step := int64(1)
	for d := len(out) - 1; d >= 0; d-- {
		if r.IntN(2) == 0 {
			step *= 1 + r.Int64N(3)
		}
		steps[d] = step
		step *= int64(out[d]) + r.Int64N(2)
	}
	return r.Int64N(5), steps
}

func TestPlacedSelectionsAgreeWithAnElementByElementModel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 6000 {
		s, coords, box := random(t, r)
		base, steps := spread(r, s.OutShape())
		outs := make([]int64, len(coords))
		for i := range outs {
			rest := int64(i)
			outs[i] = base
			for d := len(steps) - 1; d >= 0; d-- {
				outs[i] += rest % int64(s.OutShape()[d]) * steps[d]
				rest /= int64(s.OutShape()[d])
			}
		}
		checkPlaces(t, s.Placed(base, steps), coords, outs, box)
	}
}

func TestRunsAgreeWithAnElementByElementModel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		rank := 1 + r.IntN(4)
		shape, box := make([]uint64, rank), make([]uint64, rank)
		for d := range shape {
			shape[d], box[d] = 1+r.Uint64N(9), 1+r.Uint64N(11)
		}
		var firsts []uint64
		var lens, places, outs []int64
		var coords [][]uint64
		at := r.Int64N(4)
		// Runs of a mapping are disjoint: one a row.
		row := make([]uint64, rank)
		for done := false; !done; {
			if r.IntN(2) == 0 {
				row[rank-1] = r.Uint64N(shape[rank-1])
				n := 1 + r.Int64N(int64(shape[rank-1]-row[rank-1]))
				firsts, lens, places = append(firsts, row...), append(lens, n), append(places, at)
				for i := range n {
					c := slices.Clone(row)
					c[rank-1] += uint64(i)
					coords, outs = append(coords, c), append(outs, at+i)
				}
				at += n + r.Int64N(2)
				row[rank-1] = 0
			}
			d := rank - 2
			for ; d >= 0; d-- {
				if row[d]++; row[d] < shape[d] {
					break
				}
				row[d] = 0
			}
			done = d < 0
		}
		s, err := Runs(shape, firsts, lens, places)
		if err != nil {
			t.Fatal(err)
		}
		checkPlaces(t, s, coords, outs, box)
	}
}

// checkPlaces compares the windows of s over boxes with the places of the elements.
func checkPlaces(t *testing.T, s *Selection, coords [][]uint64, outs []int64, box []uint64) {
	t.Helper()
	if s.NumElements() != int64(len(coords)) {
		t.Fatalf("%d elements, want %d", s.NumElements(), len(coords))
	}
	g, err := NewGrid(s, box)
	if err != nil {
		t.Fatal(err)
	}
	checkBounds(t, g, coords)
	want := model(g, coords)
	for _, places := range want {
		for i := range places {
			places[i].out = outs[places[i].out]
		}
	}
	if g.Touched() != int64(len(want)) {
		t.Fatalf("%d boxes touched, want %d", g.Touched(), len(want))
	}
	w := new(Window)
	scaled := make([]uint64, len(box))
	for ordinal, places := range want {
		g.Scaled(scaled, ordinal)
		w.Set(g, scaled)
		checkWindow(t, w, places)
	}
}

func TestRunsOutsideTheShapeAreRefused(t *testing.T) {
	for _, c := range []struct {
		first []uint64
		n     int64
	}{{[]uint64{0, 3}, 3}, {[]uint64{2, 0}, 1}, {[]uint64{0, 0}, 0}, {[]uint64{0, 5}, 1}, {[]uint64{0}, 1}} {
		if _, err := Runs([]uint64{2, 5}, c.first, []int64{c.n}, []int64{0}); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}
