package datatype

import (
	"math"

	"clawh5/core/internal/format"
)

// changeFloat applies f to a copy of the layout of a float.
func changeFloat(d *format.Datatype, what string, f func(*format.Datatype, *format.FloatProperties) error) (*format.Datatype, error) {
	return change(d, what, func(d *format.Datatype) error {
		layout := *d.Float
		d.Float = &layout
		return f(d, &layout)
	}, format.FloatingPoint)
}

// Fields is where the parts of a float lie, in bits.
type Fields struct{ Sign, ExponentAt, ExponentBits, MantissaAt, MantissaBits uint64 }

// WithFields returns the float d with its parts elsewhere, within the
// significant bits.
func WithFields(d *format.Datatype, f Fields) (*format.Datatype, error) {
	return changeFloat(d, "fields", func(d *format.Datatype, p *format.FloatProperties) error {
		if err := checkFields(f, uint64(d.BitOffset), uint64(d.BitOffset)+uint64(d.Precision)); err != nil {
			return err
		}
		p.SignLocation = uint8(f.Sign)
		p.ExponentLocation, p.ExponentSize = uint8(f.ExponentAt), uint8(f.ExponentBits)
		p.MantissaLocation, p.MantissaSize = uint8(f.MantissaAt), uint8(f.MantissaBits)
		return nil
	})
}

// WithBias returns the float d with another exponent bias.
func WithBias(d *format.Datatype, bias uint64) (*format.Datatype, error) {
	return changeFloat(d, "exponent bias", func(_ *format.Datatype, p *format.FloatProperties) error {
		if bias > math.MaxUint32 {
			return refused("an exponent bias of %d", bias)
		}
		p.ExponentBias = uint32(bias)
		return nil
	})
}

// WithNormalization returns the float d with another form of mantissa.
func WithNormalization(d *format.Datatype, n format.Normalization) (*format.Datatype, error) {
	return changeFloat(d, "normalization", func(_ *format.Datatype, p *format.FloatProperties) error {
		if n > format.MSBImplied {
			return refused("normalization %d", n)
		}
		p.Normalization = n
		return nil
	})
}

// WithInternalPad returns the float d with other fill bits between its parts.
func WithInternalPad(d *format.Datatype, pad uint8) (*format.Datatype, error) {
	return changeFloat(d, "internal padding", func(_ *format.Datatype, p *format.FloatProperties) error {
		if pad > 1 {
			return refused("internal padding %d: files hold 0 and 1", pad)
		}
		p.InternalPad = pad
		return nil
	})
}
