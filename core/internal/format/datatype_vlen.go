package format

const (
	vlenSequence = 0
	vlenString   = 1
)

// An element is a length of 4 bytes and a global heap ID.
func decodeVariableLength(d *Datatype, r *datatypeReader) {
	switch kind := r.bits & 0xf; kind {
	case vlenSequence:
	case vlenString:
		d.VariableString = true
		d.textFormat(r, r.bits>>4)
	default:
		r.Unsupported("variable-length datatype of type %d", kind)
	}
	d.Base = r.base()
	if want := 4 + GlobalHeapIDSize(r.sizes); int64(d.Size) != int64(want) {
		r.Corrupt("a variable-length element of %d bytes, it takes %d", d.Size, want)
	}
}
