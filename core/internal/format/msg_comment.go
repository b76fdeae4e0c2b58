package format

import (
	"bytes"

	"clawh5/core/internal/cursor"
)

// Comment is an object comment message (spec IV.A.2.n).
type Comment string

// DecodeComment reads an object comment message.
func DecodeComment(c *cursor.Cursor, _ Sizes) (Comment, error) {
	s, _, _ := bytes.Cut(c.Rest(), []byte{0})
	return Comment(s), c.Err("object comment message")
}
