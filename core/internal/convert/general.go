package convert

import (
	"sync"

	"clawh5/core/internal/format"
)

// general converts numbers of any two layouts, one after the other.
func general(src, dst *format.Datatype) (Conversion, bool) {
	r := toEven
	if src.Class == format.FloatingPoint && dst.Class == format.FloatingPoint {
		r = toAway
		if machineFloat(src) && machineFloat(dst) {
			r = toMachine
		}
	}
	from, ok := layoutOf(src, r)
	to, fits := layoutOf(dst, r)
	if !ok || !fits {
		return Conversion{}, false
	}
	return each(src, dst, from, to), true
}

// scratch is what the conversion of an element needs.
type scratch struct {
	in, out []byte
	value   scalar
}

// each converts element by element.
func each(src, dst *format.Datatype, from, to layout) Conversion {
	s, d := int(src.Size), int(dst.Size)
	n := max(from.bits(), to.bits())/64 + 1 // one bit more for a carry
	pool := sync.Pool{New: func() any {
		return &scratch{make([]byte, s+spare), make([]byte, d+spare), scalar{magnitude: make(limbs, n)}}
	}}
	pad := paddingOf(dst)
	return perByte(Conversion{SrcSize: s, DstSize: d, InPlace: s == d, Run: func(out, in []byte, n int) {
		w := pool.Get().(*scratch)
		for i := range n {
			reorder(w.in[:s], in[i*s:i*s+s], src.Order)
			from.load(&w.value, w.in)
			clear(w.out)
			to.store(w.out, &w.value)
			pad.apply(w.out)
			reorder(out[i*d:i*d+d], w.out[:d], dst.Order)
		}
		pool.Put(w)
	}})
}

// perByte makes a conversion of single bytes a table.
func perByte(c Conversion) Conversion {
	if c.SrcSize != 1 {
		return c
	}
	const values = 1 << 8
	d := c.DstSize
	all, table := make([]byte, values), make([]byte, values*d)
	for i := range all {
		all[i] = byte(i)
	}
	c.Run(table, all, values)
	c.Run = func(dst, src []byte, n int) {
		for i, b := range src[:n] {
			copy(dst[i*d:i*d+d], table[int(b)*d:])
		}
	}
	return c
}

// toBitfield converts bitfields: of one that is too long the lowest bits stay.
func toBitfield(src, dst *format.Datatype) (Conversion, error) {
	if src.Class == format.Bitfield && src.Order != format.VAX && dst.Order != format.VAX {
		from, ok := newFixedLayout(src)
		to, fits := newFixedLayout(dst)
		if ok && fits {
			return each(src, dst, from, bitLayout{to}), nil
		}
	}
	return Conversion{}, NoConversion(src, dst)
}

// bitLayout stores bits, not a number.
type bitLayout struct{ *fixedLayout }

func (l bitLayout) store(b []byte, v *scalar) { v.magnitude.store(b, l.at, l.precision) }
