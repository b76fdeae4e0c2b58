package format

// referenceVersion is the version of the encoding of revised references.
const referenceVersion = 1

func decodeReference(d *Datatype, r *datatypeReader) {
	d.RefKind = ReferenceKind(r.bits & 0xf)
	switch d.RefKind {
	case ObjectReference1, RegionReference1:
	case ObjectReference2, RegionReference2, AttributeReference:
		if d.RefVersion = uint8(r.bits >> 4 & 0xf); d.RefVersion != referenceVersion {
			r.Unsupported("reference encoding of version %d", d.RefVersion)
		}
	default:
		r.Unsupported("reference of type %d", d.RefKind)
	}
	d.noteSize(r)
}
