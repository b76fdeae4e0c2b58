package filter

// lossy is a filter that rounds values as they are written, so that a later one
// compresses them better. There is nothing to undo.
type lossy struct{ id ID }

func (l lossy) Decode(dst, src []byte, _ []uint32, _, limit int) ([]byte, error) {
	return asStored(l.id, dst, src, limit)
}

// asStored appends src, which is what it decodes to.
func asStored(id ID, dst, src []byte, limit int) ([]byte, error) {
	if len(src) > limit {
		return nil, tooLarge(id, limit)
	}
	return append(dst, src...), nil
}
