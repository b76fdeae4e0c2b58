package sel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// blocks are the first and last positions of the blocks of a pattern, some of
// them in two pieces.
func (p *Pattern) blocks(r *rand.Rand) (list [][2]uint64) {
	for k := uint64(0); k < p.N; {
		n := p.run(k)
		if n > 1 && r.IntN(4) == 0 {
			n = 1 + r.Uint64N(n-1)
		}
		list = append(list, [2]uint64{p.At(k), p.At(k) + n - 1})
		k += n
	}
	return list
}

func TestBoxesThatMakeUpAProductAreOne(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		axes := make([]Pattern, 1+r.IntN(3))
		boxes := [][][2]uint64{nil}
		for d := range axes {
			axes[d] = randomPattern(r, 12)
			axes[d].N = max(axes[d].N, 1)
			blocks := axes[d].blocks(r)
			var longer [][][2]uint64
			for _, b := range boxes {
				for _, block := range blocks {
					longer = append(longer, append(slices.Clone(b), block))
				}
			}
			boxes = longer
		}
		r.Shuffle(len(boxes), func(i, j int) { boxes[i], boxes[j] = boxes[j], boxes[i] })
		var corners []uint64
		for _, b := range boxes {
			for side := range 2 {
				for d := range axes {
					corners = append(corners, b[d][side])
				}
			}
		}
		region, err := NewBoxes(len(axes), corners)
		if err != nil {
			t.Fatal(err)
		}
		if region.axes == nil {
			t.Fatalf("the boxes %v of %v are no product", boxes, axes)
		}
		for d := range axes {
			if got, want := region.axes[d].list(), axes[d].list(); !slices.Equal(got, want) {
				t.Fatalf("axis %d of the boxes %v: %v, want %v", d, boxes, got, want)
			}
		}
	}
}

func TestBoxesThatMakeUpNoProductAreKept(t *testing.T) {
	for _, corners := range [][]uint64{
		{0, 0, 3, 3, 5, 0, 8, 4},             // rows of different columns
		{0, 0, 0, 0, 2, 0, 2, 0, 5, 0, 5, 0}, // uneven steps
		{0, 0, 1, 0, 4, 0, 4, 0, 8, 0, 9, 0}, // a short block that is not the last
		{0, 0, 0, 0, 3, 0, 4, 0},             // a longer block behind a shorter one
		{0, 0, 1, 0, 1<<63 - 2, 0, 1<<63 - 2, 0},
	} {
		region, err := NewBoxes(2, corners)
		if err != nil {
			t.Fatal(err)
		}
		if region.axes != nil {
			t.Errorf("%v became %v", corners, fmt.Sprint(region.axes))
		}
	}
}
