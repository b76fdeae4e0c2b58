package core

import (
	"encoding/binary"
	"math"
	"strconv"

	"clawh5/core/internal/convert"
	"clawh5/core/internal/datatype"
	"clawh5/core/internal/format"
)

// Values is the result of a read together with what its bytes mean.
type Values struct {
	Shape  []uint64
	d      *format.Datatype // in the file
	memory *format.Datatype // of data
	data   []byte
	heap   []byte
}

// Type returns the memory datatype: its size and the offsets of its members are
// those of Bytes.
func (v *Values) Type() Datatype { return Datatype{v.memory} }

// Bytes returns the elements, one behind the other. Those of variable length are
// 16 bytes, two numbers of 64 bits: the offset of their data in Heap, and how
// many parts it has: the bytes of a string, without a NUL, or the elements of a
// sequence, which are laid out alike. The caller must not change them.
func (v *Values) Bytes() []byte { return v.data }

// Heap returns what variable-length elements point into.
func (v *Values) Heap() []byte { return v.heap }

// AppendJSON renders the values as JSON: arrays nested by Shape; numbers, those
// of floating-point rounded to 64 bits; texts for strings and for the names of
// enumerations; objects for compounds; arrays for arrays and sequences; base64
// for opaque data; the address for an object reference, base64 for others. NaN
// and the infinities are the texts "NaN", "Infinity", "-Infinity".
func (v *Values) AppendJSON(dst []byte) []byte {
	w := jsonWriter{buf: dst}
	r := valueReader{heap: v.heap}
	size := int(v.memory.Size)
	at := 0
	w.nest(v.Shape, func() {
		w.element(&r, v.memory, v.data[at:at+size])
		at += size
	})
	return w.buf
}

// Each calls yield with the index and the JSON of every element, in C order.
func (v *Values) Each(yield func(index []uint64, text []byte) error) error {
	size := int(v.memory.Size)
	index := make([]uint64, len(v.Shape))
	r := valueReader{heap: v.heap}
	var w jsonWriter
	for at := 0; at+size <= len(v.data) && size > 0; at += size {
		w = jsonWriter{buf: w.buf[:0]}
		w.element(&r, v.memory, v.data[at:at+size])
		if err := yield(index, w.buf); err != nil {
			return err
		}
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < v.Shape[d] {
				break
			}
			index[d] = 0
		}
	}
	return nil
}

func (w *jsonWriter) nest(shape []uint64, element func()) {
	if len(shape) == 0 {
		element()
		return
	}
	w.open('[')
	for range shape[0] {
		w.nest(shape[1:], element)
	}
	w.close(']')
}

// valueReader is what elements are rendered with.
type valueReader struct {
	heap   []byte
	floats map[*format.Datatype]convert.Func // to the native 64 bits
}

// slot returns the heap bytes of a variable-length element of size-byte parts,
// and how many parts there are.
func (r *valueReader) slot(p []byte, size uint64) ([]byte, int) {
	off, n := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
	return r.heap[off : off+n*size], int(n)
}

func (w *jsonWriter) element(r *valueReader, d *format.Datatype, p []byte) {
	switch d.Class {
	case format.FixedPoint, format.Bitfield, format.Time:
		w.integer(d, p)
	case format.FloatingPoint:
		w.floating(r, d, p)
	case format.String:
		w.string(trimText(d, p))
	case format.Enumeration:
		w.enumName(d, p)
	case format.Compound:
		w.open('{')
		for i := range d.Members {
			m := &d.Members[i]
			w.sep()
			w.buf = append(appendJSONString(w.buf, m.Name), ':')
			w.comma = false
			w.element(r, m.Type, p[m.Offset:m.Offset+m.Type.Size])
		}
		w.close('}')
	case format.Array:
		w.elements(r, d.Base, p, len(p)/max(int(d.Base.Size), 1))
	case format.VariableLength:
		if d.VariableString {
			text, _ := r.slot(p, 1)
			w.string(string(text))
			return
		}
		data, n := r.slot(p, uint64(d.Base.Size))
		w.elements(r, d.Base, data, n)
	case format.Complex:
		w.elements(r, d.Base, p, 2)
	case format.Reference:
		if d.RefKind == format.ObjectReference1 && len(p) <= 8 {
			w.uint(littleEndian(p))
			return
		}
		w.base64(p)
	default:
		w.base64(p)
	}
}

func (w *jsonWriter) elements(r *valueReader, d *format.Datatype, p []byte, n int) {
	size := int(d.Size)
	w.open('[')
	for i := range n {
		w.element(r, d, p[i*size:(i+1)*size])
	}
	w.close(']')
}

// trimText cuts a fixed string as its padding says.
func trimText(d *format.Datatype, p []byte) string {
	n := len(p)
	switch d.Pad {
	case format.NullTerminated:
		for i, c := range p {
			if c == 0 {
				return string(p[:i])
			}
		}
	case format.NullPadded:
		for n > 0 && p[n-1] == 0 {
			n--
		}
	case format.SpacePadded:
		for n > 0 && p[n-1] == ' ' {
			n--
		}
	}
	return string(p[:n])
}

func littleEndian(p []byte) uint64 {
	var b [8]byte
	copy(b[:], p)
	return binary.LittleEndian.Uint64(b[:])
}

func ordered(d *format.Datatype, p []byte) []byte {
	if d.Order == format.BigEndian {
		return swapped(p, len(p))
	}
	return p
}

func (w *jsonWriter) integer(d *format.Datatype, p []byte) {
	if len(p) > 8 || int(d.Precision) != 8*len(p) {
		w.raw(datatype.Integer(d, p).String())
		return
	}
	v := littleEndian(ordered(d, p))
	if d.Signed {
		shift := 64 - 8*uint(len(p))
		w.int(int64(v<<shift) >> shift)
		return
	}
	w.uint(v)
}

func (w *jsonWriter) enumName(d *format.Datatype, p []byte) {
	if name, ok := (Datatype{d}).NameOf(p); ok {
		w.string(name)
		return
	}
	w.integer(d.Base, p)
}

func (w *jsonWriter) floating(r *valueReader, d *format.Datatype, p []byte) {
	run, err := r.float(d)
	if err != nil {
		w.base64(p)
		return
	}
	var b [8]byte
	run(b[:], p, 1)
	bits := 64
	if d.Float.ExponentSize <= 8 && d.Float.MantissaSize <= 23 {
		bits = 32
	}
	w.number(math.Float64frombits(binary.LittleEndian.Uint64(b[:])), bits)
}

// float returns how elements of a floating-point type become 64 bits.
func (r *valueReader) float(d *format.Datatype) (convert.Func, error) {
	if run := r.floats[d]; run != nil {
		return run, nil
	}
	c, err := convert.Compile(d, numberTypes[MemoryFloat64])
	if err != nil {
		return nil, err
	}
	if r.floats == nil {
		r.floats = map[*format.Datatype]convert.Func{}
	}
	r.floats[d] = c.Run
	return c.Run, nil
}

func (w *jsonWriter) number(v float64, bits int) {
	switch {
	case math.IsNaN(v):
		w.raw(`"NaN"`)
	case math.IsInf(v, 1):
		w.raw(`"Infinity"`)
	case math.IsInf(v, -1):
		w.raw(`"-Infinity"`)
	default:
		w.sep()
		w.buf = strconv.AppendFloat(w.buf, v, 'g', -1, bits)
	}
}
