package format

// referenceVersion is the version of the encoding of revised references.
const referenceVersion = 1

func decodeReference(d *Datatype, r *datatypeReader) {
	d.RefKind = ReferenceKind(r.bits & 0xf)
	switch d.RefKind {
	case ObjectReference1:
		d.checkSize(r, r.sizes.Offset)
	case RegionReference1:
		d.checkSize(r, GlobalHeapIDSize(r.sizes))
	case ObjectReference2, RegionReference2, AttributeReference:
		if d.RefVersion = uint8(r.bits >> 4 & 0xf); d.RefVersion != referenceVersion {
			r.Unsupported("reference encoding of version %d", d.RefVersion)
		}
		d.checkSize(r, referenceElementSize(r.sizes))
	default:
		r.Unsupported("reference of type %d", d.RefKind)
	}
}

func (d *Datatype) checkSize(r *datatypeReader, want int) {
	if int64(d.Size) != int64(want) {
		r.Corrupt("a reference of %d bytes, it takes %d", d.Size, want)
	}
}
