package convert

import "clawh5/core/internal/format"

// fixedLayout is a fixed-point number: precision bits from bit at on.
type fixedLayout struct {
	at, precision int
	signed        bool
}

func newFixedLayout(d *format.Datatype) (*fixedLayout, bool) {
	at, precision := int(d.BitOffset), int(d.Precision)
	if precision == 0 || d.Size > maxNumber || at+precision > 8*int(d.Size) {
		return nil, false
	}
	return &fixedLayout{at, precision, d.Signed}, true
}

func (l *fixedLayout) bits() int { return l.precision }

func (l *fixedLayout) load(v *scalar, b []byte) {
	v.special, v.exponent = finite, 0
	v.magnitude.load(b, l.at, l.precision)
	v.negative = l.signed && v.magnitude.bit(l.precision-1)
	if v.negative {
		v.magnitude.negate(l.precision)
	}
}

// store drops what is behind the point. A number that is out of range becomes
// the nearest that is not, and NaN becomes 0.
func (l *fixedLayout) store(b []byte, v *scalar) {
	switch v.special {
	case notANumber:
		return
	case finite:
		if l.integer(v) {
			break
		}
		fallthrough
	default:
		l.limit(v)
	}
	if v.negative {
		v.magnitude.negate(l.precision)
	}
	v.magnitude.store(b, l.at, l.precision)
}

// integer makes an integer of v and reports whether it is in range.
func (l *fixedLayout) integer(v *scalar) bool {
	m := v.magnitude
	length := m.length()
	switch {
	case length == 0:
		return true
	case int64(length)+v.exponent <= 0: // less than 1
		clear(m)
		return true
	case int64(length)+v.exponent > int64(l.precision):
		return false
	case v.exponent < 0:
		m.shiftRight(int(-v.exponent))
	default:
		m.shiftLeft(int(v.exponent))
	}
	switch {
	case !l.signed:
		return !v.negative
	case !m.bit(l.precision - 1):
		return true
	}
	return v.negative && !m.anyBelow(l.precision-1) // the smallest number
}

// limit makes v the largest number, or the smallest if it is negative.
func (l *fixedLayout) limit(v *scalar) {
	switch {
	case !l.signed && v.negative:
		clear(v.magnitude)
	case !l.signed:
		v.magnitude.ones(l.precision)
	case v.negative:
		clear(v.magnitude)
		v.magnitude.setBit(l.precision - 1)
	default:
		v.magnitude.ones(l.precision - 1)
	}
}
