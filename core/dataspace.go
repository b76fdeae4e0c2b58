package core

import "clawh5/core/internal/format"

// SpaceKind is the kind of a Dataspace.
type SpaceKind uint8

const (
	ScalarSpace SpaceKind = SpaceKind(format.ScalarSpace)
	SimpleSpace SpaceKind = SpaceKind(format.SimpleSpace)
	NullSpace   SpaceKind = SpaceKind(format.NullSpace)
)

// Dataspace is the extent of a dataset or an attribute. The caller must not
// change its lists.
type Dataspace struct {
	Kind    SpaceKind
	Dims    []uint64
	MaxDims []uint64 // as many as Dims; Unlimited where there is no limit
}

// Elements returns the number of elements; ok is false if it does not fit.
func (s *Dataspace) Elements() (n uint64, ok bool) {
	return elements(&format.Dataspace{Kind: format.SpaceKind(s.Kind), Dims: s.Dims})
}

func publicSpace(s *format.Dataspace) Dataspace {
	d := Dataspace{Kind: SpaceKind(s.Kind), Dims: s.Dims, MaxDims: s.MaxDims}
	if d.MaxDims == nil {
		d.MaxDims = d.Dims
	}
	return d
}

// Space returns the dataset's dataspace.
func (d *Dataset) Space() Dataspace { return publicSpace(&d.info.Space) }
