// Package filter undoes the filters of a chunk (spec IV.A.2.l, Filter
// Pipeline): stored bytes in, the bytes of the chunk's elements out.
//
//	stored bytes ─► filter n-1 ─► … ─► filter 1 ─► filter 0 ─► elements
//
// A filter takes bytes and appends bytes; it knows nothing of files, chunks or
// datatypes. Pipeline puts filters in order for one dataset. Both are fed bytes
// that nobody has checked, so every decode is bounded by a number of bytes that
// the caller gives, and ends in an error rather than in a panic.
package filter

import (
	"fmt"
	"strconv"

	"clawh5/core/h5err"
)

// ID is the registered number of a filter.
type ID uint16

// Spec is one filter of a pipeline as stored in the file.
type Spec struct {
	ID       ID
	Name     string // as stored; may be empty
	Optional bool
	Params   []uint32 // client data
}

// Filter undoes one filter. It is safe for concurrent use.
type Filter interface {
	// Decode appends the decoded bytes of src to dst and returns the result,
	// which shares dst's array where its capacity suffices. size is the number
	// of bytes that is expected, or -1 where it is not known: it says how much
	// room to make, and a result of another length is the caller's to refuse.
	// More than limit bytes are never appended; a src that holds more is an
	// error. src is neither changed nor kept. After an error the appended part
	// of the array is undefined.
	Decode(dst, src []byte, params []uint32, size, limit int) ([]byte, error)
}

// A viewer is a Filter whose decoded bytes are a part of the stored ones, so
// that they need not be copied.
type viewer interface {
	view(src []byte, params []uint32) ([]byte, error)
}

// A sizer is a Filter that makes a known number of stored bytes of n bytes.
type sizer interface {
	encodedSize(n int) int
}

// filters are the filters that can be undone.
var filters = map[ID]Filter{
	Deflate:    deflate{},
	Shuffle:    shuffle{},
	Fletcher32: fletcher32{},
	SZip:       szip{},
	LZF:        lzf{},
	LZ4:        lz4{},
	Zstd:       zstd{},
	Bitshuffle: bitshuffle{},
	Blosc:      blosc{},
	Blosc2:     blosc2{},

	NBit:        nBit{},
	ScaleOffset: scaleOffset{},
	Bzip2:       bzip2{},
	ZFP:         zfpFilter{},
	FCIDecomp:   fciDecomp{},
	SPERR:       sperrFilter{},
	SZ:          szFilter{},
	SZ3:         sz3Filter{},
	JPEG:        jpegImage{},

	BitGroom:         lossy{BitGroom},
	GranularBitRound: lossy{GranularBitRound},
}

// Lookup returns the filter registered under id.
func Lookup(id ID) (Filter, bool) {
	f, ok := filters[id]
	return f, ok
}

// String is the number of a filter and, in brackets, its registered name.
func (id ID) String() string {
	s := strconv.Itoa(int(id))
	if name := id.Name(); name != "" {
		s += " (" + name + ")"
	}
	return s
}

// structure names the filter in errors.
func (id ID) structure() string { return "chunk filter " + id.String() }

func corrupt(id ID, format string, args ...any) error {
	return h5err.At(h5err.Corrupt, id.structure(), h5err.NoOffset, fmt.Sprintf(format, args...))
}

func unsupported(id ID, format string, args ...any) error {
	return h5err.At(h5err.Unsupported, id.structure(), h5err.NoOffset, fmt.Sprintf(format, args...))
}
