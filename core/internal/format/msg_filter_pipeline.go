package format

// FilterDescription is one filter of a filter pipeline message (spec IV.A.2.l).
type FilterDescription struct {
	ID       uint16
	Name     string // as stored; may be empty
	Optional bool   // a chunk may have been written without it (flag bit 0)
	Params   []uint32
}
