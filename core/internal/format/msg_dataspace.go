package format

// SpaceKind is the kind of a dataspace.
type SpaceKind uint8

const (
	ScalarSpace SpaceKind = 0
	SimpleSpace SpaceKind = 1
	NullSpace   SpaceKind = 2
)

// Unlimited is the maximum size of a dimension that may grow without limit.
const Unlimited = ^uint64(0)

// MaxRank is the highest rank of a dataspace.
const MaxRank = 32

// Dataspace is the extent of a dataset or attribute (spec IV.A.2.b).
type Dataspace struct {
	Kind    SpaceKind
	Dims    []uint64
	MaxDims []uint64 // nil: the same as Dims
}
