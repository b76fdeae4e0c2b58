package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/convert"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/variable"
)

// reader is how elements of a datatype in the file become those of a datatype in
// memory. The first step is done as data arrives, the second when all is there:
//
//	variable-length data          copied             program: elements and a heap
//	bytes of memory are left be   conv, packed       spread
//	else                          conv
type reader struct {
	memory  *format.Datatype
	conv    convert.Conversion
	spread  *convert.Conversion
	program *variable.Program
	nothing bool   // memory has no part that the file has
	fill    []byte // one element after the first step; nil for zeros
}

// newReader compiles the conversion of src, in a file with addresses of
// offsetSize bytes, to memory.
func newReader(src, memory *format.Datatype, offsetSize int) (*reader, error) {
	r := &reader{memory: memory}
	if memory.HasVariableLength() {
		p, err := variable.Compile(src, memory, offsetSize)
		if err != nil {
			return nil, err
		}
		file, _ := p.Sizes()
		r.program, r.conv = p, convert.Conversion{SrcSize: file, DstSize: file, Identity: true}
		return r, nil
	}
	var err error
	if r.conv, err = convert.Compile(src, memory); err != nil || !r.conv.Partial {
		return r, err
	}
	packed := convert.Packed(src, memory)
	if packed == nil {
		r.nothing = true
		return r, nil
	}
	if r.conv, err = convert.Compile(src, packed); err != nil {
		return nil, err
	}
	spread, err := convert.Compile(packed, memory)
	r.spread = &spread
	return r, err
}

// size is the size of an element in memory.
func (r *reader) size() int { return int(r.memory.Size) }

// setFill makes the fill value, one element of the file, that of the first step.
func (r *reader) setFill(raw []byte) {
	switch {
	case len(raw) == 0 || len(raw) != r.conv.SrcSize:
	case r.program != nil:
		r.fill = raw
	default:
		r.fill = make([]byte, r.conv.DstSize)
		r.conv.Run(r.fill, raw, 1)
	}
}

// room returns where the first step puts n elements: dst, or memory of its own.
func (r *reader) room(dst []byte, n int) ([]byte, error) {
	if r.spread == nil && (r.program == nil || r.program.InPlace() && !r.program.Partial()) {
		return dst, nil
	}
	size, fits := cursor.Mul(uint64(n), uint64(r.conv.DstSize))
	bytes, small := cursor.ToInt(size)
	if !fits || !small {
		return nil, newError(h5err.Limit, "too many elements for this platform")
	}
	return make([]byte, bytes), nil
}

// finish does the second step for n elements in raw and returns the heap.
func (r *reader) finish(ctx context.Context, f *File, dst, raw []byte, n int, limit int64) ([]byte, error) {
	switch {
	case r.program != nil:
		return r.program.Run(ctx, f.heap(), dst, raw, n, limit)
	case r.spread != nil:
		r.spread.Run(dst, raw, n)
	}
	return nil, nil
}

// convert does both steps for n elements of the file.
func (r *reader) convert(ctx context.Context, f *File, dst, src []byte, n int, limit int64) ([]byte, error) {
	if r.program != nil {
		return r.program.Run(ctx, f.heap(), dst, src, n, limit)
	}
	if r.nothing {
		return nil, nil
	}
	raw, err := r.room(dst, n)
	if err != nil {
		return nil, err
	}
	r.conv.Run(raw, src, n)
	return r.finish(ctx, f, dst, raw, n, limit)
}

// values converts n elements of the file, with at most limit bytes of
// variable-length data.
func (f *File) values(ctx context.Context, r *reader, src []byte, n int, limit int64) value {
	size, fits := cursor.Mul(uint64(n), uint64(r.size()))
	bytes, small := cursor.ToInt(size)
	if !fits || !small || size > maxValues {
		return value{err: newError(h5err.Limit, "%d elements of %d bytes are too many to be held in memory", n, r.size())}
	}
	v := value{data: make([]byte, bytes)}
	v.heap, v.err = r.convert(ctx, f, v.data, src, n, limit)
	if v.heap == nil && r.program != nil {
		v.heap = []byte{}
	}
	return v
}
