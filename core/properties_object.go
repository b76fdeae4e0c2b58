package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// ObjectInfo is what the header of any object tells.
type ObjectInfo struct {
	RefCount uint32 // hard links to the object
	Comment  string

	// Seconds since 1970-01-01 UTC, 0 if the file does not tell. Modified is
	// told by headers of version 2 alone; what older ones tell is, as libhdf5
	// has it, the time of the last change to the header.
	Modified, Changed int64

	// Of its attributes: whether the order of their creation is known, and
	// whether there is an index of it.
	OrderTracked, OrderIndexed bool
}

// Info returns what the object's header tells.
func (o *Object) Info(ctx context.Context) (ObjectInfo, error) {
	h, err := o.loadHeader(ctx)
	if err != nil {
		return ObjectInfo{}, h5err.In(err, "open", o.path)
	}
	i := ObjectInfo{RefCount: h.RefCount, Comment: h.Comment(), OrderTracked: h.OrderTracked, OrderIndexed: h.OrderIndexed}
	if h.Times != nil {
		i.Modified, i.Changed = h.Times.Modified, h.Times.Change
	} else {
		i.Changed, _ = h.ModTime()
	}
	return i, nil
}

// LinkOrder reports whether a group knows the creation order of its links, and
// whether it has an index of it.
func (o *Object) LinkOrder(ctx context.Context) (tracked, indexed bool, err error) {
	h, err := o.group(ctx)
	if err != nil {
		return false, false, err
	}
	tracked, indexed = o.file.objects.CreationOrderTracked(h)
	return tracked, indexed, nil
}

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
