package core

import "clawh5/core/internal/ddl"

// Text returns t in HDF5's data description language, as H5LTdtype_to_text writes
// it, with the offsets of libhdf5's memory (see Library). Types that it cannot
// express are in h5dump's words, so that ParseDatatype reads every text to an equal
// type.
func (t Datatype) Text() string { return ddl.Text(t.d) }

// ParseDatatype reads a datatype from text: the grammar of H5LTtext_to_dtype and
// what Text writes. An error has the kind Type and tells line and column.
func ParseDatatype(text string) (Datatype, error) { return made(ddl.Parse(text)) }

// AppendJSON describes t as the TYPE of descriptions.
func (t Datatype) AppendJSON(dst []byte) []byte {
	w := jsonWriter{buf: dst}
	w.datatype(t.d)
	return w.buf
}
