package format

import "clawh5/core/internal/cursor"

// AttributeInfo is an attribute info message (spec IV.A.2.v).
type AttributeInfo struct {
	DenseStorage
	MaxOrder uint16 // the creation order of the next attribute, if OrderTracked
}

// DecodeAttributeInfo reads an attribute info message.
func DecodeAttributeInfo(c *cursor.Cursor, z Sizes) (AttributeInfo, error) {
	var a AttributeInfo
	c.Version(0, 0)
	a.flags(c)
	if a.OrderTracked {
		a.MaxOrder = c.U16()
	}
	a.addresses(c, z)
	return a, c.Err("attribute info message")
}
