package filter

import (
	"fmt"
	"math"

	"clawh5/core/h5err"
)

// maxFilters is the number of filters that a pipeline may have: as many as a
// filter mask has bits.
const maxFilters = 32

// Pipeline undoes the filters of the chunks of one dataset. It is immutable and
// safe for concurrent use.
type Pipeline struct {
	stages     []stage // filters that change bytes, in the order of the file
	chunkBytes int
}

type stage struct {
	id     ID
	mask   uint32 // bit of the filter mask that is set where the filter was skipped
	filter Filter // nil: not available
	params []uint32
}

// Compile prepares the pipeline of a dataset whose chunks have chunkBytes bytes
// of elements of elemSize bytes. A filter that is not available is no error
// here, so that everything but the data of such a dataset can be read: see
// Check.
func Compile(specs []Spec, chunkBytes, elemSize int) (*Pipeline, error) {
	if len(specs) > maxFilters {
		return nil, h5err.At(h5err.Corrupt, "filter pipeline", h5err.NoOffset,
			fmt.Sprintf("%d filters, more than %d", len(specs), maxFilters))
	}
	if chunkBytes < 0 || chunkBytes > math.MaxInt/4 {
		return nil, h5err.At(h5err.Limit, "filter pipeline", h5err.NoOffset,
			fmt.Sprintf("chunks of %d bytes", chunkBytes))
	}
	p := &Pipeline{chunkBytes: chunkBytes}
	for i, s := range specs {
		params := s.Params
		if s.ID == Shuffle && len(params) == 0 && elemSize > 0 && elemSize <= math.MaxInt32 {
			params = []uint32{uint32(elemSize)}
		}
		if s.ID == Shuffle && len(params) > 0 && params[0] == 1 {
			continue
		}
		f, _ := Lookup(s.ID)
		if _, none := f.(lossy); none {
			continue
		}
		p.stages = append(p.stages, stage{id: s.ID, mask: 1 << i, filter: f, params: params})
	}
	return p, nil
}

// Check returns nil if every filter of p is available, and otherwise the
// Unsupported error that Decode gives for a chunk that went through the first
// one that is not.
func (p *Pipeline) Check() error {
	for i := range p.stages {
		if p.stages[i].filter == nil {
			return p.stages[i].missing()
		}
	}
	return nil
}

// Empty reports whether a chunk with this filter mask is stored as its plain
// bytes, so that it can be read straight to where it is wanted.
func (p *Pipeline) Empty(mask uint32) bool { return p.first(mask) < 0 }

// first returns the index of the first filter that a chunk went through, the
// last one to be undone, or -1.
func (p *Pipeline) first(mask uint32) int {
	for i := range p.stages {
		if p.stages[i].mask&mask == 0 {
			return i
		}
	}
	return -1
}

// Decode undoes the pipeline for one stored chunk, last filter first, and fills
// dst, whose length is that of a chunk. Bit i of mask says that filter i of the
// specs was skipped. stored is not changed; after an error dst is undefined.
//
// Bytes go from stored through s to dst with no copy other than what filters
// do; the last filter writes into dst itself.
func (p *Pipeline) Decode(dst, stored []byte, mask uint32, s *Scratch) error {
	if len(dst) != p.chunkBytes {
		return h5err.New(h5err.Internal, fmt.Sprintf("filter: room of %d bytes for a chunk of %d", len(dst), p.chunkBytes))
	}
	first := p.first(mask)
	src := stored
	for i := len(p.stages) - 1; i >= max(first, 0); i-- {
		st := &p.stages[i]
		if st.mask&mask != 0 {
			continue
		}
		if st.filter == nil {
			return st.missing()
		}
		var err error
		if v, ok := st.filter.(viewer); ok {
			if src, err = v.view(src, st.params); err != nil {
				return err
			}
			continue
		}
		size := p.decodedSize(i, mask)
		if i == first {
			return st.finish(dst, src)
		}
		if src, err = s.decode(st, src, size, p.limit(size)); err != nil {
			return err
		}
		if size >= 0 && len(src) != size {
			return st.wrongSize(len(src), size)
		}
	}
	if len(src) != len(dst) {
		return h5err.At(h5err.Corrupt, "chunk", h5err.NoOffset,
			fmt.Sprintf("%d bytes, not %d", len(src), len(dst)))
	}
	copy(dst, src)
	return nil
}

// decodedSize returns the number of bytes that stage i decodes to, or -1 if the
// stages before it do not tell.
func (p *Pipeline) decodedSize(i int, mask uint32) int {
	n := p.chunkBytes
	for j := range p.stages[:i] {
		if p.stages[j].mask&mask != 0 {
			continue
		}
		f, ok := p.stages[j].filter.(sizer)
		if !ok {
			return -1
		}
		n = f.encodedSize(n)
	}
	return n
}

// limit bounds what a stage may give: the size where it is known, and otherwise
// far more than what any filter makes of a chunk in its worst case.
func (p *Pipeline) limit(size int) int {
	if size >= 0 {
		return size
	}
	return 2*p.chunkBytes + 4096
}

// finish undoes the filter into dst, all of it.
func (st *stage) finish(dst, src []byte) error {
	out, err := st.filter.Decode(dst[:0:len(dst)], src, st.params, len(dst), len(dst))
	if err != nil {
		return err
	}
	if len(out) != len(dst) {
		return st.wrongSize(len(out), len(dst))
	}
	return nil
}

func (st *stage) wrongSize(got, want int) error {
	return corrupt(st.id, "decodes to %d bytes, not %d", got, want)
}

func (st *stage) missing() error {
	return unsupported(st.id, "the filter is not available")
}

// Scratch holds what lies between two filters. Each worker has one; it grows to
// what the largest chunk needs and is used again. The zero value is ready.
type Scratch struct {
	bufs [2][]byte
	next int // the buffer that does not hold the input
}

// decode undoes st into the buffer that src does not lie in.
func (s *Scratch) decode(st *stage, src []byte, size, limit int) ([]byte, error) {
	out, err := st.filter.Decode(s.bufs[s.next][:0], src, st.params, size, limit)
	if err != nil {
		return nil, err
	}
	s.bufs[s.next] = out
	s.next = 1 - s.next
	return out, nil
}
