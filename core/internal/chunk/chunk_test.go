package chunk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"clawh5/core/internal/meta"
)

// eachDataset calls f with every dataset of the generated files.
func eachDataset(t *testing.T, run func(t *testing.T, f *meta.File, d *described, x Index, want map[string]Chunk)) {
	for name, g := range readGolden(t) {
		f, err := openBytes(readFile(t, name))
		if err != nil {
			t.Fatal(name, err)
		}
		for _, ds := range g.Datasets {
			t.Run(name+ds.Name, func(t *testing.T) {
				d, err := describe(f, ds.Header)
				if err != nil {
					t.Fatal(err)
				}
				x, err := d.open(f, ds.Element)
				if err != nil {
					t.Fatal(err)
				}
				run(t, f, &d, x, d.want(&g, ds.Chunks))
			})
		}
	}
}

func collect(x Index, lo, hi []uint64) (map[string]Chunk, error) {
	got := map[string]Chunk{}
	err := x.Within(context.Background(), lo, hi, func(c Chunk) error {
		c.Scaled = append([]uint64(nil), c.Scaled...)
		key := fmt.Sprint(c.Scaled)
		if _, twice := got[key]; twice {
			return fmt.Errorf("chunk %s twice", key)
		}
		got[key] = c
		return nil
	})
	return got, err
}

func (d *described) bounds() (lo, hi []uint64) {
	for i := range d.space.Dims {
		lo, hi = append(lo, 0), append(hi, (d.space.Dims[i]-1)/d.layout.ChunkDims[i])
	}
	return lo, hi
}

func TestAllChunksAreThoseOfLibhdf5(t *testing.T) {
	kinds := map[string]int{}
	eachDataset(t, func(t *testing.T, _ *meta.File, d *described, x Index, want map[string]Chunk) {
		lo, hi := d.bounds()
		got, err := collect(x, lo, hi)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
		kinds[fmt.Sprintf("%T", x)]++
	})
	for _, kind := range []Index{empty{}, &single{}, &implicit{}, &array{}, &btree1{}, &btree2{}} {
		if kinds[fmt.Sprintf("%T", kind)] == 0 {
			t.Errorf("no dataset with %T", kind)
		}
	}
}

func TestBoxYieldsJustTheChunksInIt(t *testing.T) {
	eachDataset(t, func(t *testing.T, _ *meta.File, d *described, x Index, want map[string]Chunk) {
		r := rand.New(rand.NewPCG(1, 2))
		_, last := d.bounds()
		for range 30 {
			lo, hi := make([]uint64, len(last)), make([]uint64, len(last))
			for i, n := range last {
				// Often beyond the dataset, which is no error.
				a, b := r.Uint64N(n+2), r.Uint64N(n+3)
				lo[i], hi[i] = min(a, b), max(a, b)
			}
			in := map[string]Chunk{}
			b := box{lo: lo, hi: hi}
			for k, c := range want {
				if b.has(c.Scaled) {
					in[k] = c
				}
			}
			got, err := collect(x, lo, hi)
			if err != nil {
				t.Fatal(lo, hi, err)
			}
			if !reflect.DeepEqual(got, in) {
				t.Fatalf("box %v..%v:\ngot  %v\nwant %v", lo, hi, got, in)
			}
		}
	})
}

func TestLookupFindsEveryChunkAndNoOther(t *testing.T) {
	eachDataset(t, func(t *testing.T, _ *meta.File, d *described, x Index, want map[string]Chunk) {
		ctx := context.Background()
		for k, w := range want {
			c, ok, err := x.Lookup(ctx, w.Scaled)
			if err != nil || !ok {
				t.Fatal(k, ok, err)
			}
			c.Scaled = w.Scaled
			if !reflect.DeepEqual(c, w) {
				t.Fatalf("%s: got %v, want %v", k, c, w)
			}
		}
		r := rand.New(rand.NewPCG(3, 4))
		_, last := d.bounds()
		for range 150 {
			p := make([]uint64, len(last))
			for i, n := range last {
				p[i] = r.Uint64N(n + 2)
				if r.IntN(50) == 0 {
					p[i] = r.Uint64()
				}
			}
			_, ok, err := x.Lookup(ctx, p)
			if _, there := want[fmt.Sprint(p)]; ok != there || err != nil {
				t.Fatalf("%v: found %t, want %t (%v)", p, ok, there, err)
			}
		}
	})
}

func TestStopEndsAWalk(t *testing.T) {
	eachDataset(t, func(t *testing.T, _ *meta.File, d *described, x Index, want map[string]Chunk) {
		lo, hi := d.bounds()
		n := 0
		err := x.Within(context.Background(), lo, hi, func(Chunk) error {
			n++
			return meta.ErrStop
		})
		if err != nil || n != min(1, len(want)) {
			t.Errorf("%d chunks, %v", n, err)
		}
		failure := fmt.Errorf("the caller's")
		err = x.Within(context.Background(), lo, hi, func(Chunk) error { return failure })
		if len(want) > 0 && err != failure {
			t.Errorf("got %v, want the error of the yield", err)
		}
	})
}
