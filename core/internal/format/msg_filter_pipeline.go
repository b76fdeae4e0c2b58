package format

import (
	"bytes"

	"clawh5/core/internal/cursor"
)

// FilterDescription is one filter of a filter pipeline message (spec IV.A.2.l).
type FilterDescription struct {
	ID       uint16
	Name     string // as stored; may be empty
	Optional bool   // a chunk may have been written without it (flag bit 0)
	Params   []uint32
}

// FilterPipeline is a filter pipeline message, in the order of writing.
type FilterPipeline []FilterDescription

const (
	maxFilters          = 32  // of a pipeline
	firstNamedFilter    = 256 // version 2 leaves out the names of lower ones
	filterOptional      = 1 << 0
	filterPipelineTitle = "filter pipeline message"
)

// DecodeFilterPipeline reads a filter pipeline message.
func DecodeFilterPipeline(c *cursor.Cursor, _ Sizes) (FilterPipeline, error) {
	version := c.Version(1, 2)
	n := int(c.U8())
	if n > maxFilters {
		c.Corrupt("%d filters, the highest number is %d", n, maxFilters)
	}
	if version == 1 {
		c.Skip(6) // reserved
	}
	if c.Failed() {
		return nil, c.Err(filterPipelineTitle)
	}
	p := make(FilterPipeline, n)
	for i := range p {
		p[i].decode(c, version)
		if c.Failed() {
			return nil, c.Err(filterPipelineTitle)
		}
	}
	return p, nil
}

func (f *FilterDescription) decode(c *cursor.Cursor, version uint8) {
	f.ID = c.U16()
	nameLen := 0
	if version == 1 || f.ID >= firstNamedFilter {
		nameLen = int(c.U16())
	}
	f.Optional = c.U16()&filterOptional != 0
	params := int(c.U16())
	name, _, _ := bytes.Cut(c.Bytes(nameLen), []byte{0})
	f.Name = string(name)
	if version == 1 && nameLen%8 != 0 {
		c.Corrupt("a filter name of %d bytes, which is no multiple of 8", nameLen)
	}
	if c.Len() < 4*params {
		c.Skip(4 * params)
		return
	}
	f.Params = make([]uint32, params)
	for i := range f.Params {
		f.Params[i] = c.U32()
	}
	if version == 1 && params%2 != 0 {
		c.Skip(min(4, c.Len())) // padding, missing in some files at the end
	}
}
