package format

import (
	"time"

	"clawh5/core/internal/cursor"
)

// ModificationTime is an object modification time message (spec IV.A.2.o,
// IV.A.2.s): seconds since 1970-01-01 UTC.
type ModificationTime int64

// DecodeModificationTime reads an object modification time message.
func DecodeModificationTime(c *cursor.Cursor, _ Sizes) (ModificationTime, error) {
	c.Version(1, 1)
	c.Skip(3) // reserved
	return ModificationTime(c.U32()), c.Err("object modification time message")
}

// DecodeModificationTimeOld reads the date in text form of version 1.6.0 and
// before: the 14 digits of YYYYMMDDhhmmss.
func DecodeModificationTimeOld(c *cursor.Cursor, _ Sizes) (ModificationTime, error) {
	const title = "object modification time (old) message"
	var field [6]int
	for i := range field {
		digits := 2
		if i == 0 {
			digits = 4
		}
		for _, b := range c.Bytes(digits) {
			if b < '0' || b > '9' {
				c.Corrupt("a date with a byte %#x in place of a digit", b)
			}
			field[i] = 10*field[i] + int(b-'0')
		}
	}
	if c.Failed() {
		return 0, c.Err(title)
	}
	t := time.Date(field[0], time.Month(field[1]), field[2], field[3], field[4], field[5], 0, time.UTC)
	return ModificationTime(t.Unix()), nil
}
