package format

import (
	"strconv"

	"clawh5/core/internal/cursor"
)

// MessageType is the type of an object header message (spec IV.A.2).
type MessageType uint16

const (
	MsgNil            MessageType = 0x00
	MsgDataspace      MessageType = 0x01
	MsgLinkInfo       MessageType = 0x02
	MsgDatatype       MessageType = 0x03
	MsgFillValueOld   MessageType = 0x04
	MsgFillValue      MessageType = 0x05
	MsgLink           MessageType = 0x06
	MsgExternalFiles  MessageType = 0x07
	MsgLayout         MessageType = 0x08
	MsgBogus          MessageType = 0x09
	MsgGroupInfo      MessageType = 0x0a
	MsgFilterPipeline MessageType = 0x0b
	MsgAttribute      MessageType = 0x0c
	MsgComment        MessageType = 0x0d
	MsgModTimeOld     MessageType = 0x0e
	MsgSharedTable    MessageType = 0x0f
	MsgContinuation   MessageType = 0x10
	MsgSymbolTable    MessageType = 0x11
	MsgModTime        MessageType = 0x12
	MsgBTreeK         MessageType = 0x13
	MsgDriverInfo     MessageType = 0x14
	MsgAttributeInfo  MessageType = 0x15
	MsgRefCount       MessageType = 0x16
	MsgFileSpaceInfo  MessageType = 0x17
	MsgCacheImage     MessageType = 0x18
)

// titles are the names of the structures in errors, by message type.
var titles = [...]string{
	"NIL message", "dataspace message", "link info message", "datatype message",
	"fill value (old) message", "fill value message", "link message",
	"external data files message", "data layout message", "bogus message", "group info message",
	"filter pipeline message", "attribute message", "object comment message",
	"object modification time (old) message", "shared message table message",
	"object header continuation message", "symbol table message",
	"object modification time message", "B-tree 'K' values message", "driver info message",
	"attribute info message", "object reference count message", "file space info message",
	"metadata cache image message",
}

// String returns the title of the message in the specification.
func (t MessageType) String() string {
	if int(t) < len(titles) {
		return titles[t]
	}
	return "message of type " + strconv.Itoa(int(t))
}

// Known reports whether the specification defines t.
func (t MessageType) Known() bool { return int(t) < len(titles) && t != MsgBogus }

// MessageFlags are the flags of a message (spec IV.A.1.a, Header Message Flags).
type MessageFlags uint8

const (
	FlagConstant         MessageFlags = 1 << 0
	FlagShared           MessageFlags = 1 << 1 // the body is a Shared
	FlagDontShare        MessageFlags = 1 << 2
	FlagFailUnknownWrite MessageFlags = 1 << 3
	FlagMarkUnknown      MessageFlags = 1 << 4
	FlagWasUnknown       MessageFlags = 1 << 5
	FlagShareable        MessageFlags = 1 << 6
	FlagFailUnknown      MessageFlags = 1 << 7 // also when only reading
)

// Message is one message of an object header, its body not yet decoded:
// listing a group touches a few of the messages of each header only.
type Message struct {
	Type          MessageType
	Flags         MessageFlags
	CreationOrder uint16 // version 2 headers that track attribute creation order
	Body          []byte // a part of the chunk's bytes
	Offset        int64  // of Body in the file
}

// Shared reports whether the body is a Shared instead of the message.
func (m *Message) Shared() bool { return m.Flags&FlagShared != 0 }

// Cursor returns a cursor over the body.
func (m *Message) Cursor() *cursor.Cursor { return cursor.New(m.Body, m.Offset) }

// Body is a decoded message body: *Datatype, Dataspace, Layout, … and nothing
// from outside of this package.
type Body interface{ messageBody() }

// Raw is the body of a message that has no structure or is not known.
type Raw []byte

func (Dataspace) messageBody()          {}
func (LinkInfo) messageBody()           {}
func (*Datatype) messageBody()          {}
func (FillValue) messageBody()          {}
func (Link) messageBody()               {}
func (ExternalFiles) messageBody()      {}
func (Layout) messageBody()             {}
func (GroupInfo) messageBody()          {}
func (FilterPipeline) messageBody()     {}
func (Attribute) messageBody()          {}
func (Comment) messageBody()            {}
func (ModificationTime) messageBody()   {}
func (SharedMessageTable) messageBody() {}
func (Continuation) messageBody()       {}
func (SymbolTable) messageBody()        {}
func (BTreeK) messageBody()             {}
func (DriverInfo) messageBody()         {}
func (AttributeInfo) messageBody()      {}
func (ReferenceCount) messageBody()     {}
func (FileSpaceInfo) messageBody()      {}
func (CacheImage) messageBody()         {}
func (Shared) messageBody()             {}
func (Raw) messageBody()                {}

// Decode decodes the body of m; that of a shared message is a Shared. Callers
// that know which type they want use the function of that type.
func (m *Message) Decode(z Sizes) (Body, error) {
	c := m.Cursor()
	if m.Shared() {
		return body(DecodeShared(c, z))
	}
	switch m.Type {
	case MsgDataspace:
		return body(DecodeDataspace(c, z))
	case MsgLinkInfo:
		return body(DecodeLinkInfo(c, z))
	case MsgDatatype:
		return body(DecodeDatatype(c, z))
	case MsgFillValueOld:
		return body(DecodeFillValueOld(c, z))
	case MsgFillValue:
		return body(DecodeFillValue(c, z))
	case MsgLink:
		return body(DecodeLink(c, z))
	case MsgExternalFiles:
		return body(DecodeExternalFiles(c, z))
	case MsgLayout:
		return body(DecodeLayout(c, z))
	case MsgGroupInfo:
		return body(DecodeGroupInfo(c, z))
	case MsgFilterPipeline:
		return body(DecodeFilterPipeline(c, z))
	case MsgAttribute:
		return body(DecodeAttribute(c, z))
	case MsgComment:
		return body(DecodeComment(c, z))
	case MsgModTimeOld:
		return body(DecodeModificationTimeOld(c, z))
	case MsgSharedTable:
		return body(DecodeSharedMessageTable(c, z))
	case MsgContinuation:
		return body(DecodeContinuation(c, z))
	case MsgSymbolTable:
		return body(DecodeSymbolTable(c, z))
	case MsgModTime:
		return body(DecodeModificationTime(c, z))
	case MsgBTreeK:
		return body(DecodeBTreeK(c, z))
	case MsgDriverInfo:
		return body(DecodeDriverInfo(c, z))
	case MsgAttributeInfo:
		return body(DecodeAttributeInfo(c, z))
	case MsgRefCount:
		return body(DecodeReferenceCount(c, z))
	case MsgFileSpaceInfo:
		return body(DecodeFileSpaceInfo(c, z))
	case MsgCacheImage:
		return body(DecodeCacheImage(c, z))
	}
	if !m.Type.Known() && m.Flags&FlagFailUnknown != 0 {
		c.Unsupported("a message of unknown type %#x, which forbids to read the object without it", uint16(m.Type))
		return nil, c.Err("object header")
	}
	return Raw(m.Body), nil
}

func body[T Body](v T, err error) (Body, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}
