package core

// Raw returns the elements and the heap of v.
func (v *Values) Raw() (data, heap []byte) { return v.data, v.heap }
