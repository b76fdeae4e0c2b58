package format

import "clawh5/core/internal/cursor"

// ObjectHeader is the prefix of an object header, version 1 or 2 (spec IV.A.1).
type ObjectHeader struct {
	Version     uint8
	Flags       uint8  // version 2, objectHeader* bits
	NumMessages uint16 // version 1: of all chunks together
	RefCount    uint32 // version 1; 1 in version 2, where a message may override it

	HasTimes                        bool // version 2
	Access, Modified, Change, Birth uint32

	// MaxCompact and MinDense are the attribute phase change values.
	MaxCompact, MinDense uint16

	ChunkSize  uint64 // bytes of messages in the first chunk
	PrefixSize int    // bytes before the first message
}

// Flags of a version 2 object header.
const (
	objectHeaderSizeWidth   = 0x03
	objectHeaderTracksOrder = 0x04
	objectHeaderIndexOrder  = 0x08
	objectHeaderPhaseChange = 0x10
	objectHeaderTimes       = 0x20
	objectHeaderKnownFlags  = 0x3f
)

const (
	objectHeaderSignature      = "OHDR"
	objectHeaderChunkSignature = "OCHK"

	// ObjectHeaderPrefixMax is a number of bytes that holds any prefix.
	ObjectHeaderPrefixMax = 34

	defaultMaxCompact = 8
	defaultMinDense   = 6
)

// TracksAttributeOrder reports whether messages carry a creation order.
func (h *ObjectHeader) TracksAttributeOrder() bool { return h.Flags&objectHeaderTracksOrder != 0 }

// IndexesAttributeOrder reports whether dense attributes are indexed by it.
func (h *ObjectHeader) IndexesAttributeOrder() bool { return h.Flags&objectHeaderIndexOrder != 0 }

// FirstChunkBytes returns the bytes from the header's address to the end of its
// first chunk, checksum included, and whether they fit 64 bits.
func (h *ObjectHeader) FirstChunkBytes() (uint64, bool) {
	return cursor.Add(h.ChunkSize, uint64(h.PrefixSize+h.checksumSize()))
}

func (h *ObjectHeader) checksumSize() int {
	if h.Version == 1 {
		return 0
	}
	return 4
}

// DecodeObjectHeader reads the prefix at c, which may end after
// ObjectHeaderPrefixMax bytes or anywhere later.
func DecodeObjectHeader(c *cursor.Cursor) (ObjectHeader, error) {
	start := c.Pos()
	h := ObjectHeader{Version: 1, RefCount: 1, MaxCompact: defaultMaxCompact, MinDense: defaultMinDense}
	// Version 1 has no signature: its first byte is the version.
	switch first := c.U8(); {
	case c.Failed():
	case first == objectHeaderSignature[0]:
		h.decodeV2(c)
	case first == 1:
		h.decodeV1(c)
	default:
		c.Corrupt("first byte %#02x, neither version 1 nor a signature", first)
	}
	h.PrefixSize = c.Pos() - start
	return h, c.Err("object header")
}

func (h *ObjectHeader) decodeV1(c *cursor.Cursor) {
	c.Skip(1) // reserved
	h.NumMessages = c.U16()
	h.RefCount = c.U32()
	h.ChunkSize = uint64(c.U32())
	c.Skip(4) // padding
}

func (h *ObjectHeader) decodeV2(c *cursor.Cursor) {
	c.Signature(objectHeaderSignature[1:])
	h.Version = c.Version(2, 2)
	h.Flags = c.U8()
	if h.Flags&^objectHeaderKnownFlags != 0 {
		c.Corrupt("object header flags %#02x have unknown bits", h.Flags)
	}
	if h.Flags&objectHeaderTimes != 0 {
		h.HasTimes = true
		h.Access, h.Modified, h.Change, h.Birth = c.U32(), c.U32(), c.U32(), c.U32()
	}
	if h.Flags&objectHeaderPhaseChange != 0 {
		h.MaxCompact, h.MinDense = c.U16(), c.U16()
	}
	h.ChunkSize = c.Uint(1 << (h.Flags & objectHeaderSizeWidth))
}

// FirstChunkMessages appends the messages of the first chunk to dst. The cursor
// stands at the start of the header and ends with its first chunk. A version 2
// chunk's checksum is verified.
func (h *ObjectHeader) FirstChunkMessages(c *cursor.Cursor, dst []Message) ([]Message, error) {
	c.Skip(h.PrefixSize)
	n, ok := cursor.ToInt(h.ChunkSize)
	if !ok {
		n = -1 // which is refused as too long
	}
	return h.messages(c, n, dst, "object header")
}

// ContinuationMessages appends the messages of a continuation chunk to dst. The
// cursor spans exactly that chunk.
func (h *ObjectHeader) ContinuationMessages(c *cursor.Cursor, dst []Message) ([]Message, error) {
	if h.Version > 1 {
		c.Signature(objectHeaderChunkSignature)
	}
	return h.messages(c, c.Len()-h.checksumSize(), dst, "object header continuation block")
}

// messages reads n bytes of messages and the checksum that follows them.
func (h *ObjectHeader) messages(c *cursor.Cursor, n int, dst []Message, structure string) ([]Message, error) {
	body := c.Sub(n)
	if h.Version > 1 {
		c.Checksum()
	}
	if err := c.Err(structure); err != nil {
		return dst, err
	}
	// What remains and is too short for a message is a gap.
	for prefix := h.messagePrefix(); body.Len() >= prefix; {
		m := h.message(body)
		if err := body.Err(structure); err != nil {
			return dst, err
		}
		dst = append(dst, m)
	}
	return dst, nil
}

func (h *ObjectHeader) messagePrefix() int {
	switch {
	case h.Version == 1:
		return 8
	case h.TracksAttributeOrder():
		return 6
	}
	return 4
}

func (h *ObjectHeader) message(c *cursor.Cursor) Message {
	var m Message
	var size int
	if h.Version == 1 {
		m.Type, size, m.Flags = MessageType(c.U16()), int(c.U16()), MessageFlags(c.U8())
		c.Skip(3) // reserved
		if size%8 != 0 {
			c.Corrupt("a message of %d bytes, not a multiple of 8", size)
		}
	} else {
		m.Type, size, m.Flags = MessageType(c.U8()), int(c.U16()), MessageFlags(c.U8())
		if h.TracksAttributeOrder() {
			m.CreationOrder = c.U16()
		}
	}
	m.Offset = c.Offset()
	m.Body = c.Bytes(size)
	return m
}
