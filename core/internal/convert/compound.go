package convert

import (
	"encoding/binary"
	"errors"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// field is a field of a compound type, or several that lie side by side in both
// types and stay as they are.
type field struct {
	Conversion
	src, dst int // offsets in an element
}

// record is the conversion of a compound type.
type record struct {
	srcSize, dstSize int
	fields           []field
	batch            int // elements converted at a time
}

func newRecord(srcSize, dstSize int, fields ...field) *record {
	return &record{srcSize: srcSize, dstSize: dstSize, fields: fields, batch: max(1, blockBytes/max(srcSize, dstSize))}
}

func (r *record) conversion() Conversion {
	return Conversion{SrcSize: r.srcSize, DstSize: r.dstSize, Run: r.run}
}

// toCompound converts the fields of dst, each from the field of that name in
// src. Fields of src that dst has not are left out. Bytes of dst that belong to
// no field, or to one that src has not, are not touched.
func toCompound(src, dst *format.Datatype) (Conversion, error) {
	if src.Class == format.Complex && isPair(dst, src.Base) {
		return identity(int(dst.Size)), nil
	}
	if src.Class != format.Compound {
		return Conversion{}, NoConversion(src, dst)
	}
	r := newRecord(int(src.Size), int(dst.Size))
	covered, partial := 0, false
	err := EachField(src, dst, func(from, to *format.Member) error {
		c, err := compile(from.Type, to.Type)
		if err != nil {
			return err
		}
		r.add(field{c, int(from.Offset), int(to.Offset)})
		covered += c.DstSize
		partial = partial || c.Partial
		return nil
	})
	c := r.conversion()
	c.Partial = partial || covered < r.dstSize
	return c, err
}

// EachField calls visit with the fields that the compounds src and dst both have,
// in the order of dst. Its error is returned with the name of the field.
func EachField(src, dst *format.Datatype, visit func(from, to *format.Member) error) error {
	names := make(map[string]*format.Member, len(src.Members))
	for i := range src.Members {
		names[src.Members[i].Name] = &src.Members[i]
	}
	for i := range dst.Members {
		to := &dst.Members[i]
		from, ok := names[to.Name]
		if !ok {
			continue
		}
		if err := visit(from, to); err != nil {
			return inField(err, to.Name)
		}
	}
	return nil
}

// inField adds the name of a field to an error.
func inField(err error, name string) error {
	var e *h5err.Error
	if !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Err = fmt.Errorf("field %q: %w", name, e.Err)
	return &c
}

// add appends f, or makes the last field longer.
func (r *record) add(f field) {
	if n := len(r.fields); n > 0 && f.Identity {
		last := &r.fields[n-1]
		if last.Identity && last.src+last.SrcSize == f.src && last.dst+last.DstSize == f.dst {
			last.Conversion = identity(last.SrcSize + f.SrcSize)
			return
		}
	}
	r.fields = append(r.fields, f)
}

// run converts field by field, in batches of elements that stay in the cache.
func (r *record) run(dst, src []byte, n int) {
	in, out := blocks.Get().(*[blockBytes]byte), blocks.Get().(*[blockBytes]byte)
	for n > 0 {
		k := min(n, r.batch)
		for i := range r.fields {
			r.convert(&r.fields[i], dst, src, k, in, out)
		}
		dst, src, n = dst[k*r.dstSize:], src[k*r.srcSize:], n-k
	}
	blocks.Put(in)
	blocks.Put(out)
}

func (r *record) convert(f *field, dst, src []byte, n int, in, out *[blockBytes]byte) {
	dst, src = dst[f.dst:], src[f.src:]
	switch {
	case f.Identity:
		copyEach(dst, r.dstSize, src, r.srcSize, f.SrcSize, n)
	case n == 1:
		f.Run(dst, src, 1)
	default: // a batch of several elements fits a block, and so does one field
		copyEach(in[:], f.SrcSize, src, r.srcSize, f.SrcSize, n)
		if f.Partial {
			copyEach(out[:], f.DstSize, dst, r.dstSize, f.DstSize, n)
		}
		f.Run(out[:], in[:], n)
		copyEach(dst, r.dstSize, out[:], f.DstSize, f.DstSize, n)
	}
}

// copyEach copies n times size bytes that lie at regular distances.
func copyEach(dst []byte, dstStep int, src []byte, srcStep, size, n int) {
	le := binary.LittleEndian
	switch size {
	case 4:
		for i := range n {
			le.PutUint32(dst[i*dstStep:], le.Uint32(src[i*srcStep:]))
		}
	case 8:
		for i := range n {
			le.PutUint64(dst[i*dstStep:], le.Uint64(src[i*srcStep:]))
		}
	default:
		for i := range n {
			copy(dst[i*dstStep:i*dstStep+size], src[i*srcStep:])
		}
	}
}
