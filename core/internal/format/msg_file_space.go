package format

import "clawh5/core/internal/cursor"

// FileSpaceStrategy is how a file gave out its space (version 1).
type FileSpaceStrategy uint8

const (
	FreeSpaceAggregation FileSpaceStrategy = 0
	PagedAggregation     FileSpaceStrategy = 1
	Aggregation          FileSpaceStrategy = 2
	NoFreeSpace          FileSpaceStrategy = 3
)

// FileSpaceInfo is a file space info message (spec IV.A.2.x) of the superblock
// extension.
type FileSpaceInfo struct {
	Version          uint8
	Strategy         FileSpaceStrategy // of version 0 in terms of version 1
	Persist          bool
	Threshold        uint64
	PageSize         uint64 // 0 in version 0
	PageEndThreshold uint16
	EndOfAllocation  uint64   // before the free-space managers were written
	Managers         []uint64 // addresses, if Persist
}

// DecodeFileSpaceInfo reads a file space info message.
func DecodeFileSpaceInfo(c *cursor.Cursor, z Sizes) (FileSpaceInfo, error) {
	f := FileSpaceInfo{EndOfAllocation: Undefined}
	f.Version = c.Version(0, 1)
	managers := 12
	if f.Version == 0 {
		managers = 6
		f.oldStrategy(c)
		f.Threshold = c.Uint(z.Length)
	} else {
		f.Strategy = FileSpaceStrategy(c.U8())
		if f.Strategy > NoFreeSpace {
			c.Unsupported("file space strategy %d", f.Strategy)
		}
		f.Persist = c.U8() != 0
		f.Threshold = c.Uint(z.Length)
		f.PageSize = c.Uint(z.Length)
		f.PageEndThreshold = c.U16()
		f.EndOfAllocation = c.Addr(z.Offset)
	}
	if f.Persist && !c.Failed() {
		f.Managers = make([]uint64, managers)
		for i := range f.Managers {
			f.Managers[i] = c.Addr(z.Offset)
		}
	}
	return f, c.Err("file space info message")
}

// oldStrategy reads the strategy of version 0, which also tells Persist.
func (f *FileSpaceInfo) oldStrategy(c *cursor.Cursor) {
	switch s := c.U8(); s {
	case 1:
		f.Persist = true
		f.Strategy = FreeSpaceAggregation
	case 2:
		f.Strategy = FreeSpaceAggregation
	case 3:
		f.Strategy = Aggregation
	case 4:
		f.Strategy = NoFreeSpace
	default:
		c.Unsupported("file space strategy %d in version 0", s)
	}
}
