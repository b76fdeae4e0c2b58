package format

import "clawh5/core/internal/cursor"

// DriverInfoBlock is the driver information block (spec II.B), which files of the
// family and multi drivers have.
type DriverInfoBlock struct {
	Driver string // 8 bytes: "NCSAfami", "NCSAmult"
	Data   []byte // a part of the input
}

// DriverInfoPrefix is the number of bytes before the driver's own data.
const DriverInfoPrefix = 16

// DecodeDriverInfoBlock reads the block at c.
func DecodeDriverInfoBlock(c *cursor.Cursor) (DriverInfoBlock, error) {
	c.Version(0, 0)
	c.Skip(3) // reserved
	n, ok := cursor.ToInt(uint64(c.U32()))
	if !ok {
		c.Corrupt("driver information of more than 2 GiB")
	}
	d := DriverInfoBlock{Driver: string(c.Bytes(8)), Data: c.Bytes(n)}
	return d, c.Err("driver information block")
}
