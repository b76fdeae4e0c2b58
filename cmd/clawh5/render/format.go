package render

import "clawh5/core"

// Break is a place in an element's text where a line may be broken. It is not
// printed.
const Break = "\x01"

// Format is how elements and lines look. In the strings that wrap others, %s
// stands for what is wrapped.
type Format struct {
	Raw    bool   // all elements as hexadecimal bytes
	Float  string // printf format of floating-point numbers of up to 4 bytes
	Double string // and of longer ones

	Characters bool // integers of 1 byte as characters
	HTML       bool // characters of strings that are not plain as %xx
	Repeat     int  // characters that are repeated more often are counted; 0: never
	Escape     bool // control characters, quotes and backslashes as C escapes

	ArrayOpen, ArraySeparator, ArrayClose string
	ArrayJoined                           bool // nothing but the separator stands between the elements of a row
	ArrayRows                             bool // rows of arrays, and members of compounds, on lines of their own

	MemberName                                                  string // of a compound: around its name; "" leaves the name out
	CompoundOpen, CompoundSeparator, CompoundClose, CompoundEnd string // End: before the first member and after the last

	SequenceOpen, SequenceSeparator, SequenceClose string

	Separator string // after an element that another follows, on this line or the next
	Space     string // between elements of a line

	IndexSeparator string // between the numbers of an index
	Index          string // around an index; "" prints none

	Columns      int    // of a line
	PerLine      uint64 // most elements of a line; 0: as many as fit
	Prefix       string // of lines, around the index
	FirstPrefix  string // of the first line; "" is Prefix
	NextPrefix   string // of a line that goes on with an element; "" is Prefix
	Suffix       string // of lines
	KeepTogether bool   // an element that does not fit begins on a new line
	Indent       string // one level of indent
	IndexFirst   bool   // lines are indented by one level less, before the index

	SkipFirst bool // an element that begins a region never begins with a break

	// Packed, if not nil, are the bits of integers that are printed.
	Packed *PackedBits

	// Reference appends what a reference that is not null is; nil prints its
	// bytes.
	Reference func(dst []byte, t core.Datatype, element, heap []byte) []byte
}

// PackedBits are some bits of an integer, as a number of their own.
type PackedBits struct {
	Offset, Length uint
	Mask           uint64
}

// Dump returns the format of h5dump without indexes: see WithIndex.
func Dump() Format {
	return Format{
		Float: "%g", Double: "%g",
		ArrayOpen: "[ ", ArraySeparator: ",", ArrayClose: " ]", ArrayRows: true,
		CompoundOpen: "{", CompoundSeparator: ",\n", CompoundClose: "}", CompoundEnd: "\n",
		SequenceOpen: "(", SequenceSeparator: ", ", SequenceClose: ")",
		Separator: ",", Space: " ",
		Columns: 80, FirstPrefix: "%s", NextPrefix: "%s", KeepTogether: true, Indent: "   ", IndexFirst: true, SkipFirst: true,
	}
}

// WithIndex returns f with or without the index of the first element of each
// line.
func (f Format) WithIndex(on bool) Format {
	f.IndexFirst = on
	if on {
		f.Index, f.IndexSeparator, f.Prefix = "(%s): ", ",", "%s"
	}
	return f
}

// WithoutIndex returns f without indexes, lines beginning where those with an
// index would have it.
func (f Format) WithoutIndex() Format {
	f.Index, f.IndexSeparator, f.Prefix, f.IndexFirst = "", "", "", true
	return f
}
