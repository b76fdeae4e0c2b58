package format

import "clawh5/core/internal/cursor"

// ExternalFiles is an external data files message (spec IV.A.2.h): the raw data
// of a dataset lie in other files.
type ExternalFiles struct {
	Heap  uint64 // local heap of the names
	Files []ExternalFile
}

// ExternalFile is a part of one file; the parts of all follow each other.
type ExternalFile struct {
	NameOffset uint64 // in the local heap
	Name       string // filled in by who reads the heap
	Offset     uint64 // of the first byte in the file
	Size       uint64 // reserved bytes; Unlimited: up to the end
}

// DecodeExternalFiles reads an external data files message without its names.
func DecodeExternalFiles(c *cursor.Cursor, z Sizes) (ExternalFiles, error) {
	const title = "external data files message"
	var e ExternalFiles
	c.Version(1, 1)
	c.Skip(3) // reserved
	allocated := int(c.U16())
	used := int(c.U16())
	if used > allocated {
		c.Corrupt("%d slots are in use, %d exist", used, allocated)
	}
	if e.Heap = c.Addr(z.Offset); e.Heap == Undefined {
		c.Corrupt("no heap of file names")
	}
	slots := c.Sub(used * 3 * z.Length)
	if slots.Failed() {
		return e, slots.Err(title)
	}
	e.Files = make([]ExternalFile, used)
	for i := range e.Files {
		e.Files[i] = ExternalFile{
			NameOffset: slots.Uint(z.Length),
			Offset:     slots.Uint(z.Length),
			Size:       slots.Addr(z.Length),
		}
	}
	return e, slots.Err(title)
}
