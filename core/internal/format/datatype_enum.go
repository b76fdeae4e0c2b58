package format

// decodeEnumeration reads all names and then all values.
func decodeEnumeration(d *Datatype, r *datatypeReader) {
	n := int(r.bits & 0xffff)
	d.Base = r.base()
	switch {
	case r.Failed():
		return
	case d.Base.Class != FixedPoint:
		r.Unsupported("an enumeration of values of class %s", d.Base.Class)
	case d.Base.Size != d.Size:
		r.Corrupt("an enumeration of %d bytes with values of %d", d.Size, d.Base.Size)
	case n > r.Len():
		r.Corrupt("%d names in %d bytes", n, r.Len())
	}
	if r.Failed() {
		return
	}
	d.Names = make([]string, n)
	for i := range d.Names {
		if d.Names[i] = d.name(r); d.Names[i] == "" {
			r.Corrupt("an enumeration member without a name")
			return
		}
	}
	if size := uint64(n) * uint64(d.Size); size > uint64(r.Len()) {
		r.Corrupt("%d values of %d bytes, %d bytes are left", n, d.Size, r.Len())
	} else {
		d.Values = r.Bytes(int(size))
	}
}
