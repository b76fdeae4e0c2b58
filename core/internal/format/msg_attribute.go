package format

import (
	"bytes"

	"clawh5/core/internal/cursor"
)

// Attribute is an attribute message (spec IV.A.2.m). Datatype and dataspace are
// messages of their own, which may be shared; they are kept as they are stored.
type Attribute struct {
	Name    string
	Charset CharacterSet
	Type    Message // of type MsgDatatype
	Space   Message // of type MsgDataspace

	// Data is the rest of the message: the value and maybe padding after it.
	Data       []byte
	DataOffset int64
}

// Flags of versions 2 and 3.
const (
	attributeTypeShared  = 1 << 0
	attributeSpaceShared = 1 << 1
)

// DecodeAttribute reads an attribute message.
func DecodeAttribute(c *cursor.Cursor, _ Sizes) (Attribute, error) {
	var a Attribute
	version := c.Version(1, 3)
	flags := c.U8()
	if version == 1 {
		flags = 0 // reserved
	}
	if flags&^(attributeTypeShared|attributeSpaceShared) != 0 {
		c.Unsupported("unknown flags %#x", flags)
	}
	nameLen := int(c.U16())
	typeLen := int(c.U16())
	spaceLen := int(c.U16())
	if version == 3 {
		a.Charset = charset(c, c.U8())
	}
	if name := a.part(c, version, nameLen); !c.Failed() {
		if nameLen == 0 || bytes.IndexByte(name, 0) != nameLen-1 {
			c.Corrupt("an attribute name that does not end after the %d bytes it should have", nameLen)
		} else {
			a.Name = string(name[:nameLen-1])
		}
	}
	a.Type = Message{Type: MsgDatatype, Flags: sharedIf(flags & attributeTypeShared), Offset: c.Offset()}
	a.Type.Body = a.part(c, version, typeLen)
	a.Space = Message{Type: MsgDataspace, Flags: sharedIf(flags & attributeSpaceShared), Offset: c.Offset()}
	a.Space.Body = a.part(c, version, spaceLen)
	a.DataOffset = c.Offset()
	a.Data = c.Rest()
	return a, c.Err("attribute message")
}

// part reads n bytes, which version 1 pads to a multiple of 8.
func (a *Attribute) part(c *cursor.Cursor, version uint8, n int) []byte {
	p := c.Bytes(n)
	if version == 1 {
		c.Skip(padTo8(n))
	}
	return p
}

// padTo8 returns the number of bytes from n to the next multiple of 8.
func padTo8(n int) int { return -n & 7 }

func sharedIf(flag uint8) MessageFlags {
	if flag != 0 {
		return FlagShared
	}
	return 0
}
