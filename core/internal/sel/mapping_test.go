package sel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func (p *Pattern) list() []uint64 {
	list := []uint64{}
	for k := range p.N {
		list = append(list, p.Start+k/p.Block*p.Stride+k%p.Block)
	}
	return list
}

func randomPattern(r *rand.Rand, extent uint64) Pattern {
	p := Pattern{Start: r.Uint64N(extent), Block: 1 + r.Uint64N(3)}
	p.Stride = p.Block + r.Uint64N(4)
	for p.At(p.N) < extent && r.IntN(9) != 0 {
		p.N++
	}
	if r.IntN(3) == 0 {
		p.Start, p.Stride, p.Block, p.N = 0, 1, 1, extent
	}
	return p
}

// randomRegion makes a region within shape and the coordinates of its elements in order.
func randomRegion(t *testing.T, r *rand.Rand, shape []uint64) (*Region, [][]uint64) {
	t.Helper()
	if r.IntN(3) > 0 {
		axes, lists := make([]Pattern, len(shape)), [][]uint64{{}}
		for d := range axes {
			axes[d] = randomPattern(r, shape[d])
			var longer [][]uint64
			for _, prefix := range lists {
				for _, pos := range axes[d].list() {
					longer = append(longer, append(slices.Clone(prefix), pos))
				}
			}
			lists = longer
		}
		region, err := NewRegion(axes)
		if err != nil {
			t.Fatal(err)
		}
		return region, lists
	}
	var corners []uint64
	in := map[string][]uint64{}
	for range r.IntN(5) {
		lo, hi := make([]uint64, len(shape)), make([]uint64, len(shape))
		for d := range lo {
			lo[d] = r.Uint64N(shape[d])
			hi[d] = lo[d] + r.Uint64N(shape[d]-lo[d])
		}
		corners = append(append(corners, lo...), hi...)
		for at := slices.Clone(lo); ; {
			in[fmt.Sprint(at)] = slices.Clone(at)
			d := len(at) - 1
			for ; d >= 0; d-- {
				if at[d]++; at[d] <= hi[d] {
					break
				}
				at[d] = lo[d]
			}
			if d < 0 {
				break
			}
		}
	}
	region, err := NewBoxes(len(shape), corners)
	if err != nil {
		t.Fatal(err)
	}
	var list [][]uint64
	for _, c := range in {
		list = append(list, c)
	}
	slices.SortFunc(list, slices.Compare[[]uint64])
	return region, list
}

func randomShape(r *rand.Rand, rank int) []uint64 {
	shape := make([]uint64, rank)
	for d := range shape {
		shape[d] = 1 + r.Uint64N([]uint64{1, 40, 10, 6, 4}[rank])
	}
	return shape
}

func TestRegionsNumberTheirElementsInRowMajorOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		shape := randomShape(r, 1+r.IntN(4))
		region, want := randomRegion(t, r, shape)
		if region.NumElements() != int64(len(want)) {
			t.Fatalf("%d elements, want %d", region.NumElements(), len(want))
		}
		at := make([]uint64, len(shape))
		for k, c := range want {
			if n := region.locate(int64(k), at); !slices.Equal(at, c) || n < 1 || int(n) > len(want)-k {
				t.Fatalf("element %d at %v, %d in a row, want %v", k, at, n, c)
			}
		}
		var got [][]uint64
		lo, hi := make([]uint64, len(shape)), make([]uint64, len(shape))
		for d := range hi {
			hi[d] = shape[d] - 1
		}
		err := region.within(lo, hi, func(coords []uint64, n, first int64) error {
			for i := range n {
				c := slices.Clone(coords)
				c[len(c)-1] += uint64(i)
				if int(first+i) != len(got) {
					t.Fatalf("element %v is number %d, want %d", c, first+i, len(got))
				}
				got = append(got, c)
			}
			return nil
		})
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v, want %v: %v", got, want, err)
		}
	}
}

// randomMapping makes a mapping between random regions of one size, and the coordinates of its pairs.
func randomMapping(t *testing.T, r *rand.Rand, vshape, sshape []uint64) (*Mapping, [][]uint64, [][]uint64) {
	t.Helper()
	for {
		v, vlist := randomRegion(t, r, vshape)
		s, slist := randomRegion(t, r, sshape)
		if r.IntN(2) == 0 && len(vshape) == len(sshape) { // most mappings have the same shape on both sides
			s, slist = v, vlist
			for d := range vshape {
				sshape[d] = max(sshape[d], vshape[d])
			}
		}
		if v.NumElements() != s.NumElements() {
			if _, err := NewMapping(v, s); err == nil {
				t.Fatal("regions of different sizes are paired")
			}
			continue
		}
		m, err := NewMapping(v, s)
		if err != nil {
			t.Fatal(err)
		}
		return m, vlist, slist
	}
}

func TestProjectionsAgreeWithAnElementByElementModel(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	products, lists := 0, 0
	for range 2500 {
		vshape, sshape := randomShape(r, 1+r.IntN(3)), randomShape(r, 1+r.IntN(3))
		m, vlist, slist := randomMapping(t, r, vshape, sshape)
		s, coords := randomSelection(t, r, vshape)
		base, steps := int64(0), []int64(nil)
		if r.IntN(2) == 0 {
			base, steps = spread(r, s.OutShape())
			s = s.Placed(base, steps)
		}
		base, steps = s.placement()
		number := map[string]int{}
		for k, c := range vlist {
			number[fmt.Sprint(c)] = k
		}
		want := map[string][]string{}
		for i, c := range coords {
			k, ok := number[fmt.Sprint(c)]
			if !ok {
				continue
			}
			out, rest := base, int64(i)
			for d := len(steps) - 1; d >= 0; d-- {
				out += rest % int64(s.OutShape()[d]) * steps[d]
				rest /= int64(s.OutShape()[d])
			}
			key := fmt.Sprint(out)
			want[key] = append(want[key], fmt.Sprint(slist[k]))
		}
		got := map[string][]string{}
		err := m.Project(s, sshape, func(p *Selection) error {
			if p.IsPoints() {
				lists++
			} else {
				products++
			}
			elements(t, p, func(out int64, coords []uint64) {
				got[fmt.Sprint(out)] = append(got[fmt.Sprint(out)], fmt.Sprint(coords))
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v of %v: %v, want %v", s, m, got, want)
		}
	}
	if products < 300 || lists < 300 {
		t.Errorf("%d products and %d lists: one is hardly tested", products, lists)
	}
}

func randomSelection(t *testing.T, r *rand.Rand, shape []uint64) (*Selection, [][]uint64) {
	t.Helper()
	if r.IntN(4) == 0 {
		var flat []uint64
		var coords [][]uint64
		for range r.IntN(20) {
			c := make([]uint64, len(shape))
			for d := range c {
				c[d] = r.Uint64N(shape[d])
			}
			flat, coords = append(flat, c...), append(coords, c)
		}
		s, err := Points(shape, flat)
		if err != nil {
			t.Fatal(err)
		}
		return s, coords
	}
	axes := make([]Axis, len(shape))
	for d := range axes {
		axes[d] = randomAxis(r, shape[d])
	}
	s, err := Orthogonal(shape, axes)
	if err != nil {
		t.Fatal(err)
	}
	return s, coordinates(axes)
}

// elements lists what a selection selects and where that goes, by one window over all of it.
func elements(t *testing.T, s *Selection, yield func(out int64, coords []uint64)) {
	t.Helper()
	g, err := NewGrid(s, s.Shape())
	if err != nil {
		t.Fatal(err)
	}
	var w Window
	w.Set(g, make([]uint64, len(s.Shape())))
	w.Runs(func(r Run) {
		for i := range r.N {
			for j := range r.Len {
				c := make([]uint64, len(s.Shape()))
				rest := uint64(r.Box + i*r.BoxStep + j)
				for d := len(c) - 1; d >= 0; d-- {
					c[d] = rest % s.Shape()[d]
					rest /= s.Shape()[d]
				}
				yield(r.Out+i*r.OutStep+j, c)
			}
		}
	})
}

func TestOverlapsAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	found := [2]int{}
	for range 4000 {
		shape := randomShape(r, 1+r.IntN(3))
		a, alist := randomRegion(t, r, shape)
		b, blist := randomRegion(t, r, shape)
		want := 0
		for _, c := range alist {
			if slices.ContainsFunc(blist, func(d []uint64) bool { return slices.Equal(c, d) }) {
				want = 1
			}
		}
		if got := a.Overlaps(b); got != (want == 1) {
			t.Fatalf("%v and %v: %v", alist, blist, got)
		}
		found[want]++
	}
	if found[0] < 500 || found[1] < 500 {
		t.Errorf("%v: one is hardly tested", found)
	}
}

func TestRegionsThatCannotBeAreRefused(t *testing.T) {
	const huge = 1<<64 - 1
	for i, p := range []Pattern{{0, 1, 2, 3}, {huge, 1, 1, 1}, {0, huge, 1, 3}, {0, 1, 1, huge}, {1, 4, 0, 2}, {0, 0, 1, 2}} {
		if _, err := NewRegion([]Pattern{p}); err == nil {
			t.Errorf("pattern %d is taken", i)
		}
	}
	for i, corners := range [][]uint64{{1}, {2, 1}, {0, huge}} {
		if _, err := NewBoxes(1, corners); err == nil {
			t.Errorf("boxes %d are taken", i)
		}
	}
	// Boxes that all lie across each other make a tree of all their pieces: refused, and soon.
	var corners []uint64
	for i := range uint64(4000) {
		corners = append(corners, i, i, i, 9000-i, 9000-i, 9000-i)
	}
	if _, err := NewBoxes(3, corners); err == nil {
		t.Error("4,000 nested boxes are taken")
	}
}
