package sel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFindersMissNoRegion(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 500 {
		shape := randomShape(r, 1+r.IntN(3))
		regions := make([]*Region, r.IntN(12))
		for i := range regions {
			regions[i], _ = randomRegion(t, r, shape)
		}
		f := NewFinder(regions)
		s, _ := randomSelection(t, r, shape)
		near := f.Near(s)
		if !slices.IsSorted(near) {
			t.Fatalf("%v", near)
		}
		for i, region := range regions {
			itself, err := NewMapping(region, region)
			if err != nil {
				t.Fatal(err)
			}
			touched := false
			if err := itself.Project(s, shape, func(*Selection) error { touched = true; return nil }); err != nil {
				t.Fatal(err)
			}
			if touched && !slices.Contains(near, i) {
				t.Fatalf("region %d is touched and not found", i)
			}
		}
	}
}

func TestFindersTellManyRegionsApart(t *testing.T) {
	regions := make([]*Region, 1000)
	for i := range regions {
		var err error
		if regions[i], err = NewBoxes(2, []uint64{0, uint64(10 * i), 99, uint64(10*i + 9)}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Hyperslab([]uint64{100, 10000}, []uint64{5, 4005}, nil, []uint64{1, 10}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if near := NewFinder(regions).Near(s); !slices.Equal(near, []int{400, 401}) {
		t.Errorf("%v", near)
	}
}
