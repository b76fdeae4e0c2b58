package format

import "clawh5/core/internal/cursor"

// ReferenceCount is an object reference count message (spec IV.A.2.w): the
// number of hard links to an object, if it is not 1.
type ReferenceCount uint32

// DecodeReferenceCount reads an object reference count message.
func DecodeReferenceCount(c *cursor.Cursor, _ Sizes) (ReferenceCount, error) {
	c.Version(0, 0)
	return ReferenceCount(c.U32()), c.Err("object reference count message")
}
