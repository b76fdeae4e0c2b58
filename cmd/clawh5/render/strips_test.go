package render

import (
	"math/rand"
	"slices"
	"testing"
)

func TestStripsCoverEveryElementOnceInOrder(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 300 {
		dims := make([]uint64, random.Intn(5))
		total := uint64(1)
		for i := range dims {
			dims[i] = uint64(random.Intn(7))
			total *= dims[i]
		}
		elementSize, limit := uint64(1+random.Intn(9)), uint64(1+random.Intn(200))
		next, last := uint64(0), total == 0
		for s := range Strips(dims, elementSize, limit) {
			if last && total > 0 {
				t.Fatalf("%v: a strip after the last one", dims)
			}
			if s.Position != next {
				t.Fatalf("%v: a strip at %d, not %d", dims, s.Position, next)
			}
			if s.Elements*elementSize > max(limit, elementSize) {
				t.Fatalf("%v: %d elements of %d bytes, at most %d bytes are asked for", dims, s.Elements, elementSize, limit)
			}
			if got := positions(dims, s); !slices.Equal(got, sequence(next, s.Elements)) {
				t.Fatalf("%v: the box %v+%v holds elements %v, not %d from %d", dims, s.Start, s.Count, got, s.Elements, next)
			}
			next, last = next+s.Elements, s.Last
		}
		if next != total || !last {
			t.Fatalf("%v: strips end at %d of %d, last %v", dims, next, total, last)
		}
	}
}

// positions are the linear positions of a strip's elements in C order.
func positions(dims []uint64, s Strip) []uint64 {
	list := []uint64{0}
	for i := range dims {
		var finer []uint64
		for _, p := range list {
			for k := range s.Count[i] {
				finer = append(finer, p*dims[i]+s.Start[i]+k)
			}
		}
		list = finer
	}
	return list
}

func sequence(first, n uint64) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = first + uint64(i)
	}
	return list
}
