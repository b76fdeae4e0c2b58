package core

import (
	"context"
	"sync"

	"clawh5/core/h5err"
	"clawh5/core/internal/chunk"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/format"
	"clawh5/core/internal/object"
	"clawh5/core/internal/plan"
)

var errNotDataset = h5err.New(h5err.Type, "the object is not a dataset")

// Dataset is what reading an object's elements needs. It may be used from any
// number of goroutines.
type Dataset struct {
	file    *File
	object  *Object
	info    *object.Dataset
	virtual *virtual // nil unless it is one

	mu      sync.Mutex
	source  *source // nil before the first read
	readers map[MemoryType]*reader
}

func newDataset(o *Object, info *object.Dataset) *Dataset {
	return &Dataset{file: o.file, object: o, info: info, readers: map[MemoryType]*reader{}}
}

// Rank returns the number of dimensions: 0 for a scalar, -1 for a null dataspace.
func (d *Dataset) Rank() int {
	if d.info.Space.Kind == format.NullSpace {
		return -1
	}
	return len(d.info.Space.Dims)
}

// Dims returns the dimensions. The caller must not change them.
func (d *Dataset) Dims() []uint64 { return d.info.Space.Dims }

// MaxDims returns the maximum dimensions; those without limit are 2^64-1.
func (d *Dataset) MaxDims() []uint64 {
	if d.info.Space.MaxDims != nil {
		return d.info.Space.MaxDims
	}
	return d.info.Space.Dims
}

// TypeInfo is a short description of an element datatype.
type TypeInfo struct {
	Class     int32 // as numbered by the specification; a variable-length string is String
	BigEndian bool
	Signed    bool
	Variable  bool   // variable-length data at some depth
	Size      uint64 // bytes of one element in memory
	FileSize  uint64
}

// TypeInfo describes the element datatype.
func (d *Dataset) TypeInfo() TypeInfo {
	t := d.info.Type
	class := t.Class
	if t.VariableString {
		class = format.String
	}
	return TypeInfo{Class: int32(class), BigEndian: t.Order == format.BigEndian, Signed: t.Signed,
		Variable: t.HasVariableLength(), Size: memorySize(t), FileSize: uint64(t.Size)}
}

// ItemSize returns the bytes that one item of a string or sequence takes in the
// heap that ReadVariable returns; 0 where the elements are neither, or where
// the items hold variable-length data themselves.
func (d *Dataset) ItemSize() uint64 { return d.Datatype().ItemSize() }

// source is how the raw data of a dataset is found and decoded, prepared at the
// first read.
type source struct {
	plan.Source
	pipeline *filter.Pipeline // nil if nothing is filtered
	tooLarge error            // if the chunks are too large to be decoded
}

// prepare returns the source, opening it the first time. Failures are not kept:
// the next read tries again.
func (d *Dataset) prepare(ctx context.Context) (*source, error) {
	d.mu.Lock()
	s := d.source
	d.mu.Unlock()
	if s != nil {
		return s, nil
	}
	s, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.source == nil {
		d.source = s
	}
	return d.source, nil
}

func (d *Dataset) open(ctx context.Context) (*source, error) {
	f, l := d.file, &d.info.Layout
	s := &source{Source: plan.Source{
		Address: d.object.addr, Layout: l, Space: &d.info.Space, ElemSize: d.info.Type.Size,
		Filtered: len(d.info.Filters) > 0,
		Store:    f.store.Direct(), Base: f.objects.Base(), End: f.objects.End(), Remote: f.Remote(), Held: f.store,
	}}
	if d.info.External != nil {
		raw, layout, err := d.openRaw()
		if err != nil {
			return nil, err
		}
		s.Layout, s.Store, s.Origin, s.Base, s.End, s.Held = layout, raw, 0, 0, uint64(raw.size), nil
		return s, nil
	}
	if err := f.locateRaw(&s.Source); err != nil {
		return nil, err
	}
	if l.Class != format.ChunkedLayout {
		return s, nil
	}
	var err error
	if s.Filtered {
		if s.pipeline, s.tooLarge, err = d.compileFilters(); err != nil {
			return nil, err
		}
	}
	s.Index, err = chunk.Open(ctx, f.objects.File, l, &d.info.Space, s.ElemSize, s.Filtered)
	return s, err
}

// compileFilters returns the pipeline of the chunks or, if they are too large to
// be decoded, why: they can be found all the same.
func (d *Dataset) compileFilters() (p *filter.Pipeline, tooLarge, err error) {
	n := uint64(d.info.Type.Size)
	for _, dim := range d.info.Layout.ChunkDims {
		if dim != 0 && n > uint64(d.file.options.MaxChunkBytes)/dim {
			return nil, newError(h5err.Limit, "a filtered chunk of more than %d bytes; the option MaxChunkBytes (max_chunk_mib) allows larger ones",
				d.file.options.MaxChunkBytes), nil
		}
		n *= dim
	}
	size, fits := cursor.ToInt(n)
	if !fits {
		return nil, newError(h5err.Limit, "a filtered chunk of %d bytes on a 32-bit platform", n), nil
	}
	p, err = filter.Compile(filterSpecs(d.info.Filters), size, int(d.info.Type.Size))
	return p, nil, err
}

// fillValue returns the fill value in memory form, with at most limit bytes of
// variable-length data.
func (d *Dataset) fillValue(ctx context.Context, limit int64) value {
	raw := d.FillBytes()
	if raw == nil || !d.info.Type.HasVariableLength() {
		return value{data: raw}
	}
	return d.file.resolveVariable(ctx, d.info.Type, raw, 1, limit)
}
