package core

import (
	"context"

	"clawh5/core/h5err"
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
