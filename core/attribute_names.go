package core

import (
	"context"

	"clawh5/core/h5err"
)

// AttributeNamesInOrder returns the names of the object's attributes in the
// order of their bytes, or in that of their creation if byCreation asks for it
// and the object tracks it. It fails where one of them cannot be described.
func (o *Object) AttributeNamesInOrder(ctx context.Context, byCreation bool) ([]string, error) {
	h, err := o.loadHeader(ctx)
	if err != nil {
		return nil, h5err.In(err, "attributes", o.path)
	}
	all, err := o.file.objects.Attributes(ctx, h, byCreation)
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
		if err == nil {
			err = all[i].Err
		}
	}
	return names, h5err.In(err, "attributes", o.path)
}
