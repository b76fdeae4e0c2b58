package format

import (
	"bytes"
	"math"

	"clawh5/core/internal/cursor"
)

// LinkType is the type of a link.
type LinkType uint8

const (
	HardLink     LinkType = 0
	SoftLink     LinkType = 1
	ExternalLink LinkType = 64
	UserLink     LinkType = 65 // this and all higher ones; UserType has the number
)

// Link is a link message (spec IV.A.2.g).
type Link struct {
	Name     string
	Charset  CharacterSet
	Type     LinkType
	UserType uint8  // user-defined: the number of the type, 65 to 255
	Addr     uint64 // hard: object header
	Target   string // soft: path; external: path in File
	File     string // external
	UserData []byte // user-defined
	Order    int64
	HasOrder bool
}

// Flags of a link message; the lowest two bits give the size of the length of
// the name.
const (
	linkHasOrder   = 1 << 2
	linkHasType    = 1 << 3
	linkHasCharset = 1 << 4
	linkAllFlags   = 0x1f
)

// DecodeLink reads a link message.
func DecodeLink(c *cursor.Cursor, z Sizes) (Link, error) {
	var l Link
	l.Addr = Undefined
	c.Version(1, 1)
	flags := c.U8()
	if flags&^linkAllFlags != 0 {
		c.Unsupported("unknown flags %#x", flags)
	}
	if flags&linkHasType != 0 {
		l.setType(c, c.U8())
	}
	if flags&linkHasOrder != 0 {
		l.Order = int64(c.U64())
		l.HasOrder = true
	}
	if flags&linkHasCharset != 0 {
		l.Charset = charset(c, c.U8())
	}
	l.Name = linkName(c, c.Uint(1<<(flags&3)))
	switch l.Type {
	case HardLink:
		l.Addr = c.Addr(z.Offset)
	case SoftLink:
		if l.Target = linkName(c, uint64(c.U16())); l.Target == "" {
			c.Corrupt("a soft link without a target")
		}
	case ExternalLink:
		l.external(c.Sub(int(c.U16())), c)
	case UserLink:
		l.UserData = c.Bytes(int(c.U16()))
	}
	return l, c.Err("link message")
}

func (l *Link) setType(c *cursor.Cursor, t uint8) {
	switch {
	case t <= uint8(SoftLink) || t == uint8(ExternalLink):
		l.Type = LinkType(t)
	case t >= uint8(UserLink):
		l.Type, l.UserType = UserLink, t
	default:
		c.Unsupported("link of type %d", t)
	}
}

// external reads the value v of an external link, which tells file and path.
func (l *Link) external(v, c *cursor.Cursor) {
	if b := v.U8(); b != 0 {
		v.Unsupported("external link of version %d with flags %#x", b>>4, b&0xf)
	}
	l.File = string(v.CString())
	l.Target = string(v.CString())
	c.Fail(v.Err("external link"))
}

// linkName reads n bytes, which are the whole name without a terminator.
func linkName(c *cursor.Cursor, n uint64) string {
	if n == 0 || n > math.MaxInt32 {
		c.Corrupt("a name of %d bytes", n)
	}
	p := c.Bytes(int(n))
	if bytes.IndexByte(p, 0) >= 0 {
		c.Corrupt("a NUL in a name of %d bytes", n)
	}
	return string(p)
}

func charset(c *cursor.Cursor, v uint8) CharacterSet {
	if v > uint8(UTF8) {
		c.Unsupported("character set %d", v)
	}
	return CharacterSet(v)
}
