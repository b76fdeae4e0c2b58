package convert

import "clawh5/core/internal/format"

// scalar is the value of an element on its way between two layouts: finite
// ones are magnitude * 2^exponent.
type scalar struct {
	special   special
	negative  bool
	exponent  int64
	magnitude limbs
	payload   int // of NaN: how many bits its payload has, which is the magnitude
}

type special uint8

const (
	finite special = iota
	infinite
	notANumber
)

// layout says where the parts of a number lie in an element, whose bytes have
// been brought into little-endian order.
type layout interface {
	// bits bounds the bits of a magnitude.
	bits() int
	// load reads a number from b, behind which there are spare bytes.
	load(v *scalar, b []byte)
	// store writes a number to b, which is clear, and may change it.
	store(b []byte, v *scalar)
}

// maxNumber is the largest number in bytes. A precision is a number of 16 bits.
const maxNumber = 1 << 16 / 8

// layoutOf returns the layout of a number type; false where it cannot be
// converted.
func layoutOf(d *format.Datatype, r rounding) (layout, bool) {
	if d.Size > maxNumber || d.Order == format.VAX && (d.Size%2 != 0 || d.Class != format.FloatingPoint) {
		return nil, false
	}
	if d.Class == format.FixedPoint {
		l, ok := newFixedLayout(d)
		return l, ok
	}
	return newFloatLayout(d, r)
}

// reorder copies the bytes of an element between its order and little-endian.
func reorder(dst, src []byte, order format.Order) {
	n := len(src)
	switch order {
	case format.LittleEndian:
		copy(dst, src)
	case format.BigEndian:
		for i, b := range src {
			dst[n-1-i] = b
		}
	default: // the 16-bit words are in reverse, not the bytes in them
		for i := 0; i < n; i += 2 {
			copy(dst[n-2-i:n-i], src[i:i+2])
		}
	}
}

// padding is what bits outside of the value are set to.
type padding struct {
	keep, set []byte // masks of a little-endian element; nil if there is no padding
}

// paddingOf returns the padding of a number or bitfield.
func paddingOf(d *format.Datatype) padding {
	at, n, size := int(d.BitOffset), int(d.Precision), int(d.Size)
	if at == 0 && n == 8*size {
		return padding{}
	}
	p := padding{keep: make([]byte, size), set: make([]byte, size)}
	for i := range 8 * size {
		pad := d.LowPad
		switch bit := byte(1) << (i % 8); {
		case i >= at && i < at+n:
			p.keep[i/8] |= bit
			continue
		case i >= at+n:
			pad = d.HighPad
			fallthrough
		default:
			if pad != 0 {
				p.set[i/8] |= bit
			}
		}
	}
	return p
}

func (p *padding) apply(b []byte) {
	for i, keep := range p.keep {
		b[i] = b[i]&keep | p.set[i]
	}
}
