package exec

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clawh5/core/internal/chunk"
	"clawh5/core/internal/convert"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/format"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
	"clawh5/storage"
	"clawh5/storage/memstore"
)

// plainStore is bytes that are only read, never lent.
type plainStore struct {
	b     []byte
	reads atomic.Int64
	delay time.Duration
	fail  func(off int64, n int) error // nil: never
}

func (s *plainStore) ReadAt(ctx context.Context, p []byte, off int64) error {
	s.reads.Add(1)
	if s.delay > 0 {
		select {
		case <-time.After(s.delay):
		case <-ctx.Done():
			return storage.ContextError(ctx, "test", off, int64(len(p)))
		}
	}
	if err := storage.ContextError(ctx, "test", off, int64(len(p))); err != nil {
		return err
	}
	if err := storage.CheckRange("test", int64(len(s.b)), off, int64(len(p))); err != nil {
		return err
	}
	if s.fail != nil {
		if err := s.fail(off, len(p)); err != nil {
			return err
		}
	}
	copy(p, s.b[off:])
	return nil
}
func (s *plainStore) Size() int64      { return int64(len(s.b)) }
func (s *plainStore) Identity() string { return "" }
func (s *plainStore) Close() error     { return nil }

// halfHeld holds the even blocks of 64 bytes, until it forgets one.
type halfHeld struct {
	b      []byte
	forget bool
}

func (h halfHeld) Contains(off, n int64) bool { return off/64%2 == 0 && (off+n-1)/64 == off/64 }
func (h halfHeld) TryView(off int64, n int) ([]byte, bool) {
	if h.forget && off%3 == 0 || !h.Contains(off, int64(n)) {
		return nil, false
	}
	return h.b[off:][:n], true
}

// listIndex is a chunk index of a list.
type listIndex []chunk.Chunk

func (x listIndex) Within(_ context.Context, lo, hi []uint64, yield func(chunk.Chunk) error) error {
	for _, c := range x {
		inside := true
		for d, at := range c.Scaled {
			inside = inside && lo[d] <= at && at <= hi[d]
		}
		if inside {
			if err := yield(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x listIndex) Lookup(_ context.Context, scaled []uint64) (chunk.Chunk, bool, error) {
	for _, c := range x {
		if slices.Equal(c.Scaled, scaled) {
			return c, true, nil
		}
	}
	return chunk.Chunk{}, false, nil
}

// world is a dataset of random values in a file, and its values in memory.
type world struct {
	r        *rand.Rand
	shape    []uint64
	elem     int
	values   []byte // of the whole shape, in the file's form
	file     []byte
	src      plan.Source
	pipeline *filter.Pipeline
	fill     []byte // in the file's form; nil is zeros
}

var elemSizes = []int{1, 2, 4, 8, 3, 12}

// newWorld makes a dataset of a random layout.
func newWorld(t testing.TB, r *rand.Rand) *world {
	w := &world{r: r, elem: elemSizes[r.IntN(len(elemSizes))]}
	rank := r.IntN(5)
	w.shape = make([]uint64, rank)
	total := w.elem
	for d := range w.shape {
		w.shape[d] = 1 + r.Uint64N([]uint64{1, 300, 30, 12, 8}[rank])
		total *= int(w.shape[d])
	}
	w.values = make([]byte, total)
	for i := range w.values {
		w.values[i] = byte(r.IntN(4)) // compressible
	}
	if r.IntN(2) == 0 {
		w.fill = make([]byte, w.elem)
		for i := range w.fill {
			w.fill[i] = byte(200 + i)
		}
	}
	w.src = plan.Source{Address: 7, Layout: &format.Layout{Version: 4}, Space: &format.Dataspace{Dims: w.shape},
		ElemSize: uint32(w.elem), Base: int64(r.IntN(3) * 512)}
	w.file = make([]byte, w.src.Base+64)
	switch kind := r.IntN(10); {
	case kind == 0:
		w.src.Layout.Class, w.src.Layout.Compact = format.CompactLayout, w.values
	case kind == 1:
		w.src.Layout.Class, w.src.Layout.Address = format.ContiguousLayout, format.Undefined
		w.erase(0, len(w.values))
	case kind < 4 || rank == 0:
		w.src.Layout.Class = format.ContiguousLayout
		w.src.Layout.Address, w.src.Layout.Size = w.store(w.values), uint64(len(w.values))
	default:
		w.chunk(t)
	}
	w.src.Store = &plainStore{b: w.file}
	w.src.End = uint64(int64(len(w.file)) - w.src.Base)
	return w
}

// store appends b to the file, behind a hole, and returns its address.
func (w *world) store(b []byte) uint64 {
	w.file = append(w.file, make([]byte, w.r.IntN(40))...)
	addr := uint64(int64(len(w.file)) - w.src.Base)
	w.file = append(w.file, b...)
	return addr
}

// erase makes elements the fill value.
func (w *world) erase(lo, hi int) {
	clear(w.values[lo:hi])
	for at := lo; w.fill != nil && at < hi; at += w.elem {
		copy(w.values[at:], w.fill)
	}
}

// chunk stores the values in chunks, some of them missing, some unfiltered.
func (w *world) chunk(t testing.TB) {
	rank := len(w.shape)
	l := w.src.Layout
	l.Class, l.ChunkDims = format.ChunkedLayout, make([]uint64, rank)
	volume := 1
	for d := range l.ChunkDims {
		l.ChunkDims[d] = 1 + w.r.Uint64N(w.shape[d]+1)
		volume *= int(l.ChunkDims[d])
	}
	w.src.Filtered = w.r.IntN(4) != 0
	if w.src.Filtered {
		var err error
		specs := []filter.Spec{{ID: filter.Shuffle, Params: []uint32{uint32(w.elem)}}, {ID: filter.Deflate, Params: []uint32{1}}}
		if w.pipeline, err = filter.Compile(specs, volume*w.elem, w.elem); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := sel.All(w.shape)
	if err != nil {
		t.Fatal(err)
	}
	grid, err := sel.NewGrid(whole, l.ChunkDims)
	if err != nil {
		t.Fatal(err)
	}
	missing := w.r.IntN(3)
	var list listIndex
	_ = grid.Each(func(scaled []uint64, _ uint64) error {
		absent := missing > 0 && w.r.IntN(2) == 0
		raw := make([]byte, volume*w.elem)
		w.eachOf(scaled, func(box, at int) {
			if absent {
				w.erase(at, at+w.elem)
			}
			copy(raw[box*w.elem:][:w.elem], w.values[at:])
		})
		if absent {
			return nil
		}
		c := chunk.Chunk{Scaled: slices.Clone(scaled)}
		if w.src.Filtered {
			raw, c.Mask = encode(raw, w.elem, w.r)
		}
		c.Addr, c.Size = w.store(raw), uint64(len(raw))
		list = append(list, c)
		return nil
	})
	w.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if len(list) > 0 || w.r.IntN(2) == 0 {
		w.src.Index = list
	}
}

// eachOf visits the elements of a chunk: their number in it and their place in
// the values.
func (w *world) eachOf(scaled []uint64, f func(box, at int)) {
	dims := w.src.Layout.ChunkDims
	volume := 1
	for _, n := range dims {
		volume *= int(n)
	}
	for box := range volume {
		rest, at, stride, inside := box, 0, 1, true
		for d := len(dims) - 1; d >= 0; d-- {
			pos := int(scaled[d]*dims[d]) + rest%int(dims[d])
			rest /= int(dims[d])
			inside = inside && pos < int(w.shape[d])
			at += pos * stride
			stride *= int(w.shape[d])
		}
		if inside {
			f(box, at*w.elem)
		}
	}
}

var deflaters = sync.Pool{New: func() any { z, _ := zlib.NewWriterLevel(nil, 1); return z }}

// encode applies shuffle and deflate as HDF5 does; now and then it skips some.
func encode(raw []byte, elem int, r *rand.Rand) ([]byte, uint32) {
	mask := uint32(0)
	if r.IntN(5) == 0 {
		mask = uint32(r.IntN(4))
	}
	if mask&1 == 0 && elem > 1 {
		n := len(raw) / elem
		shuffled := make([]byte, len(raw))
		for i := range n {
			for j := range elem {
				shuffled[j*n+i] = raw[i*elem+j]
			}
		}
		raw = shuffled
	}
	if mask&2 == 0 {
		var b bytes.Buffer
		z := deflaters.Get().(*zlib.Writer)
		z.Reset(&b)
		_, _ = z.Write(raw)
		_ = z.Close()
		deflaters.Put(z)
		raw = b.Bytes()
	}
	return raw, mask
}

// choose makes a random selection and lists the elements it has, in order.
func (w *world) choose(t testing.TB) (*sel.Selection, []int) {
	rank, r := len(w.shape), w.r
	if rank > 0 && r.IntN(5) == 0 {
		var coords []uint64
		var at []int
		for range 1 + r.IntN(40) {
			n := 0
			for d := range rank {
				c := r.Uint64N(w.shape[d])
				coords = append(coords, c)
				n = n*int(w.shape[d]) + int(c)
			}
			at = append(at, n)
		}
		s, err := sel.Points(w.shape, coords)
		if err != nil {
			t.Fatal(err)
		}
		return s, at
	}
	axes, at := make([]sel.Axis, rank), []int{0}
	for d, n := range w.shape {
		a := sel.Range(0, n, 1)
		switch r.IntN(4) {
		case 0:
			lo := r.Uint64N(n)
			a = sel.Range(lo, lo+1+r.Uint64N(n-lo), 1)
		case 1:
			a = sel.Range(r.Uint64N(n), n, 1+r.Uint64N(5))
		case 2:
			a = sel.Axis{Index: []uint64{}}
			for i := range n {
				if r.IntN(2) == 0 || i == n/2 {
					a.Index = append(a.Index, i)
				}
			}
		}
		axes[d] = a
		at = cross(at, a, int(n))
	}
	s, err := sel.Orthogonal(w.shape, axes)
	if err != nil {
		t.Fatal(err)
	}
	return s, at
}

func cross(at []int, a sel.Axis, n int) (longer []int) {
	for _, base := range at {
		for _, i := range a.Index {
			longer = append(longer, base*n+int(i))
		}
		for k := uint64(0); a.Index == nil && k < a.Count; k++ {
			longer = append(longer, base*n+int(a.Start+k*a.Stride))
		}
	}
	return longer
}

// conversions of w's elements, with a plain model of each.
type conversion struct {
	conv  convert.Conversion
	model func(elem []byte) []byte
}

func (w *world) conversions() []conversion {
	size := w.elem
	reverse := func(b []byte) []byte { b = slices.Clone(b); slices.Reverse(b); return b }
	swap := func(dst, src []byte, n int) {
		for i := range n {
			copy(dst[i*size:(i+1)*size], reverse(src[i*size:(i+1)*size]))
		}
	}
	widen := func(dst, src []byte, n int) {
		for i := range n {
			binary.LittleEndian.PutUint16(dst[i*2:], uint16(src[i*size])+1000)
		}
	}
	return []conversion{
		{model: func(b []byte) []byte { return b }},
		{conv: convert.Conversion{SrcSize: size, DstSize: size, InPlace: true, Run: swap}, model: reverse},
		{conv: convert.Conversion{SrcSize: size, DstSize: size, Run: swap}, model: reverse},
		{conv: convert.Conversion{SrcSize: size, DstSize: 2, Run: widen}, model: func(b []byte) []byte {
			return binary.LittleEndian.AppendUint16(nil, uint16(b[0])+1000)
		}},
	}
}

// want is the right result.
func (w *world) want(at []int, c conversion) []byte {
	var b []byte
	for _, i := range at {
		b = append(b, c.model(w.values[i*w.elem:(i+1)*w.elem])...)
	}
	return b
}

// options are random options for w with a conversion.
func (w *world) options(c conversion, cache *ChunkCache) Options {
	o := Options{Filters: w.pipeline, Conv: c.conv, Workers: 1 + w.r.IntN(4), MaxInFlight: 1 + w.r.IntN(4), Cache: cache}
	if w.fill != nil {
		o.Fill = c.model(w.fill)
	} else if c.conv.DstSize == 2 && w.elem != 2 || c.conv.DstSize == 2 {
		o.Fill = c.model(make([]byte, w.elem))
	}
	if w.r.IntN(3) == 0 {
		o.Budget = 1 + w.r.Int64N(2000)
	}
	return o
}

// stores are the kinds of store that w is read from.
func (w *world) stores() []plan.Source {
	local, memory, remote, held, forgets := w.src, w.src, w.src, w.src, w.src
	memory.Store = memstore.New(w.file)
	remote.Remote = true
	held.Remote, held.Held = true, halfHeld{b: w.file}
	forgets.Remote, forgets.Held = true, halfHeld{b: w.file, forget: true}
	return []plan.Source{local, memory, remote, held, forgets}
}

// chunkedWorld is a filtered dataset of n chunks of size bytes that all are
// stored.
func chunkedWorld(t testing.TB, n, size int) *world {
	r := rand.New(rand.NewPCG(3, 4))
	w := &world{r: r, elem: 4, shape: []uint64{uint64(n), uint64(size / 4)}}
	w.values = make([]byte, n*size)
	for i := range w.values {
		w.values[i] = byte(r.IntN(4))
	}
	w.src = plan.Source{Address: 7, Filtered: true, ElemSize: 4, Space: &format.Dataspace{Dims: w.shape},
		Layout: &format.Layout{Version: 4, Class: format.ChunkedLayout, ChunkDims: []uint64{1, uint64(size / 4)}}}
	var err error
	specs := []filter.Spec{{ID: filter.Shuffle, Params: []uint32{4}}, {ID: filter.Deflate, Params: []uint32{1}}}
	if w.pipeline, err = filter.Compile(specs, size, 4); err != nil {
		t.Fatal(err)
	}
	var list listIndex
	for i := range n {
		raw, _ := encode(w.values[i*size:(i+1)*size], 4, rand.New(rand.NewPCG(1, 1)))
		list = append(list, chunk.Chunk{Scaled: []uint64{uint64(i), 0}, Addr: w.store(raw), Size: uint64(len(raw))})
	}
	w.src.Index = list
	w.src.Store, w.src.End = &plainStore{b: w.file}, uint64(len(w.file))
	return w
}

// read plans and runs.
func read(ctx context.Context, src *plan.Source, s *sel.Selection, dst []byte, o Options) (Stats, error) {
	p, err := plan.New(ctx, src, s)
	if err != nil {
		return Stats{}, err
	}
	return Run(ctx, p, dst, o)
}

// guarded is a buffer of n bytes between others that must stay as they are.
type guarded struct {
	all []byte
	n   int
}

const guard = 0xA5

func newGuarded(n int) guarded {
	g := guarded{bytes.Repeat([]byte{guard}, n+128), n}
	return g
}

func (g guarded) bytes() []byte { return g.all[64 : 64+g.n : 64+g.n] }

func (g guarded) intact() bool {
	for _, b := range append(slices.Clone(g.all[:64]), g.all[64+g.n:]...) {
		if b != guard {
			return false
		}
	}
	return true
}

// waiter lets a test see that goroutines have come somewhere.
type waiter struct {
	once sync.Once
	ch   chan struct{}
}

func newWaiter() *waiter   { return &waiter{ch: make(chan struct{})} }
func (w *waiter) reached() { w.once.Do(func() { close(w.ch) }) }
func (w *waiter) wait()    { <-w.ch }
