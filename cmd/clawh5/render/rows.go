package render

import (
	"io"

	"clawh5/core"
)

// Rows prints the elements of one read. last says that no other read of the
// same data follows.
func (l *Layout) Rows(w io.Writer, f *Format, t core.Datatype, data, heap []byte, last bool) {
	l.rows(f, t, data, heap, last, func(text string, i, row uint64) bool { return l.Put(w, f, text, i, row) })
}

// RegionRows is Rows for the elements of a box of a dataset.
func (l *Layout) RegionRows(w io.Writer, f *Format, t core.Datatype, data, heap []byte, last bool) {
	l.rows(f, t, data, heap, last, func(text string, i, row uint64) bool { return l.PutRegion(w, f, text, i, row) })
}

func (l *Layout) rows(f *Format, t core.Datatype, data, heap []byte, last bool, put func(text string, i, row uint64) bool) {
	size := t.Size()
	if size == 0 {
		return
	}
	var text []byte
	n := uint64(len(data)) / size
	for i, row := uint64(0), uint64(0); i < n; i, row = i+1, row+1 {
		text = f.Append(text[:0], l, t, data[i*size:(i+1)*size], heap)
		if i+1 < n || !last {
			text = append(text, f.Separator...)
		}
		if put(string(text), i, row) {
			row = 0
		}
		l.Element++
	}
}
