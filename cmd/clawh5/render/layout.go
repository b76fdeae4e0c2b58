package render

import (
	"io"
	"strconv"
	"strings"
)

// Layout is where on its line the output stands. The zero value stands at the
// beginning of a line that has no prefix yet; a copy goes on independently.
type Layout struct {
	Indent        int    // level
	DefaultIndent int    // level of the prefixes where Indent is 0
	Column        int    // bytes printed on this line; 0: no line is begun
	Break         bool   // the next text begins a new line
	Element       uint64 // elements printed since that was set to 0; Put's caller counts it
	Continuation  uint64 // reads printed before this one
	Position      uint64 // linear position of the first element of this read
	LastDim       uint64 // the last dimension: rows end after so many elements; 0: no rows

	weights   []uint64 // elements for a step in each dimension
	base      []uint64 // what is added to indexes, for regions
	prefixLen int
	wrapped   bool // the last text took more than one line
}

// SetShape tells the dimensions of the data, which indexes count in.
func (l *Layout) SetShape(dims []uint64) {
	l.weights = make([]uint64, len(dims))
	w := uint64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		l.weights[i] = w
		w *= dims[i]
	}
	l.LastDim = 0
	if len(dims) > 0 {
		l.LastDim = dims[len(dims)-1]
	}
}

func (l *Layout) level() int {
	if l.Indent > 0 {
		return l.Indent
	}
	return l.DefaultIndent
}

// SetBase tells what is added to the indexes.
func (l *Layout) SetBase(base []uint64) { l.base = base }

// index returns the index of the element at a linear position.
func (l *Layout) index(f *Format, position uint64) string {
	if f.Index == "" {
		return ""
	}
	var b []byte
	if len(l.weights) == 0 {
		b = strconv.AppendUint(b, position, 10)
	}
	for i, w := range l.weights {
		if i > 0 {
			b = append(b, f.IndexSeparator...)
		}
		n := uint64(0)
		if w > 0 {
			n, position = position/w, position%w
		}
		if l.base != nil {
			n += l.base[i]
		}
		b = strconv.AppendUint(b, n, 10)
	}
	return strings.ReplaceAll(f.Index, "%s", string(b))
}

// Begin ends the line and begins a new one with its prefix, if that is due.
// position is that of the first element of the line, section the part of the
// element that the line begins with.
func (l *Layout) Begin(w io.Writer, f *Format, position uint64, section int) {
	if w == nil || !l.Break {
		return
	}
	var b strings.Builder
	if l.Column > 0 {
		b.WriteString(f.Suffix + "\n")
	}
	level := l.level()
	if f.IndexFirst {
		b.WriteString(strings.Repeat(f.Indent, max(level-1, 0)))
	}
	around := f.Prefix
	switch {
	case position == 0 && section == 0 && f.FirstPrefix != "":
		around = f.FirstPrefix
	case section > 0 && f.NextPrefix != "":
		around = f.NextPrefix
	}
	prefix := strings.ReplaceAll(around, "%s", l.index(f, position))
	b.WriteString(prefix)
	l.Column = len(prefix)
	if !f.IndexFirst {
		b.WriteString(strings.Repeat(f.Indent, level))
		l.Column += level * len(f.Indent)
	} else if level > 1 {
		l.Column += level * len(f.Indent)
	}
	io.WriteString(w, b.String())
	l.prefixLen = l.Column
	l.Element = 0
	l.Break = false
}

// Put prints the text of an element, on this line or on new ones. n counts the
// elements of this read; row counts those of this row, and starts again at 0
// when Put returns true.
func (l *Layout) Put(w io.Writer, f *Format, text string, n, row uint64) (rowEnds bool) {
	return l.put(w, f, text, n, row, func(section int) { l.Begin(w, f, l.Position+n, section) }, false)
}

// PutRegion is Put for elements of a region of a dataset, whose indexes begin at
// the layout's base.
func (l *Layout) PutRegion(w io.Writer, f *Format, text string, n, row uint64) (rowEnds bool) {
	return l.put(w, f, text, n, row, func(section int) { l.Begin(w, f, n, section) }, f.SkipFirst && n == 0)
}

func (l *Layout) put(w io.Writer, f *Format, text string, n, row uint64, begin func(section int), neverBreak bool) (rowEnds bool) {
	if w == nil {
		return false
	}
	end := len(f.Space) + len(f.Suffix)
	if width := columns(text) + end; f.KeepTogether && l.Column+width > f.Columns &&
		(l.wrapped || l.prefixLen+width <= f.Columns) {
		l.Break = true
	}
	if f.ArrayRows && l.Element > 0 {
		if l.LastDim > 0 && l.Element%l.LastDim == 0 {
			l.Break = true
		}
		if row == l.LastDim {
			l.Break, rowEnds = true, true
		}
	}
	if f.PerLine > 0 && l.Element >= f.PerLine {
		l.Break = true
	}
	lines, section := 0, 0
	for part := range strings.SplitSeq(text, Break) {
		if part == "" {
			continue
		}
		if !neverBreak && l.Column+len(part)+end > f.Columns {
			l.Break = true
		}
		switch {
		case l.Break:
			if section > 0 {
				lines++
			}
			begin(section)
		case (n > 0 || l.Continuation > 0) && section == 0:
			io.WriteString(w, f.Space)
			l.Column += len(f.Space)
		}
		io.WriteString(w, part)
		l.Column += len(part)
		section++
	}
	l.wrapped = lines > 0
	return rowEnds
}

// columns counts as the tools do: neither control characters nor the bytes of
// other characters than ASCII take room.
func columns(text string) int {
	n := 0
	for i := range len(text) {
		if text[i] >= ' ' && text[i] < 0x80 {
			n++
		}
	}
	return n
}
