package core

import "clawh5/core/internal/format"

// ItemSize returns the bytes that one item of a string or sequence takes in the
// heap that ReadVariable returns; 0 where the elements are neither, or where
// the items hold variable-length data themselves.
func (d *Dataset) ItemSize() uint64 {
	t := d.info.Type
	switch {
	case t.VariableString:
		return 1
	case t.Class != format.VariableLength || t.Base.HasVariableLength():
		return 0
	}
	return memorySize(t.Base)
}
