package convert

import "clawh5/core/internal/format"

// rounding is how a number that a floating-point type does not have becomes one
// that it has.
type rounding uint8

const (
	// toEven: to the nearest, ties to even. What rounds to more than the largest
	// finite number is infinity.
	toEven rounding = iota
	// toMachine: to the nearest, ties to even. All that is more than the largest
	// finite number is infinity. NaN keeps the high bits of its payload.
	toMachine
	// toAway: to the nearest, ties away from zero. What rounds to more than the
	// largest finite number is infinity from the next power of two on only.
	toAway
)

// floatLayout is a floating-point number. The exponent field of all ones is
// that of infinity (mantissa 0, or its leading bit alone where that is stored)
// and of NaN; the field 0 that of 0 and of numbers below the normal ones.
type floatLayout struct {
	sign           int
	exponent, size int // place of the exponent field
	mantissa, kept int // place of the mantissa
	precision      int // bits of the mantissa with the leading one
	bias, largest  int64
	inner          []byte // bits inside of the value that have no meaning and are set
	rounding
}

// maxExponentSize keeps exponents within 64 bits.
const maxExponentSize = 62

func newFloatLayout(d *format.Datatype, r rounding) (layout, bool) {
	f := d.Float
	l := &floatLayout{
		sign:     int(f.SignLocation),
		exponent: int(f.ExponentLocation), size: int(f.ExponentSize),
		mantissa: int(f.MantissaLocation), kept: int(f.MantissaSize),
		precision: int(f.MantissaSize), bias: int64(f.ExponentBias), rounding: r,
	}
	if f.Normalization == format.MSBImplied {
		l.precision++
	}
	end := 8 * int(d.Size)
	if l.size < 1 || l.size > maxExponentSize || l.kept < 1 ||
		l.sign >= end || l.exponent+l.size > end || l.mantissa+l.kept > end {
		return nil, false
	}
	l.largest = 1<<l.size - 1
	l.inner = l.unused(d)
	return l, true
}

// unused returns a mask of the bits that the internal padding sets, nil if there
// are none.
func (l *floatLayout) unused(d *format.Datatype) []byte {
	if d.Float.InternalPad == 0 {
		return nil
	}
	mask := make([]byte, d.Size)
	for i := int(d.BitOffset); i < int(d.BitOffset)+int(d.Precision) && i < 8*len(mask); i++ {
		used := i == l.sign || i >= l.exponent && i < l.exponent+l.size || i >= l.mantissa && i < l.mantissa+l.kept
		if !used {
			mask[i/8] |= 1 << (i % 8)
		}
	}
	return mask
}

func (l *floatLayout) bits() int { return l.precision }

// stored reports whether the leading bit of the mantissa is stored.
func (l *floatLayout) stored() bool { return l.kept == l.precision }

func (l *floatLayout) load(v *scalar, b []byte) {
	var field [1]uint64
	limbs(field[:]).load(b, l.exponent, l.size)
	e := int64(field[0])
	v.negative = b[l.sign/8]>>(l.sign%8)&1 != 0
	v.special = finite
	m := v.magnitude
	m.load(b, l.mantissa, l.kept)
	if e == l.largest {
		l.loadSpecial(v)
		return
	}
	if !l.stored() && e > 0 {
		m.setBit(l.kept)
	}
	v.exponent = max(e, 1) - l.bias - int64(l.precision-1)
}

func (l *floatLayout) loadSpecial(v *scalar) {
	v.payload = l.precision - 1
	v.special = infinite
	if v.magnitude.anyBelow(v.payload) {
		v.special = notANumber
		v.magnitude.truncate(v.payload)
	}
}

func (l *floatLayout) store(b []byte, v *scalar) {
	m := v.magnitude
	field := l.largest
	switch v.special {
	case finite:
		field = l.round(v)
	case infinite:
		l.infinity(m)
	case notANumber:
		l.nan(v)
	}
	if v.negative {
		b[l.sign/8] |= 1 << (l.sign % 8)
	}
	limbs([]uint64{uint64(field)}).store(b, l.exponent, l.size)
	m.store(b, l.mantissa, l.kept)
	for i, bits := range l.inner {
		b[i] |= bits
	}
}

// infinity makes m the mantissa of infinity.
func (l *floatLayout) infinity(m limbs) {
	clear(m)
	if l.stored() {
		m.setBit(l.kept - 1)
	}
}

// nan makes the magnitude of v the mantissa of NaN.
func (l *floatLayout) nan(v *scalar) {
	m, payload := v.magnitude, l.precision-1
	if l.rounding != toMachine || payload == 0 {
		m.ones(l.kept)
		return
	}
	if more := payload - v.payload; more >= 0 {
		m.shiftLeft(more)
	} else {
		m.shiftRight(-more)
	}
	m.setBit(payload - 1) // a signalling NaN becomes a quiet one
	if l.stored() {
		m.setBit(payload)
	}
}

// round makes the magnitude of v the mantissa, with the leading bit, and returns
// the exponent field.
func (l *floatLayout) round(v *scalar) int64 {
	m := v.magnitude
	n := m.length()
	if n == 0 {
		return 0
	}
	field := v.exponent + int64(n-1) + l.bias
	if field >= l.largest {
		l.infinity(m)
		return l.largest
	}
	switch drop := max(field, 1) - l.bias - int64(l.precision-1) - v.exponent; {
	case drop > int64(n):
		clear(m)
	case drop > 0:
		up := l.up(m, int(drop), field)
		m.shiftRight(int(drop))
		if up {
			m.increment()
		}
	default:
		m.shiftLeft(int(-drop))
	}
	return l.carried(m, field)
}

// up reports whether m without its n lowest bits is to be incremented.
func (l *floatLayout) up(m limbs, n int, field int64) bool {
	switch {
	case l.rounding == toAway:
		return m.bit(n - 1)
	case l.rounding == toMachine && field == l.largest-1 && m.onesFrom(n, l.precision):
		return m.anyBelow(n)
	}
	return m.bit(n-1) && (m.bit(n) || m.anyBelow(n-1))
}

// carried returns the exponent field of a mantissa that was rounded to m.
func (l *floatLayout) carried(m limbs, field int64) int64 {
	if m.bit(l.precision) {
		m.shiftRight(1)
		field++
	}
	if field < 1 {
		field = 0
		if m.bit(l.precision - 1) {
			field = 1
		}
	}
	switch {
	case field < l.largest:
	case l.rounding == toAway && l.largest > 1:
		field = l.largest - 1
		m.ones(l.precision)
	default:
		l.infinity(m)
	}
	return field
}
