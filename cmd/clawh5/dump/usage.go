package dump

func (d *dumper) usage() { d.print("%s", usageText) }

const usageText = ``
