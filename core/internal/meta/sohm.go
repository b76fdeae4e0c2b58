package meta

import (
	"context"

	"clawh5/core/internal/format"
)

// SharedMessageIndexes returns the n indexes of the shared object header message
// table at addr, which the shared message table message of the superblock
// extension names.
func (f *File) SharedMessageIndexes(ctx context.Context, addr uint64, n int) ([]format.SharedMessageIndex, error) {
	const structure = "shared object header message table"
	c, err := f.Cursor(ctx, addr, format.SharedMessageTableSize(f.sb.Sizes, n), structure)
	if err != nil {
		return nil, err
	}
	return format.DecodeSharedMessageIndexes(c, f.sb.Sizes, n)
}
