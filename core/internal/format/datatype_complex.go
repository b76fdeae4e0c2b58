package format

const (
	complexHomogeneous = 1 << 0
	complexForm        = 3 << 1 // 0 rectangular
)

// A complex element is two elements of its base type, the real part first.
func decodeComplex(d *Datatype, r *datatypeReader) {
	if r.bits&complexHomogeneous == 0 || r.bits&complexForm != 0 {
		r.Unsupported("a complex number that is not of one type and rectangular (bits %#x)", r.bits)
	}
	d.Base = r.base()
	switch {
	case r.Failed():
	case d.Base.Class != FloatingPoint:
		r.Corrupt("a complex number of parts of class %s", d.Base.Class)
	case uint64(d.Size) != 2*uint64(d.Base.Size):
		r.Corrupt("a complex number of %d bytes with parts of %d", d.Size, d.Base.Size)
	}
}
