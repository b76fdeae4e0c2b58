package core

import "clawh5/core/internal/format"

// SpaceStrategy is how a file gives out its space (H5F_fspace_strategy_t).
type SpaceStrategy uint8

const (
	StrategyFreeSpace   SpaceStrategy = SpaceStrategy(format.FreeSpaceAggregation)
	StrategyPaged       SpaceStrategy = SpaceStrategy(format.PagedAggregation)
	StrategyAggregation SpaceStrategy = SpaceStrategy(format.Aggregation)
	StrategyNone        SpaceStrategy = SpaceStrategy(format.NoFreeSpace)
)

// FileProperties is how a file was created.
type FileProperties struct {
	Superblock uint8  // its version
	UserBlock  uint64 // bytes before the superblock
	OffsetSize int    // bytes of an address
	LengthSize int
	GroupLeafK uint16 // half the most entries of a symbol table node,
	GroupK     uint16 // of a node of a group's B-tree,
	ChunkK     uint16 // and of a node of a chunk B-tree
	Strategy   SpaceStrategy
	Persist    bool   // free space is kept in the file
	Threshold  uint64 // smallest free space that is tracked
	PageSize   uint64
}

// What is in force where the file does not say.
const (
	defaultThreshold = 1
	defaultPageSize  = 4096
)

// Properties returns how the file was created.
func (f *File) Properties() FileProperties {
	sb := f.objects.Superblock()
	p := FileProperties{
		Superblock: sb.Version, UserBlock: uint64(f.objects.Base()),
		OffsetSize: sb.Sizes.Offset, LengthSize: sb.Sizes.Length,
		GroupLeafK: sb.GroupLeafK, GroupK: sb.GroupInternalK, ChunkK: sb.ChunkK,
		Threshold: defaultThreshold, PageSize: defaultPageSize,
	}
	if fs := f.objects.FileSpace(); fs != nil {
		p.Strategy, p.Persist, p.Threshold = SpaceStrategy(fs.Strategy), fs.Persist, fs.Threshold
		if fs.PageSize != 0 {
			p.PageSize = fs.PageSize
		}
	}
	return p
}
