package format

import "clawh5/core/internal/cursor"

// BTreeV2Type is what the records of a version 2 B-tree describe.
type BTreeV2Type uint8

const (
	HugeIndirectRecords         BTreeV2Type = 1
	HugeIndirectFilteredRecords BTreeV2Type = 2
	HugeDirectRecords           BTreeV2Type = 3
	HugeDirectFilteredRecords   BTreeV2Type = 4
	LinkNameRecords             BTreeV2Type = 5
	LinkOrderRecords            BTreeV2Type = 6
	SharedMessageRecords        BTreeV2Type = 7
	AttributeNameRecords        BTreeV2Type = 8
	AttributeOrderRecords       BTreeV2Type = 9
	ChunkRecords                BTreeV2Type = 10
	FilteredChunkRecords        BTreeV2Type = 11
)

// Lengths of heap IDs in records.
const (
	LinkHeapID      = 7
	AttributeHeapID = 8
	SharedHeapID    = 8
)

// LinkNameRecord is a record of type 5: in order of hash, then of name.
type LinkNameRecord struct {
	Hash uint32 // cursor.Lookup3 of the name
	ID   []byte // heap ID of the link message; a part of the input
}

// DecodeLinkNameRecord reads a record of type 5.
func DecodeLinkNameRecord(c *cursor.Cursor) (LinkNameRecord, error) {
	r := LinkNameRecord{Hash: c.U32(), ID: c.Bytes(LinkHeapID)}
	return r, c.Err("link name record")
}

// LinkOrderRecord is a record of type 6.
type LinkOrderRecord struct {
	Order uint64
	ID    []byte
}

// DecodeLinkOrderRecord reads a record of type 6.
func DecodeLinkOrderRecord(c *cursor.Cursor) (LinkOrderRecord, error) {
	r := LinkOrderRecord{Order: c.U64(), ID: c.Bytes(LinkHeapID)}
	return r, c.Err("link creation order record")
}

// AttributeRecord is a record of type 8, in order of hash and then of name, or
// of type 9, in creation order, where Hash is zero.
type AttributeRecord struct {
	ID    []byte // heap ID of the attribute message
	Flags uint8  // message flags: a shared one is found in the shared message heap
	Order uint32
	Hash  uint32
}

// DecodeAttributeRecord reads a record of type 8 or 9.
func DecodeAttributeRecord(c *cursor.Cursor, t BTreeV2Type) (AttributeRecord, error) {
	r := AttributeRecord{ID: c.Bytes(AttributeHeapID), Flags: c.U8(), Order: c.U32()}
	if t == AttributeNameRecords {
		r.Hash = c.U32()
	}
	return r, c.Err("attribute record")
}

// HugeRecord is a record of types 1 to 4: a huge object of a fractal heap.
type HugeRecord struct {
	Addr uint64
	Size uint64 // stored
	Mask uint32 // filtered: filters that were skipped
	Full uint64 // bytes of the object: Size if not filtered
	Key  uint64 // indirectly accessed: what the heap ID holds
}

// DecodeHugeRecord reads a record of type 1, 2, 3 or 4.
func DecodeHugeRecord(c *cursor.Cursor, z Sizes, t BTreeV2Type) (HugeRecord, error) {
	r := decodeHuge(c, z, t == HugeIndirectFilteredRecords || t == HugeDirectFilteredRecords)
	if t == HugeIndirectRecords || t == HugeIndirectFilteredRecords {
		r.Key = c.Uint(z.Length)
	}
	return r, c.Err("huge object record")
}

func decodeHuge(c *cursor.Cursor, z Sizes, filtered bool) HugeRecord {
	r := HugeRecord{Addr: c.Addr(z.Offset), Size: c.Uint(z.Length)}
	r.Full = r.Size
	if filtered {
		r.Mask = c.U32()
		r.Full = c.Uint(z.Length)
	}
	return r
}

// ChunkRecordLayout tells where the fields of a record of type 10 or 11 lie.
// Chunk indexes hold many records, which are read in place.
type ChunkRecordLayout struct {
	Rank      int
	Filtered  bool
	addrWidth int
	sizeWidth int
}

// NewChunkRecordLayout checks the record size of a chunk index.
func NewChunkRecordLayout(h *BTreeV2Header, z Sizes, rank int) (ChunkRecordLayout, bool) {
	l := ChunkRecordLayout{Rank: rank, Filtered: h.Type == FilteredChunkRecords, addrWidth: z.Offset}
	switch h.Type {
	case ChunkRecords:
	case FilteredChunkRecords:
		l.sizeWidth = int(h.RecordSize) - z.Offset - 4 - 8*rank
		if l.sizeWidth < 1 || l.sizeWidth > 8 {
			return l, false
		}
	default:
		return l, false
	}
	return l, l.coordinates()+8*rank == int(h.RecordSize)
}

// coordinates returns the offset of the scaled coordinates in a record.
func (l *ChunkRecordLayout) coordinates() int {
	if l.Filtered {
		return l.addrWidth + l.sizeWidth + 4
	}
	return l.addrWidth
}

// Scaled returns coordinate d, in units of chunks, of a record.
func (l *ChunkRecordLayout) Scaled(rec []byte, d int) uint64 {
	at := l.coordinates() + 8*d
	return littleEndian(rec[at : at+8])
}

// Addr returns the address of a record's chunk.
func (l *ChunkRecordLayout) Addr(rec []byte) uint64 { return cursor.New(rec, 0).Addr(l.addrWidth) }

// Stored returns the stored bytes and filter mask of a filtered chunk's record.
func (l *ChunkRecordLayout) Stored(rec []byte) (size uint64, mask uint32) {
	at := l.addrWidth + l.sizeWidth
	return littleEndian(rec[l.addrWidth:at]), uint32(littleEndian(rec[at : at+4]))
}

func littleEndian(p []byte) uint64 {
	var v uint64
	for i, b := range p {
		v |= uint64(b) << (8 * i)
	}
	return v
}
