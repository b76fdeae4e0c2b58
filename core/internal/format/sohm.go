package format

import "clawh5/core/internal/cursor"

// SharedMessageIndex is the header of an index of shared object header messages
// (spec III.I).
type SharedMessageIndex struct {
	BTree        bool   // the index is a version 2 B-tree, else a list
	MessageTypes uint16 // bit i: dataspace, datatype, fill value, filter pipeline, attribute
	MinSize      uint32
	ListCutoff   uint16
	BTreeCutoff  uint16
	Messages     uint16
	Index        uint64 // list or B-tree
	Heap         uint64 // fractal heap of the messages, or Undefined
}

// SharedMessageTableSize returns the bytes of a table of n indexes.
func SharedMessageTableSize(z Sizes, n int) int { return 8 + n*(14+2*z.Offset) }

// DecodeSharedMessageIndexes reads the table of n indexes at c and verifies its
// checksum.
func DecodeSharedMessageIndexes(c *cursor.Cursor, z Sizes, n int) ([]SharedMessageIndex, error) {
	const structure = "shared object header message table"
	c.Signature("SMTB")
	if !c.Failed() && n > c.Len()/(14+2*z.Offset) {
		c.Corrupt("%d indexes do not fit %d bytes", n, c.Len())
	}
	if err := c.Err(structure); err != nil {
		return nil, err
	}
	indexes := make([]SharedMessageIndex, n)
	for i := range indexes {
		x := &indexes[i]
		c.Version(0, 0)
		kind := c.U8()
		if kind > 1 {
			c.Corrupt("index of type %d", kind)
		}
		x.BTree = kind == 1
		x.MessageTypes = c.U16()
		x.MinSize = c.U32()
		x.ListCutoff, x.BTreeCutoff, x.Messages = c.U16(), c.U16(), c.U16()
		x.Index, x.Heap = c.Addr(z.Offset), c.Addr(z.Offset)
	}
	c.Checksum()
	return indexes, c.Err(structure)
}

// SharedMessageRecord is a record of a shared message list, or of a version 2
// B-tree of type 7.
type SharedMessageRecord struct {
	InHeader bool // in an object header, else in the index's fractal heap
	Hash     uint32

	RefCount uint32 // in the heap
	ID       []byte // in the heap: heap ID, a part of the input

	Type   MessageType // in a header
	Number uint16      // in a header: counts the messages of its type
	Header uint64      // in a header
}

// SharedMessageRecordSize returns the bytes of a record.
func SharedMessageRecordSize(z Sizes) int { return 5 + max(4+SharedHeapID, 4+z.Offset) }

// DecodeSharedMessageRecord reads a record.
func DecodeSharedMessageRecord(c *cursor.Cursor, z Sizes) (SharedMessageRecord, error) {
	const structure = "shared message record"
	var r SharedMessageRecord
	body := c.Sub(SharedMessageRecordSize(z))
	location := body.U8()
	r.Hash = body.U32()
	switch location {
	case 0:
		r.RefCount = body.U32()
		r.ID = body.Bytes(SharedHeapID)
	case 1:
		r.InHeader = true
		body.Skip(1) // reserved
		r.Type = MessageType(body.U8())
		r.Number = body.U16()
		r.Header = body.Addr(z.Offset)
	default:
		body.Corrupt("message location %d", location)
	}
	c.Fail(body.Err(structure))
	return r, c.Err(structure)
}

// SharedMessageListSize returns the bytes in use of a list of n records.
func SharedMessageListSize(z Sizes, n int) int { return 8 + n*SharedMessageRecordSize(z) }

// DecodeSharedMessageList reads the list of n records at c and verifies its
// checksum.
func DecodeSharedMessageList(c *cursor.Cursor, z Sizes, n int) ([]SharedMessageRecord, error) {
	const structure = "shared message record list"
	c.Signature("SMLI")
	if !c.Failed() && n > c.Len()/SharedMessageRecordSize(z) {
		c.Corrupt("%d records do not fit %d bytes", n, c.Len())
	}
	if err := c.Err(structure); err != nil {
		return nil, err
	}
	records := make([]SharedMessageRecord, n)
	for i := range records {
		r, err := DecodeSharedMessageRecord(c, z)
		c.Fail(err)
		records[i] = r
	}
	c.Checksum()
	return records, c.Err(structure)
}
