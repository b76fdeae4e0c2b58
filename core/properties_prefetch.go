package core

import (
	"context"

	"clawh5/core/h5err"
)

// PrefetchLinked reads in few requests what opening the objects that hard links
// lead to needs, if the file is remote. Errors that opening them will tell are
// left to it.
func (o *Object) PrefetchLinked(ctx context.Context, links []Link) error {
	var addrs []uint64
	for i := range links {
		if links[i].Kind == HardLink {
			addrs = append(addrs, links[i].Address)
		}
	}
	return h5err.In(o.file.prefetch(ctx, addrs), "list", o.path)
}
