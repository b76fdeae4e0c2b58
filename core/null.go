package core

import "clawh5/core/internal/variable"

// NullOffset is the offset in the slot of an element of variable length that is
// NULL, in a file with Options.MarkNull.
const NullOffset = variable.NullOffset

// heap returns where the data of variable-length elements is.
func (f *File) heap() variable.Heap {
	if f.options.MarkNull {
		return variable.MarkingNull{Heap: f.objects}
	}
	return f.objects
}
