package dump

import (
	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// virtualMappings prints what a virtual dataset is made of.
func (d *dumper) virtualMappings(l *render.Layout, data *core.Dataset) {}
