package dump

import (
	"fmt"
	"strings"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// virtualMappings prints what a virtual dataset is made of.
func (d *dumper) virtualMappings(l *render.Layout, data *core.Dataset) {
	for i, m := range data.VirtualMappings() {
		d.block(l, fmt.Sprintf("MAPPING %d { ", i), func() {
			d.block(l, "VIRTUAL {", func() { d.virtualSelection(l, &m.Virtual) })
			d.block(l, "SOURCE {", func() {
				d.line(l, "FILE \"%s\"", m.FileName)
				d.line(l, "DATASET \"%s\"", m.DatasetName)
				d.virtualSelection(l, &m.Source)
			})
		})
	}
}

// virtualSelection prints one side of a mapping.
func (d *dumper) virtualSelection(l *render.Layout, s *core.RegionSelection) {
	s, _ = regular(s)
	switch s.Kind {
	case core.RegionAll:
		d.line(l, "SELECTION ALL")
	case core.RegionNone:
		d.line(l, "SELECTION NONE")
	case core.RegionPoints:
		d.put(l, "POINT { "+joinTexts(pointTexts(s))+" }")
	case core.RegionHyperslab:
		d.line(l, "SELECTION REGULAR_HYPERSLAB { ")
		indent := strings.Repeat(d.format.Indent, l.Indent)
		d.put(l, d.format.Indent+strings.Join([]string{"START " + coordinates(s.Start), "STRIDE " + coordinates(s.Stride),
			"COUNT " + coordinates(s.Count), "BLOCK " + coordinates(s.Block)}, "\n"+indent))
		d.line(l, "}")
	default:
		d.line(l, "SELECTION IRREGULAR_HYPERSLAB { ")
		l.Indent++
		l.Break = true
		l.Begin(d.out, &d.format, 0, 0)
		l.Indent--
		d.put(l, joinTexts(boxTexts(regionBoxes(s))))
		d.line(l, "}")
	}
}

// coordinates lists numbers between parentheses.
func coordinates(list []uint64) string {
	return "(" + strings.ReplaceAll(joinNumbers(list, ","), fmt.Sprint(core.Unlimited), "H5S_UNLIMITED") + ")"
}

// boxTexts returns the corners of boxes.
func boxTexts(boxes [][2][]uint64) []string {
	parts := make([]string, len(boxes))
	for i, b := range boxes {
		parts[i] = "(" + joinNumbers(b[0], ",") + ")-(" + joinNumbers(b[1], ",") + ")"
	}
	return parts
}

// pointTexts returns the coordinates of points.
func pointTexts(s *core.RegionSelection) []string {
	parts := make([]string, s.NumPoints())
	for i := range parts {
		parts[i] = "(" + joinNumbers(s.Points[i*s.Rank:(i+1)*s.Rank], ",") + ")"
	}
	return parts
}

// joinTexts makes a list that may be broken behind each comma.
func joinTexts(parts []string) string { return strings.Join(parts, ","+render.Break+" ") }
