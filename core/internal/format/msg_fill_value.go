package format

import "clawh5/core/internal/cursor"

// FillState tells whether a fill value exists.
type FillState uint8

const (
	FillDefault   FillState = iota // zeros
	FillDefined                    // Value
	FillUndefined                  // the writer left it undefined
)

// FillValue is a fill value message (spec IV.A.2.e, IV.A.2.f).
type FillValue struct {
	State     FillState
	AllocTime uint8  // 1 early, 2 late, 3 incremental; 0 not stored
	WriteTime uint8  // 0 on allocation, 1 never, 2 if set by the user
	Value     []byte // one element in the file's datatype, if FillDefined
}

// Flags of version 3.
const (
	fillUndefined = 1 << 4
	fillDefined   = 1 << 5
)

// DecodeFillValue reads a fill value message.
func DecodeFillValue(c *cursor.Cursor, _ Sizes) (FillValue, error) {
	var f FillValue
	if c.Version(1, 3) < 3 {
		f.AllocTime = c.U8()
		f.WriteTime = c.U8()
		if c.U8() == 0 {
			f.State = FillUndefined
		} else {
			f.value(c)
		}
		return f, c.Err("fill value message")
	}
	flags := c.U8()
	f.AllocTime = flags & 3
	f.WriteTime = flags >> 2 & 3
	switch flags &^ 0xf {
	case 0:
	case fillUndefined:
		f.State = FillUndefined
	case fillDefined:
		f.value(c)
	case fillUndefined | fillDefined:
		c.Corrupt("the fill value is marked as defined and as undefined")
	default:
		c.Unsupported("unknown flags %#x", flags)
	}
	return f, c.Err("fill value message")
}

// DecodeFillValueOld reads a fill value message as it was before version 1.6
// of the library; it stands only where the user had set a value.
func DecodeFillValueOld(c *cursor.Cursor, _ Sizes) (FillValue, error) {
	f := FillValue{AllocTime: 2, WriteTime: 2}
	f.value(c)
	if f.State == FillDefault {
		f.State = FillUndefined
	}
	return f, c.Err("fill value (old) message")
}

// value reads size and value; a negative size means undefined.
func (f *FillValue) value(c *cursor.Cursor) {
	switch size := int32(c.U32()); {
	case size < 0:
		f.State = FillUndefined
	case size > 0:
		f.State = FillDefined
		f.Value = c.Bytes(int(size))
	}
}
