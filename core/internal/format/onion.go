package format

import (
	"cmp"
	"slices"

	"clawh5/core/internal/cursor"
)

// The file beside a file of the onion driver: pages that later revisions
// replaced. (No specification has it; it is what libhdf5's driver writes, all
// numbers little-endian, with Fletcher's checksum.)
//
//	header -> history -> revision record -> pages
const (
	OnionHeaderSize = 40

	onionHeaderSignature  = "OHDH"
	onionHistorySignature = "OWHS"
	onionRecordSignature  = "ORRS"
	onionWriteLock        = 1 << 0
	onionEntry            = 20
)

// OnionHeader begins an onion file.
type OnionHeader struct {
	PageSize                 uint32
	OriginEnd                uint64 // size of the original file
	HistoryAddr, HistorySize uint64
}

// OnionRevision is where a revision record lies, as the history lists them.
type OnionRevision struct {
	Addr, Size uint64
}

// OnionRecord is a revision: which pages are not those of the original file.
type OnionRecord struct {
	End     uint64 // of the file in this revision
	Entries []OnionPage
}

// OnionPage is a page in an onion file.
type OnionPage struct {
	Logical  uint64 // offset in the revision, a multiple of the page size
	Physical uint64 // and in the onion file
}

// DecodeOnionHeader reads the header.
func DecodeOnionHeader(c *cursor.Cursor) (OnionHeader, error) {
	const structure = "onion header"
	c = fletchered(c, OnionHeaderSize)
	c.Signature(onionHeaderSignature)
	c.Version(1, 1)
	flags := c.U8()
	c.Skip(2) // further flags
	if flags&onionWriteLock != 0 {
		c.Unsupported("the file is open for writing")
	}
	h := OnionHeader{PageSize: c.U32(), OriginEnd: c.U64(), HistoryAddr: c.U64(), HistorySize: c.U64()}
	if !c.Failed() && (h.PageSize == 0 || h.PageSize&(h.PageSize-1) != 0) {
		c.Corrupt("pages of %d bytes", h.PageSize)
	}
	return h, c.Err(structure)
}

// DecodeOnionHistory reads the history, which is all that c has.
func DecodeOnionHistory(c *cursor.Cursor) ([]OnionRevision, error) {
	const structure = "onion history"
	c = fletchered(c, c.Len())
	c.Signature(onionHistorySignature)
	c.Version(1, 1)
	c.Skip(3) // reserved
	n := c.U64()
	if n > uint64(c.Len()/onionEntry) {
		c.Corrupt("%d revisions in %d bytes", n, c.Len())
	}
	var list []OnionRevision
	for ; n > 0 && !c.Failed(); n-- {
		list = append(list, OnionRevision{Addr: c.U64(), Size: c.U64()})
		c.Skip(4) // checksum of the record, which it has itself
	}
	return list, c.Err(structure)
}

// DecodeOnionRecord reads a revision record, which is all that c has. The pages
// come in the order of the file.
func DecodeOnionRecord(c *cursor.Cursor, h *OnionHeader) (OnionRecord, error) {
	const structure = "onion revision record"
	c = fletchered(c, c.Len())
	c.Signature(onionRecordSignature)
	c.Version(1, 1)
	c.Skip(3 + 8 + 8 + 16) // reserved, number, number of the parent, time
	r := OnionRecord{End: c.U64()}
	if size := c.U32(); size != h.PageSize && !c.Failed() {
		c.Corrupt("pages of %d bytes, the header says %d", size, h.PageSize)
	}
	n := c.U64()
	c.Skip(4) // length of the comment
	if n > uint64(c.Len()/onionEntry) {
		c.Corrupt("%d pages in %d bytes", n, c.Len())
	}
	for ; n > 0 && !c.Failed(); n-- {
		p := OnionPage{Logical: c.U64(), Physical: c.U64()}
		c.Skip(4) // checksum of the two
		if p.Logical%uint64(max(h.PageSize, 1)) != 0 {
			c.Corrupt("a page at %d", p.Logical)
		}
		r.Entries = append(r.Entries, p)
	}
	slices.SortStableFunc(r.Entries, func(a, b OnionPage) int { return cmp.Compare(a.Logical, b.Logical) })
	for i := range r.Entries {
		if i > 0 && r.Entries[i].Logical == r.Entries[i-1].Logical {
			c.Corrupt("two pages at %d", r.Entries[i].Logical)
			break
		}
	}
	return r, c.Err(structure)
}

// fletchered takes the next size bytes, of which the last four are the checksum
// of the others, and returns a cursor of those.
func fletchered(c *cursor.Cursor, size int) *cursor.Cursor {
	const sum = 4
	at := c.Offset()
	p := c.Bytes(max(size, sum))
	if c.Failed() {
		return c
	}
	body := cursor.New(p[:len(p)-sum], at)
	stored := cursor.New(p[len(p)-sum:], 0).U32()
	if got := fletcher32(p[:len(p)-sum]); got != stored {
		body.Corrupt("the checksum is %#x, stored is %#x", got, stored)
	}
	return body
}

// fletcher32 is Fletcher's checksum of big-endian 16-bit words, the last of which
// may lack a byte.
func fletcher32(p []byte) uint32 {
	var a, b uint32
	fold := func(s uint32) uint32 { return s&0xffff + s>>16 }
	for ; len(p) > 0; p = p[min(2, len(p)):] {
		word := uint32(p[0]) << 8
		if len(p) > 1 {
			word |= uint32(p[1])
		}
		a = fold(a + word)
		b = fold(b + a)
	}
	return fold(b)<<16 | fold(a)
}
