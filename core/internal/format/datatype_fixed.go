package format

const bitSigned = 1 << 3

func decodeFixedPoint(d *Datatype, r *datatypeReader) {
	d.orderAndPads(r.bits)
	d.Signed = r.bits&bitSigned != 0
	d.bitRange(r)
}

func decodeBitfield(d *Datatype, r *datatypeReader) {
	d.orderAndPads(r.bits)
	d.bitRange(r)
}

// Time values have no bit offset and no padding.
func decodeTime(d *Datatype, r *datatypeReader) {
	if r.bits&bitBigEndian != 0 {
		d.Order = BigEndian
	}
	d.Precision = r.U16()
	d.checkBits(r, "time", 0, uint64(d.Precision))
}
