package format

const (
	vlenSequence = 0
	vlenString   = 1
)

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
	d.noteSize(r)
}
