package format

import "clawh5/core/internal/cursor"

// DriverInfo is a driver info message (spec IV.A.2.u) of the superblock
// extension: the file was written as several ones.
type DriverInfo struct {
	Driver string // 8 bytes: "NCSAfami", "NCSAmult"
	Data   []byte // a part of the input
}

// DecodeDriverInfo reads a driver info message.
func DecodeDriverInfo(c *cursor.Cursor, _ Sizes) (DriverInfo, error) {
	c.Version(0, 0)
	d := DriverInfo{Driver: string(c.Bytes(8))}
	d.Data = c.Bytes(int(c.U16()))
	return d, c.Err("driver info message")
}
