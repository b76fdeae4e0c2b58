package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/object"
)

// AttributeNames returns the names of the object's attributes in the order of
// their bytes.
func (o *Object) AttributeNames(ctx context.Context) ([]string, error) {
	all, err := o.listAttributes(ctx, false)
	return attributeNames(all), err
}

// AttributeNamesInOrder returns the names of the object's attributes in the
// order of their bytes, or in that of their creation if byCreation asks for it
// and the object tracks it. It fails where one of them cannot be described.
func (o *Object) AttributeNamesInOrder(ctx context.Context, byCreation bool) ([]string, error) {
	all, err := o.listAttributes(ctx, byCreation)
	for i := range all {
		if err == nil {
			err = h5err.In(all[i].Err, "attributes", o.path)
		}
	}
	return attributeNames(all), err
}

func (o *Object) listAttributes(ctx context.Context, byCreation bool) ([]object.Attribute, error) {
	h, err := o.loadHeader(ctx)
	if err != nil {
		return nil, h5err.In(err, "attributes", o.path)
	}
	all, err := o.file.objects.Attributes(ctx, h, byCreation)
	return all, h5err.In(err, "attributes", o.path)
}

func attributeNames(all []object.Attribute) []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}
