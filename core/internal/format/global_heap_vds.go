package format

import "clawh5/core/internal/cursor"

// VirtualMapping maps a part of a source dataset to a part of a virtual one
// (spec III.F).
type VirtualMapping struct {
	File             string // "." is the file of the virtual dataset
	Dataset          string
	SourceSelection  EncodedSelection
	VirtualSelection EncodedSelection
}

// Flags of an entry of version 1: names are stored once.
const (
	vdsFileShared    = 1 << 0 // the index of the entry with the name, in place of it
	vdsDatasetShared = 1 << 1
	vdsSameFile      = 1 << 2 // no name: "."
)

const virtualTitle = "global heap block for virtual datasets"

// minMappingSize is the least an entry takes: two empty names or none, and two
// selections.
const minMappingSize = 2 * 16

// DecodeVirtualMappings reads the block that maps a virtual dataset.
func DecodeVirtualMappings(c *cursor.Cursor, z Sizes) ([]VirtualMapping, error) {
	version := c.Version(0, 1)
	n := c.Uint(z.Length)
	if n > uint64(c.Len()/minMappingSize) {
		c.Corrupt("%d mappings in %d bytes", n, c.Len())
	}
	if c.Failed() {
		return nil, c.Err(virtualTitle)
	}
	mappings := make([]VirtualMapping, 0, n)
	for range int(n) {
		m := VirtualMapping{File: "."}
		var flags uint8
		if version > 0 {
			flags = c.U8()
		}
		if flags&^(vdsFileShared|vdsDatasetShared|vdsSameFile) != 0 {
			c.Unsupported("unknown flags %#x", flags)
		}
		if flags&vdsSameFile == 0 {
			m.File = sharedName(c, z, flags&vdsFileShared, mappings, func(m *VirtualMapping) string { return m.File })
		}
		m.Dataset = sharedName(c, z, flags&vdsDatasetShared, mappings, func(m *VirtualMapping) string { return m.Dataset })
		m.SourceSelection = decodeSelection(c)
		m.VirtualSelection = decodeSelection(c)
		if c.Failed() {
			return nil, c.Err(virtualTitle)
		}
		mappings = append(mappings, m)
	}
	c.Checksum()
	return mappings, c.Err(virtualTitle)
}

// sharedName reads a name, or the index of the earlier mapping that has it.
func sharedName(c *cursor.Cursor, z Sizes, shared uint8, earlier []VirtualMapping, name func(*VirtualMapping) string) string {
	if shared == 0 {
		return string(c.CString())
	}
	i := c.Uint(z.Length)
	if i >= uint64(len(earlier)) {
		c.Corrupt("mapping %d has the name of mapping %d", len(earlier), i)
		return ""
	}
	return name(&earlier[i])
}
