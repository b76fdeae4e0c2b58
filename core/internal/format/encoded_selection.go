package format

import "clawh5/core/internal/cursor"

// SelectionKind is the kind of an encoded dataspace selection.
type SelectionKind uint32

const (
	SelectNone      SelectionKind = 0
	SelectPoints    SelectionKind = 1
	SelectHyperslab SelectionKind = 2
	SelectAll       SelectionKind = 3
)

// EncodedSelection is a dataspace selection as files hold it (spec VIII.A).
type EncodedSelection struct {
	Kind SelectionKind
	Rank int // 0 for none and all

	Points []uint64 // Rank coordinates a point

	// A regular hyperslab has these, Rank numbers each. Count and Block may be
	// Unlimited.
	Start, Stride, Count, Block []uint64

	// Blocks of an irregular hyperslab: the first and the last element of each,
	// Rank coordinates a corner.
	Blocks []uint64
}

// Regular reports whether a hyperslab has start, stride, count and block.
func (s *EncodedSelection) Regular() bool { return s.Start != nil }

// DecodeSelection reads an encoded selection.
func DecodeSelection(c *cursor.Cursor) (EncodedSelection, error) {
	s := decodeSelection(c)
	return s, c.Err("dataspace selection")
}

func decodeSelection(c *cursor.Cursor) EncodedSelection {
	s := EncodedSelection{Kind: SelectionKind(c.U32())}
	version := c.U32()
	highest := [...]uint32{SelectNone: 1, SelectPoints: 2, SelectHyperslab: 3, SelectAll: 1}
	switch {
	case s.Kind > SelectAll:
		c.Unsupported("selection of type %d", s.Kind)
		return s
	case version < 1 && !c.Failed():
		c.Corrupt("selection of version %d", version)
	case version > highest[s.Kind]:
		c.Unsupported("selection of version %d, the highest known is %d", version, highest[s.Kind])
	}
	switch s.Kind {
	case SelectNone, SelectAll:
		c.Skip(8) // reserved, length
	case SelectPoints:
		s.points(c, version)
	case SelectHyperslab:
		s.hyperslab(c, version)
	}
	return s
}

func (s *EncodedSelection) points(c *cursor.Cursor, version uint32) {
	width := 4
	if version == 1 {
		c.Skip(8) // reserved, length
	} else {
		width = encodedWidth(c)
	}
	s.rank(c)
	s.Points = coordinates(c, width, s.Rank, c.Uint(width))
}

const selectionRegular = 1 << 0

func (s *EncodedSelection) hyperslab(c *cursor.Cursor, version uint32) {
	var flags uint8
	width := 4
	switch version {
	case 1:
		c.Skip(8) // reserved, length
	case 2:
		flags, width = c.U8(), 8
		c.Skip(4) // length
	default:
		flags, width = c.U8(), encodedWidth(c)
	}
	if flags&^selectionRegular != 0 {
		c.Unsupported("unknown selection flags %#x", flags)
	}
	s.rank(c)
	if flags&selectionRegular != 0 {
		s.regular(c, width)
		return
	}
	s.Blocks = coordinates(c, width, 2*s.Rank, c.Uint(width))
	for at := 0; at < len(s.Blocks); at += 2 * s.Rank {
		for d := range s.Rank {
			if s.Blocks[at+d] > s.Blocks[at+s.Rank+d] {
				c.Corrupt("a block from %v to %v", s.Blocks[at:at+s.Rank], s.Blocks[at+s.Rank:at+2*s.Rank])
				return
			}
		}
	}
}

func (s *EncodedSelection) regular(c *cursor.Cursor, width int) {
	if c.Len() < 4*s.Rank*width {
		c.Skip(4 * s.Rank * width)
		return
	}
	all := make([]uint64, 4*s.Rank)
	part := func(i int) []uint64 { return all[i*s.Rank : (i+1)*s.Rank : (i+1)*s.Rank] }
	s.Start, s.Stride, s.Count, s.Block = part(0), part(1), part(2), part(3)
	for d := range s.Rank {
		s.Start[d] = c.Uint(width)
		s.Stride[d] = c.Uint(width)
		s.Count[d] = c.Addr(width) // all bits set: Unlimited
		s.Block[d] = c.Addr(width)
		if s.Stride[d] == 0 && s.Count[d] > 1 {
			c.Corrupt("a hyperslab with stride 0")
		}
	}
}

func (s *EncodedSelection) rank(c *cursor.Cursor) {
	n := c.U32()
	if n == 0 || n > MaxRank {
		c.Corrupt("a selection of rank %d", n)
		return
	}
	s.Rank = int(n)
}

// encodedWidth reads the size of the numbers that follow.
func encodedWidth(c *cursor.Cursor) int {
	n := c.U8()
	if n != 2 && n != 4 && n != 8 {
		c.Corrupt("selection numbers of %d bytes", n)
		return 8
	}
	return int(n)
}

// coordinates reads n times per numbers.
func coordinates(c *cursor.Cursor, width, per int, n uint64) []uint64 {
	if c.Failed() {
		return nil
	}
	if n > uint64(c.Len()/(width*per)) {
		c.Corrupt("%d times %d numbers of %d bytes, %d bytes are left", n, per, width, c.Len())
		return nil
	}
	p := make([]uint64, int(n)*per)
	for i := range p {
		p[i] = c.Uint(width)
	}
	return p
}
