package render

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"clawh5/core"
)

// Append appends the text of one element of type t. element has the bytes of
// one element, heap what its variable-length parts point into. Text that l
// indents goes on l's level.
func (f *Format) Append(dst []byte, l *Layout, t core.Datatype, element, heap []byte) []byte {
	w := writer{Format: f, layout: l, heap: heap, dst: dst}
	w.element(t, element)
	return w.dst
}

// writer is the rendering of one element.
type writer struct {
	*Format
	layout   *Layout
	heap     []byte
	dst      []byte
	hadArray bool // the last element of an array had an array in it
	depth    int
}

// maxDepth is how deep elements may be nested; the types of files are limited
// already.
const maxDepth = 256

func (w *writer) add(s string) { w.dst = append(w.dst, s...) }

func (w *writer) indent() {
	for range w.layout.level() {
		w.add(w.Indent)
	}
}

func (w *writer) element(t core.Datatype, p []byte) {
	if w.depth++; w.depth > maxDepth {
		w.add("...")
		w.depth--
		return
	}
	defer func() { w.depth-- }()
	if w.Raw {
		w.dst = hexBytes(w.dst, p)
		return
	}
	switch t.Class() {
	case core.ClassInteger:
		w.integer(t, p)
	case core.ClassFloat:
		w.dst = w.float(w.dst, t, p)
	case core.ClassComplex:
		w.dst = w.complex(w.dst, t, p)
	case core.ClassString:
		w.string(t, p)
	case core.ClassEnum:
		if name, ok := t.NameOf(p); ok {
			w.dst = enumName(w.dst, name)
		} else {
			w.dst = hexBytes(w.dst, p)
		}
	case core.ClassCompound:
		w.compound(t, p)
	case core.ClassArray:
		w.array(t, p)
	case core.ClassVlen:
		w.sequence(t, p)
	case core.ClassReference:
		w.reference(t, p)
	default:
		w.dst = hexBytes(w.dst, p)
	}
}

// hexBytes appends bytes without a meaning of their own.
func hexBytes(dst, p []byte) []byte {
	if len(p) == 1 {
		return fmt.Appendf(dst, "0x%02x", p[0])
	}
	for i, b := range p {
		if i > 0 {
			dst = append(dst, ':')
		}
		dst = fmt.Appendf(dst, "%02x", b)
	}
	return dst
}

func (w *writer) integer(t core.Datatype, p []byte) {
	if len(p) > 8 {
		w.dst = hexBytes(w.dst, p)
		return
	}
	if len(p) == 1 && w.Characters {
		w.dst = w.character(w.dst, p[0])
		return
	}
	var b [8]byte
	copy(b[:], p)
	v := binary.LittleEndian.Uint64(b[:])
	width := uint(8 * len(p))
	shift := 64 - width
	signed := t.Signed()
	if signed {
		v = uint64(int64(v<<shift) >> shift)
	}
	if m := w.Packed; m != nil {
		if m.Offset >= width {
			v = 0
		} else if signed {
			v = uint64(int64(v)>>m.Offset) & m.Mask
		} else {
			v = v >> m.Offset & m.Mask
		}
		if signed {
			v = uint64(int64(v<<shift) >> shift)
		}
	}
	if signed {
		w.dst = strconv.AppendInt(w.dst, int64(v), 10)
	} else {
		w.dst = strconv.AppendUint(w.dst, v, 10)
	}
}

// slot returns the parts of a variable-length element, of size bytes each; nil
// if there is no such data.
func (w *writer) slot(p []byte, size uint64) (parts []byte, n int) {
	if len(p) < 16 {
		return nil, 0
	}
	off, count := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
	if size == 0 || off > uint64(len(w.heap)) || count > (uint64(len(w.heap))-off)/size {
		return nil, 0
	}
	return w.heap[off : off+count*size], int(count)
}

func (w *writer) string(t core.Datatype, p []byte) {
	if !t.IsVariableString() {
		w.dst = w.text(w.dst, p, t.StringPad())
		return
	}
	if len(p) >= 8 && binary.LittleEndian.Uint64(p) == core.NullOffset {
		w.add("NULL")
		return
	}
	s, _ := w.slot(p, 1)
	w.dst = w.text(w.dst, s, core.NullTerminated)
}

func (w *writer) compound(t core.Datatype, p []byte) {
	w.add(w.CompoundOpen)
	w.layout.Indent++
	for i := range t.NumMembers() {
		if i > 0 {
			w.add(w.CompoundSeparator)
		} else {
			w.add(w.CompoundEnd)
		}
		if w.ArrayRows {
			w.indent()
		}
		name, offset, member := t.Member(i)
		w.add(strings.ReplaceAll(w.MemberName, "%s", name))
		if end := offset + member.Size(); end >= offset && end <= uint64(len(p)) {
			w.element(member, p[offset:end])
		}
	}
	w.layout.Indent--
	if w.ArrayRows {
		w.add(w.CompoundEnd)
		w.indent()
	}
	w.add(w.CompoundClose)
}

func (w *writer) array(t core.Datatype, p []byte) {
	base, dims := t.Super(), t.Dims()
	size := base.Size()
	row := uint64(1)
	if len(dims) > 0 {
		row = dims[len(dims)-1]
	}
	w.add(w.ArrayOpen)
	w.layout.Indent++
	for i := uint64(0); size > 0 && (i+1)*size <= uint64(len(p)); i++ {
		if i > 0 {
			w.add(w.ArraySeparator)
			switch {
			case w.ArrayRows && i%row == 0:
				w.add("\n")
				w.indent()
			case w.ArrayJoined:
			case w.hadArray:
				w.add("\n ")
				w.indent()
			default:
				w.add(" ")
			}
		}
		w.hadArray = false
		w.element(base, p[i*size:(i+1)*size])
	}
	w.layout.Indent--
	w.add(w.ArrayClose)
	w.hadArray = true
}

func (w *writer) sequence(t core.Datatype, p []byte) {
	base := t.Super()
	size := base.Size()
	data, n := w.slot(p, size)
	w.add(w.SequenceOpen)
	for i := range n {
		if i > 0 {
			w.add(w.SequenceSeparator)
		}
		w.layout.Indent++
		w.element(base, data[uint64(i)*size:uint64(i+1)*size])
		w.layout.Indent--
	}
	w.add(w.SequenceClose)
}

func (w *writer) reference(t core.Datatype, p []byte) {
	null := true
	for _, b := range p {
		null = null && b == 0
	}
	switch {
	case null:
		w.add("NULL")
	case w.Format.Reference != nil:
		w.dst = w.Format.Reference(w.dst, t, p, w.heap)
	default:
		w.dst = hexBytes(w.dst, p)
	}
}
