// Package plan says where the bytes of a selection lie: which ranges of which
// store hold them, what they have to go through, and what it costs to get them.
// It reads chunk indexes and never data.
//
// A plan is a list of parts, each the selection of one source seen through a
// grid of boxes:
//
//	Memory   compact data: the values came with the object header
//	Fill     nothing is stored
//	Tiles    contiguous data, cut into boxes that are contiguous in the file
//	Chunks   one Job a stored chunk; chunks without a job are filled
//
// A Job takes 32 bytes and nothing is kept per element or per missing chunk, so
// that a plan stays small beside what it reads.
package plan

import (
	"context"
	"fmt"
	"math"

	"clawh5/core/h5err"
	"clawh5/core/internal/chunk"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/sel"
	"clawh5/storage"
)

// Holder is a store that can tell, without I/O, what it holds in memory.
type Holder interface {
	// Contains reports whether the range lies in memory now.
	Contains(off, n int64) bool
	// TryView lends the bytes if they lie in memory together; they are valid
	// and unchanged for as long as the caller holds them.
	TryView(off int64, n int) ([]byte, bool)
}

// Source is a dataset as far as its raw data goes. Contiguous data in external
// files is a Store that joins them, with the layout's address 0.
type Source struct {
	Address  uint64 // of its object header
	Layout   *format.Layout
	Space    *format.Dataspace
	ElemSize uint32
	Filtered bool        // it has a filter pipeline
	Index    chunk.Index // of chunked data; nil if no chunk is stored

	Store  storage.Reader // raw data goes past any cache of metadata
	Origin uint64         // the first address of raw data that the file can have
	Base   int64          // store offset of Origin
	End    uint64         // first address outside the file
	Remote bool           // a request is dear and several at once are not
	Held   Holder         // nil if nothing is held
}

// Kind is how a part gets its values.
type Kind uint8

const (
	Fill Kind = iota
	Memory
	Tiles
	Chunks
)

var kindNames = [...]string{"fill", "compact", "contiguous", "chunked"}

func (k Kind) String() string { return kindNames[k] }

// Job is a stored chunk.
type Job struct {
	Ordinal uint64 // of its box in the part's grid
	Off     int64  // in the store
	Size    int64  // stored bytes
	Mask    uint32 // filters that were skipped
}

// Part is the share of one source in a plan. It is immutable.
type Part struct {
	Kind     Kind
	Address  uint64
	ElemSize int64
	Elements int64     // of this part
	Placed   bool      // the result is a part of the destination: sel.Selection.Placed
	Grid     *sel.Grid // nil if nothing is selected

	Bytes []byte // Memory: the values of the whole shape

	Store    storage.Reader
	Remote   bool
	Held     Holder
	Off      int64 // Tiles: store offset of the first element
	Filtered bool
	Jobs     []Job // Chunks: by rising ordinal, one an ordinal
	Missing  int64 // Chunks: touched boxes without a job
	order    []int32

	pitch []int64 // Tiles: bytes from one position to the next in the file
}

// Plan is what a read does.
type Plan struct {
	Parts    []*Part // each is all that is selected
	Elements int64   // that are selected
}

// New plans the read of a selection of a source.
func New(ctx context.Context, src *Source, s *sel.Selection) (*Plan, error) {
	single := new(struct {
		plan Plan
		list [1]*Part
		part Part
	})
	if err := single.part.init(ctx, src, s); err != nil {
		return nil, err
	}
	single.list[0] = &single.part
	single.plan = Plan{Parts: single.list[:], Elements: s.NumElements()}
	return &single.plan, nil
}

func (p *Part) init(ctx context.Context, src *Source, s *sel.Selection) error {
	*p = Part{Address: src.Address, ElemSize: int64(src.ElemSize), Store: src.Store, Remote: src.Remote,
		Held: src.Held, Filtered: src.Filtered, Elements: s.NumElements(), Placed: s.IsPlaced()}
	if src.ElemSize == 0 {
		return h5err.At(h5err.Corrupt, "datatype", h5err.NoOffset, "elements of 0 bytes")
	}
	if len(s.Shape()) != len(src.Space.Dims) {
		return h5err.New(h5err.Selection, fmt.Sprintf("selection of rank %d on a dataset of rank %d", len(s.Shape()), len(src.Space.Dims)))
	}
	if s.NumElements() == 0 {
		return nil
	}
	switch src.Layout.Class {
	case format.CompactLayout:
		return p.compact(src, s)
	case format.ContiguousLayout:
		return p.contiguous(src, s)
	case format.ChunkedLayout:
		return p.chunked(ctx, src, s)
	case format.VirtualLayout:
		return h5err.At(h5err.Unsupported, "data layout message", h5err.NoOffset, "a virtual dataset has no data of its own")
	}
	return h5err.At(h5err.Unsupported, "data layout message", h5err.NoOffset, fmt.Sprintf("layout class %d", src.Layout.Class))
}

// totalBytes is the size of the values of the whole shape.
func totalBytes(src *Source) (uint64, error) {
	n, ok := cursor.Product(src.Space.Dims)
	total, fits := cursor.Mul(n, uint64(src.ElemSize))
	if !ok || !fits || total > math.MaxInt64 {
		return 0, h5err.At(h5err.Corrupt, "dataspace message", h5err.NoOffset, "the dataset has more bytes than a file can")
	}
	return total, nil
}

// compact takes the values from the layout message.
func (p *Part) compact(src *Source, s *sel.Selection) error {
	total, err := totalBytes(src)
	if err != nil {
		return err
	}
	if uint64(len(src.Layout.Compact)) < total {
		return h5err.At(h5err.Corrupt, "data layout message", h5err.NoOffset,
			fmt.Sprintf("%d bytes of compact data for %d bytes of values", len(src.Layout.Compact), total))
	}
	p.Kind, p.Bytes = Memory, src.Layout.Compact
	p.Grid, err = sel.NewGrid(s, s.Shape())
	return err
}

// storeOffset checks that n bytes at an address lie in the file and returns
// where that is in the store.
func (src *Source) storeOffset(what string, addr, n uint64) (int64, error) {
	end, ok := cursor.Add(addr, n)
	if !ok || end > src.End || addr < src.Origin {
		at := int64(h5err.NoOffset)
		if addr >= src.Origin && addr-src.Origin <= math.MaxInt64-uint64(src.Base) {
			at = int64(addr-src.Origin) + src.Base
		}
		return 0, h5err.At(h5err.Corrupt, what, at,
			fmt.Sprintf("%d bytes at address %d reach past the end of the file at %d", n, addr, src.End))
	}
	return int64(addr-src.Origin) + src.Base, nil
}
