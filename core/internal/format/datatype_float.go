package format

const (
	bitInternalPad = 1 << 3
	bitVAX         = 1 << 6 // with bitBigEndian, from version 3 on
)

func decodeFloatingPoint(d *Datatype, r *datatypeReader) {
	d.orderAndPads(r.bits)
	if d.Version >= 3 && r.bits&bitVAX != 0 {
		if d.Order != BigEndian {
			r.Unsupported("byte order bits %#x", r.bits&(bitVAX|bitBigEndian))
		}
		d.Order = VAX
	}
	f := &FloatProperties{
		SignLocation:  uint8(r.bits >> 8),
		Normalization: Normalization(r.bits >> 4 & 3),
		InternalPad:   uint8(r.bits & bitInternalPad >> 3),
	}
	if f.Normalization > MSBImplied {
		r.Unsupported("mantissa normalization %d", f.Normalization)
	}
	d.Float = f
	d.bitRange(r)
	f.ExponentLocation, f.ExponentSize = r.U8(), r.U8()
	f.MantissaLocation, f.MantissaSize = r.U8(), r.U8()
	f.ExponentBias = r.U32()

	sign, exponent, mantissa := bitField{f.SignLocation, 1}, bitField{f.ExponentLocation, f.ExponentSize}, bitField{f.MantissaLocation, f.MantissaSize}
	d.checkBits(r, "sign", uint64(sign.at), 1)
	d.checkBits(r, "exponent", uint64(exponent.at), uint64(exponent.n))
	d.checkBits(r, "mantissa", uint64(mantissa.at), uint64(mantissa.n))
	if sign.overlaps(exponent) || sign.overlaps(mantissa) || exponent.overlaps(mantissa) {
		r.Corrupt("sign, exponent and mantissa overlap")
	}
}

// bitField is n bits from bit at on.
type bitField struct{ at, n uint8 }

func (a bitField) overlaps(b bitField) bool {
	return int(a.at) < int(b.at)+int(b.n) && int(b.at) < int(a.at)+int(a.n)
}
