package variable

import (
	"math/rand/v2"
	"slices"
	"testing"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// world makes random datatypes and elements of them.
type world struct {
	rng        *rand.Rand
	heap       *fakeHeap
	offsetSize int
}

func (w *world) datatype(depth int) *format.Datatype {
	kind := w.rng.IntN(7)
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0, 1:
		return integer(1<<w.rng.IntN(4), format.Order(w.rng.IntN(2)))
	case 2:
		return text(w.offsetSize)
	case 3:
		return fixedText(uint32(1 + w.rng.IntN(5)))
	case 4:
		return array(w.datatype(depth-1), uint32(1+w.rng.IntN(3)))
	case 5:
		types := make([]*format.Datatype, 1+w.rng.IntN(4))
		for i := range types {
			types[i] = w.datatype(depth - 1)
		}
		d := compound(uint32(w.rng.IntN(3)), types...)
		w.rng.Shuffle(len(d.Members), func(i, j int) { d.Members[i], d.Members[j] = d.Members[j], d.Members[i] })
		return d
	}
	return sequence(w.offsetSize, w.datatype(depth-1))
}

func (w *world) random(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(w.rng.IntN(200))
	}
	return p
}

// value returns a random element of d.
func (w *world) value(d *format.Datatype) []byte {
	p := w.random(int(d.Size))
	switch d.Class {
	case format.VariableLength:
		n, size := w.rng.IntN(4), int(d.Base.Size)
		if n == 0 {
			return element(w.offsetSize, 0, 0, 0)
		}
		var data []byte
		for range n {
			data = append(data, w.value(d.Base)...)
		}
		data = append(data, w.random(w.rng.IntN(2)*size)...) // libhdf5 may leave more room
		id := format.GlobalHeapID{Collection: uint64(8 * (1 + w.rng.IntN(5))), Index: uint32(len(w.heap.objects) + 1)}
		w.heap.objects[id] = data
		return element(w.offsetSize, uint32(n), id.Collection, id.Index)
	case format.Array:
		p = p[:0]
		for range d.Dims[0] {
			p = append(p, w.value(d.Base)...)
		}
	case format.Compound:
		for _, m := range d.Members {
			copy(p[m.Offset:], w.value(m.Type))
		}
	}
	return p
}

func TestRandomElementsReadAsTheModelReadsThem(t *testing.T) {
	for seed := range uint64(2000) {
		w := &world{rng: rand.New(rand.NewPCG(seed, 0)), heap: newHeap(), offsetSize: []int{2, 4, 8}[seed%3]}
		d := w.datatype(4)
		n := 1 + w.rng.IntN(4)
		var src []byte
		for range n {
			src = append(src, w.value(d)...)
		}
		m := model{w.heap, w.offsetSize}
		for _, to := range []memoryType{asFile, native} {
			dst, heap := run(t, w.heap, d, to, w.offsetSize, slices.Clone(src), n)
			size := len(dst) / n
			if uint64(size) != inMemory(d) {
				t.Fatalf("seed %d: an element of %d bytes, want %d", seed, size, inMemory(d))
			}
			for i := range n {
				want := m.file(d, src[i*int(d.Size):])
				if got := memory(to(d), dst[i*size:], heap); got != want {
					t.Fatalf("seed %d, element %d: %s, want %s", seed, i, got, want)
				}
			}
		}
	}
}

// FuzzRun takes the datatype messages of file and memory, and elements and heap
// objects of random bytes.
func FuzzRun(f *testing.F) {
	int32LE := "\x10\x08\x00\x00\x04\x00\x00\x00\x00\x00\x20\x00"
	vlen := "\x19\x00\x00\x00\x10\x00\x00\x00" + int32LE
	messages := []string{vlen, "\x19\x00\x00\x00\x10\x00\x00\x00" + vlen,
		"\x36\x02\x00\x00\x14\x00\x00\x00a\x00\x00" + int32LE + "b\x00\x04" + vlen,
		"\x36\x02\x00\x00\x1c\x00\x00\x00b\x00\x0c" + vlen + "c\x00\x00" + int32LE,
		"\x3a\x00\x00\x00\x20\x00\x00\x00\x01\x02\x00\x00\x00" + vlen}
	for i, message := range messages {
		data := []byte("\x01\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00abcdefghijklmnopqrstuvwxyz")
		f.Add([]byte(message), []byte(message), data)
		f.Add([]byte(message), []byte(messages[(i+1)%len(messages)]), data)
	}
	f.Fuzz(func(t *testing.T, file, memory, data []byte) {
		sizes := format.Sizes{Offset: 8, Length: 8}
		src, err := format.DecodeDatatype(cursor.New(file, 0), sizes)
		if err != nil {
			return
		}
		dst, err := format.DecodeDatatype(cursor.New(memory, 0), sizes)
		if err != nil {
			return
		}
		h := newHeap()
		for i := range data {
			h.objects[format.GlobalHeapID{Collection: uint64(i % 16), Index: uint32(i / 16)}] = data[i:]
		}
		p, err := Compile(src, dst, 8)
		if err != nil {
			return
		}
		in, out := p.Sizes()
		if n := len(data) / in; n > 0 && out < 1<<16 {
			p.Run(background, h, make([]byte, n*out), data, n, 1<<20) //nolint:errcheck // any error is fine
		}
	})
}
