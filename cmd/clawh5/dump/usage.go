package dump

import _ "embed"

// usageText is what h5dump prints, byte for byte.
//
//go:embed usage.txt
var usageText string

func (d *dumper) usage() { d.print("%s", usageText) }
