package h5ls

import (
	"fmt"
	"strings"

	"clawh5/core"
)

// dataset lists a dataset.
type dataset struct {
	*target
	*core.Dataset
	object *core.Object
	number int // of its file
}

// shape prints the extent, which stands on the line of the name.
func (d *dataset) shape() {
	s := d.Space()
	switch s.Kind {
	case core.ScalarSpace:
		d.printf(" {SCALAR}")
		return
	case core.NullSpace:
		d.printf(" {NULL}")
		return
	}
	parts := make([]string, len(s.Dims))
	for i, n := range s.Dims {
		parts[i] = fmt.Sprint(n)
		switch {
		case s.MaxDims[i] == core.Unlimited:
			parts[i] += "/Inf"
		case s.MaxDims[i] != n || d.verbose:
			parts[i] += fmt.Sprint("/", s.MaxDims[i])
		}
	}
	d.printf(" {%s}", strings.Join(parts, ", "))
}

// list prints what follows the facts that all objects have.
func (d *dataset) list() {
	if d.verbose {
		d.storage()
		d.printType(4, d.Datatype(), d.number)
		if d.address {
			d.addresses()
		}
	}
	if d.data {
		d.values()
	}
}
