package format

import "clawh5/core/internal/cursor"

// Continuation is an object header continuation message (spec IV.A.2.q).
type Continuation struct {
	Addr   uint64
	Length uint64
}

// DecodeContinuation reads an object header continuation message.
func DecodeContinuation(c *cursor.Cursor, z Sizes) (Continuation, error) {
	n := Continuation{Addr: c.Addr(z.Offset), Length: c.Uint(z.Length)}
	if n.Addr == Undefined || n.Length == 0 {
		c.Corrupt("a continuation that leads nowhere")
	}
	return n, c.Err("object header continuation message")
}
