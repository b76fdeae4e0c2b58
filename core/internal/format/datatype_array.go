package format

// decodeArray reads an array type, which exists from version 2 on.
func decodeArray(d *Datatype, r *datatypeReader) {
	n := int(r.U8())
	if n > MaxRank {
		r.Corrupt("an array of rank %d, the highest is %d", n, MaxRank)
	}
	if d.Version < 3 {
		r.Skip(3) // reserved
	}
	if r.Len() < 4*n {
		r.Skip(4 * n)
		return
	}
	d.Dims = make([]uint32, n)
	for i := range d.Dims {
		d.Dims[i] = r.U32()
	}
	if d.Version < 3 {
		r.Skip(4 * n) // permutation, never used
	}
	d.Base = r.base()
	if size, ok := arraySize(d.Dims, d.Base.Size); !r.Failed() && (!ok || size != d.Size) {
		r.Corrupt("an array of %v elements of %d bytes in %d bytes", d.Dims, d.Base.Size, d.Size)
	}
}

// arraySize returns the bytes of an array and whether they fit 32 bits.
func arraySize(dims []uint32, elem uint32) (uint32, bool) {
	size := uint64(elem)
	for _, n := range dims {
		if size *= uint64(n); size > 1<<32-1 {
			return 0, false
		}
	}
	return uint32(size), true
}
