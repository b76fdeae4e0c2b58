package h5ls

import "clawh5/core"

func (d *dataset) values()                                              {}
func (t *target) attributeValues(o *core.Object, a *core.AttributeInfo) {}
