package format

import (
	"testing"

	"clawh5/core/internal/cursor"
)

// Two addresses of 16 bytes do not fit the scratch-pad of 16 bytes (spec III.C);
// libhdf5 writes the first one there. Both are in the group's header, too.
func TestSymbolTableEntryWithAddressesThatDoNotFitTheScratchPad(t *testing.T) {
	p := unhex(t, "0000000000000000 88000000000000000000000000000000 01000000 00000000 c0000000000000000000000000000000")
	z := Sizes{Offset: 16, Length: 8}
	c := cursor.New(p, 0)
	e := decodeSymbolTableEntry(c, z)
	if err := c.Err("entry"); err != nil || e.Header != 0x88 || e.BTree != Undefined || e.Heap != Undefined || len(p) != SymbolTableEntrySize(z) {
		t.Errorf("%+v, %v", e, err)
	}
}
