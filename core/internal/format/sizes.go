package format

import "clawh5/core/internal/cursor"

// Undefined is the undefined address.
const Undefined = cursor.Undefined

// Sizes holds the widths of the superblock that every other structure needs.
type Sizes struct {
	Offset int // bytes of an address ("size of offsets")
	Length int // bytes of a length ("size of lengths")
}
