package core

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"strings"
	"testing"
)

// picked is a random selection together with what it means: a list of positions
// for each axis, or of points.
type picked struct {
	Selection
	axes   [][]uint64
	points [][]uint64 // nil unless points
}

// pick returns a random selection of a shape with about most elements.
func pick(rng *rand.Rand, shape []uint64, most float64) picked {
	rank := len(shape)
	each := uint64(math.Ceil(math.Pow(most, 1/float64(max(rank, 1)))))
	switch rng.IntN(8) {
	case 0:
		if n := product(shape); n <= uint64(most)*4 {
			return picked{Selection: All(), axes: axesOf(shape)}
		}
	case 1:
		return pickPoints(rng, shape)
	case 2, 3, 4:
		return pickAxes(rng, shape, each, true)
	}
	return pickAxes(rng, shape, each, false)
}

func product(shape []uint64) uint64 {
	n := uint64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}

func axesOf(shape []uint64) [][]uint64 {
	axes := make([][]uint64, len(shape))
	for d, n := range shape {
		for i := range n {
			axes[d] = append(axes[d], i)
		}
	}
	return axes
}

func pickPoints(rng *rand.Rand, shape []uint64) picked {
	p := picked{points: make([][]uint64, rng.IntN(9))}
	var flat []uint64
	for i := range p.points {
		p.points[i] = make([]uint64, len(shape))
		for d, n := range shape {
			p.points[i][d] = rng.Uint64N(n)
		}
		flat = append(flat, p.points[i]...)
	}
	p.Selection = Points(len(shape), flat)
	if len(shape) == 0 { // a list of points of no coordinates has no length
		p.points, p.Selection, p.axes = nil, All(), [][]uint64{}
	}
	return p
}

// pickAxes takes a slab on each axis, or a list of indices on some if orthogonal.
func pickAxes(rng *rand.Rand, shape []uint64, each uint64, orthogonal bool) picked {
	rank := len(shape)
	p := picked{axes: make([][]uint64, rank)}
	start, stride, count, block := make([]uint64, rank), make([]uint64, rank), make([]uint64, rank), make([]uint64, rank)
	index := make([][]uint64, rank)
	for d, n := range shape {
		stride[d], block[d] = 1, 1
		if orthogonal && rng.IntN(2) == 0 {
			index[d] = []uint64{}
			for i, k := uint64(0), 1+rng.Uint64N(2*n/each+1); rng.IntN(20) > 0; {
				if i += rng.Uint64N(k); i >= n {
					break
				}
				index[d] = append(index[d], i)
				i++
			}
			p.axes[d] = index[d]
			continue
		}
		start[d] = rng.Uint64N(n)
		left := n - start[d]
		block[d] = 1 + rng.Uint64N(min(left, 3))
		stride[d] = block[d] + rng.Uint64N(max(left/each, 4))
		count[d] = min(1+(left-block[d])/stride[d], 1+rng.Uint64N(2*each))
		if rng.IntN(40) == 0 {
			count[d] = 0
		}
		for c := range count[d] {
			for b := range block[d] {
				p.axes[d] = append(p.axes[d], start[d]+c*stride[d]+b)
			}
		}
	}
	p.Selection = Hyperslab(start, stride, count, block)
	if orthogonal {
		p.Selection = Orthogonal(start, stride, count, block, index)
	}
	return p
}

// each calls yield with the linear index of each picked element in C order.
func (p picked) each(shape []uint64, yield func(at uint64)) {
	for _, point := range p.points {
		at := uint64(0)
		for d, n := range shape {
			at = at*n + point[d]
		}
		yield(at)
	}
	if p.points == nil {
		productOf(p.axes, shape, 0, yield)
	}
}

func productOf(axes [][]uint64, shape []uint64, at uint64, yield func(uint64)) {
	if len(axes) == 0 {
		yield(at)
		return
	}
	for _, i := range axes[0] {
		productOf(axes[1:], shape[1:], at*shape[0]+i, yield)
	}
}

// asMemory writes v as libhdf5 converts an integer: to the nearest in range.
func asMemory(mem MemoryType, v int64) []byte {
	le := binary.LittleEndian
	switch mem {
	case MemoryFloat32:
		return le.AppendUint32(nil, math.Float32bits(float32(v)))
	case MemoryFloat64:
		return le.AppendUint64(nil, math.Float64bits(float64(v)))
	}
	size := uint(1) << ((mem - MemoryInt8) / 2)
	if (mem-MemoryInt8)%2 == 0 {
		v = max(min(v, math.MaxInt64>>(64-8*size)), math.MinInt64>>(64-8*size))
	} else if v = max(v, 0); size < 8 {
		v = min(v, 1<<(8*size)-1)
	}
	return le.AppendUint64(nil, uint64(v))[:size]
}

var integerMemory = []MemoryType{MemoryFile, MemoryNative, MemoryInt8, MemoryUint8, MemoryInt16, MemoryUint16, MemoryInt32,
	MemoryUint32, MemoryInt64, MemoryUint64, MemoryFloat32, MemoryFloat64}

// checkPicks compares reads of random selections with elements of values, the
// whole dataset. native is the memory type that its datatype is.
func checkPicks(t *testing.T, d *Dataset, rng *rand.Rand, values []int64, native MemoryType, times int) {
	t.Helper()
	for range times {
		p := pick(rng, d.Dims(), 300)
		mem := integerMemory[rng.IntN(len(integerMemory))]
		var want []byte
		p.each(d.Dims(), func(at uint64) {
			as := mem
			if mem <= MemoryNative {
				as = native
			}
			e := asMemory(as, values[at])
			if mem == MemoryFile && d.TypeInfo().BigEndian {
				e = swapped(e, len(e))
			}
			want = append(want, e...)
		})
		got := make([]byte, len(want))
		for i := range got {
			got[i] = 0xa5
		}
		if err := d.Read(background, p.Selection, mem, got, nil); err != nil {
			t.Fatalf("%+v as %d: %v", p.Selection, mem, err)
		}
		if string(got) != string(want) {
			t.Fatalf("%+v as %d:\n%x, want\n%x", p.Selection, mem, got, want)
		}
	}
}

// Every layout and index at ranks 0 to 6. The values are those that
// testdata/make/make_selections.py writes: 7 i + 1, and in "sparse" 5 in the
// first chunk and the fill value -9 everywhere else.
func TestRandomSelectionsOfAllLayoutsHoldTheRightElements(t *testing.T) {
	f := openTest(t, "../testdata/files/selections/layouts_latest.h5", Options{ChunkCacheBytes: 4000})
	names, err := f.Root().LinkNames(background)
	if err != nil || len(names) != 2*7+10*6 {
		t.Fatalf("%d datasets, %v", len(names), err)
	}
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			d := testDataset(t, f, name)
			values := make([]int64, product(d.Dims()))
			for i := range values {
				values[i] = 7*int64(i) + 1
			}
			if strings.HasPrefix(name, "sparse") {
				for i := range values {
					values[i] = -9
				}
				first := picked{axes: axesOf(d.info.Layout.ChunkDims)}
				first.each(d.Dims(), func(at uint64) { values[at] = 5 })
			}
			checkPicks(t, d, rand.New(rand.NewPCG(uint64(i), 1)), values, MemoryInt32, 60)
		})
	}
}

// Every chunk index. The whole is put together from the bytes of the file and
// from where h5py says that chunks are.
func TestRandomSelectionsOfAllIndexesHoldTheRightElements(t *testing.T) {
	const folder = "../testdata/files/chunk_index/"
	text, err := os.ReadFile(folder + "chunk_index.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]struct {
		Datasets []struct {
			Name   string
			Chunks [][4]json.RawMessage // offset, filter mask, address, bytes
		}
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	for name, file := range golden {
		image, err := os.ReadFile(path.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		f := openTest(t, folder+name, Options{})
		for i, g := range file.Datasets {
			t.Run(name+g.Name, func(t *testing.T) {
				d := testDataset(t, f, g.Name)
				values := make([]int64, product(d.Dims()))
				for _, c := range g.Chunks {
					placeChunk(t, values, d, c, image)
				}
				checkPicks(t, d, rand.New(rand.NewPCG(uint64(i), 2)), values, MemoryUint8, 20)
			})
		}
	}
}

// placeChunk puts a chunk of bytes, with or without a checksum at its end, where
// it belongs.
func placeChunk(t *testing.T, values []int64, d *Dataset, chunk [4]json.RawMessage, image []byte) {
	var offset []uint64
	var mask, address, size uint64
	if err := json.Unmarshal(chunk[0], &offset); err != nil {
		t.Fatal(err)
	}
	for i, to := range []*uint64{&mask, &address, &size} {
		if err := json.Unmarshal(chunk[i+1], to); err != nil {
			t.Fatal(err)
		}
	}
	dims, shape := d.info.Layout.ChunkDims, d.Dims()
	next := image[address : address+product(dims)]
	inside := picked{axes: axesOf(dims)}
	place := make([]uint64, len(dims))
	inside.each(dims, func(at uint64) {
		linear, inShape := uint64(0), true
		for d := len(dims) - 1; d >= 0; d-- {
			place[d] = offset[d] + at%dims[d]
			at /= dims[d]
			inShape = inShape && place[d] < shape[d]
		}
		for d, n := range shape {
			linear = linear*n + place[d]
		}
		if inShape {
			values[linear] = int64(next[0])
		}
		next = next[1:]
	})
}
