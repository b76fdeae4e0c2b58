package filter

// lossy is a filter that rounds values as they are written, so that a later one
// compresses them better. There is nothing to undo.
type lossy struct{ id ID }

func (l lossy) Decode(dst, src []byte, _ []uint32, _, limit int) ([]byte, error) {
	if len(src) > limit {
		return nil, corrupt(l.id, "decodes to more than %d bytes", limit)
	}
	return append(dst, src...), nil
}
