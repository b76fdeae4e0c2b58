package format

import (
	"math"

	"clawh5/core/internal/cursor"
)

// DenseStorage tells where the links of a group or the attributes of an object
// lie when there are too many for the object header. Addresses are Undefined
// when there are few.
type DenseStorage struct {
	OrderTracked bool
	OrderIndexed bool
	Heap         uint64 // fractal heap of the messages
	NameTree     uint64 // version 2 B-tree by the hash of the name
	OrderTree    uint64 // version 2 B-tree by creation order, if OrderIndexed
}

// Dense reports whether the dense storage is in use.
func (d *DenseStorage) Dense() bool { return d.Heap != Undefined }

const (
	orderTracked = 1 << 0
	orderIndexed = 1 << 1
)

func (d *DenseStorage) flags(c *cursor.Cursor) {
	flags := c.U8()
	if flags&^(orderTracked|orderIndexed) != 0 {
		c.Unsupported("unknown flags %#x", flags)
	}
	d.OrderTracked = flags&orderTracked != 0
	d.OrderIndexed = flags&orderIndexed != 0
}

func (d *DenseStorage) addresses(c *cursor.Cursor, z Sizes) {
	d.Heap = c.Addr(z.Offset)
	d.NameTree = c.Addr(z.Offset)
	d.OrderTree = Undefined
	if d.OrderIndexed {
		d.OrderTree = c.Addr(z.Offset)
	}
}

// LinkInfo is a link info message (spec IV.A.2.c).
type LinkInfo struct {
	DenseStorage
	MaxOrder int64 // the creation order of the next link, if OrderTracked
}

// DecodeLinkInfo reads a link info message.
func DecodeLinkInfo(c *cursor.Cursor, z Sizes) (LinkInfo, error) {
	var l LinkInfo
	c.Version(0, 0)
	l.flags(c)
	if l.OrderTracked {
		order := c.U64()
		if order > math.MaxInt64 {
			c.Corrupt("negative creation order")
		}
		l.MaxOrder = int64(order)
	}
	l.addresses(c, z)
	return l, c.Err("link info message")
}
