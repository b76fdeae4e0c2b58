package dump

import (
	"fmt"
	"io"
	"slices"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// region prints the part of a dataset that a reference selects.
func (d *dumper) region(l *render.Layout, o *core.Object, data *core.Dataset, s *core.RegionSelection, i uint64) {
	space := data.Space()
	points := s.Kind == core.RegionPoints
	boxes := regionBoxes(s)
	if !points && len(boxes) == 0 {
		return
	}
	if points {
		l.Put(d.out, &d.format, "{", i, i)
	} else {
		l.Put(d.out, &d.format, " {", i, i)
	}
	l.Indent++
	d.lineAt(l, d.regionText(s, boxes), i)
	d.nestedType(l, data.Datatype())
	d.line(l, "DATASPACE  %s", dataspace(&space))
	if d.opts.regions {
		d.line(l, "DATA {")
		r := d.reading(o, data, nil)
		if points {
			d.regionPoints(d.data, l, r, s.Points)
		} else {
			d.regionBoxes(d.data, l, r, boxes)
		}
		d.line(l, "}")
	}
	l.Indent--
	d.line(l, "}")
}

// lineAt is line for text that may be broken, of the reference at a position.
func (d *dumper) lineAt(l *render.Layout, text string, i uint64) {
	l.Break = true
	l.Put(d.out, &d.format, text, i, i)
}

// regionText lists the corners of boxes, or the points; h5ls counts them.
func (d *dumper) regionText(s *core.RegionSelection, boxes [][2][]uint64) string {
	kind, name, parts := "BLOCK", "Blk", boxTexts(boxes)
	if s.Kind == core.RegionPoints {
		kind, name, parts = "POINT", "Pt", pointTexts(s)
	}
	if d.counted {
		for i := range parts {
			parts[i] = fmt.Sprintf("%s%d: %s", name, i, parts[i])
		}
	}
	return "REGION_TYPE " + kind + "  " + joinTexts(parts)
}

// maxBoxes bounds the boxes that are listed of one selection.
const maxBoxes = 1 << 20

// regionBoxes returns the first and the last element of each box of a
// selection.
func regionBoxes(s *core.RegionSelection) [][2][]uint64 {
	var boxes [][2][]uint64
	switch s.Kind {
	case core.RegionBlocks:
		for i := range s.NumBlocks() {
			b := s.Blocks[2*i*s.Rank:]
			boxes = append(boxes, [2][]uint64{b[:s.Rank], b[s.Rank : 2*s.Rank]})
		}
	case core.RegionHyperslab:
		at := make([]uint64, s.Rank)
		for i := range at {
			if s.Count[i] == 0 || s.Count[i] == core.Unlimited {
				return nil
			}
		}
		for len(boxes) < maxBoxes {
			first, last := make([]uint64, s.Rank), make([]uint64, s.Rank)
			for i, k := range at {
				first[i] = s.Start[i] + k*s.Stride[i]
				last[i] = first[i] + s.Block[i] - 1
			}
			boxes = append(boxes, [2][]uint64{first, last})
			i := s.Rank - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < s.Count[i] {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				break
			}
		}
	}
	return boxes
}

// regionBoxes prints the elements of boxes.
func (d *dumper) regionBoxes(w io.Writer, outer *render.Layout, r *reading, boxes [][2][]uint64) {
	l := *outer
	l.Indent++
	f := d.valueFormat(r).WithoutIndex()
	for k, b := range boxes {
		count := make([]uint64, len(b[0]))
		n := uint64(1)
		for i := range count {
			count[i] = b[1][i] - b[0][i] + 1
			n *= count[i]
		}
		l.Break, l.Element = true, 0
		data, heap, err := r.read(core.Hyperslab(b[0], nil, count, nil), n)
		if err != nil {
			d.explain(err)
			continue
		}
		l.SetShape(count)
		l.SetBase(b[0])
		l.Begin(w, &f, 0, 0)
		l.RegionRows(w, &f, r.memory, data, heap, k == len(boxes)-1)
	}
}

// regionPoints prints the elements at points, one a line.
func (d *dumper) regionPoints(w io.Writer, outer *render.Layout, r *reading, points []uint64) {
	l := *outer
	l.Indent++
	f := d.valueFormat(r).WithoutIndex()
	rank := len(r.space.Dims)
	if rank == 0 {
		return
	}
	n := uint64(len(points) / rank)
	data, heap, err := r.read(core.Points(rank, points), n)
	if err != nil {
		d.explain(err)
		return
	}
	size := r.memory.Size()
	for i := range n {
		l.Break, l.Element = true, 0
		l.SetShape(r.space.Dims)
		l.Begin(w, &f, 0, 0)
		text := f.Append(nil, &l, r.memory, data[i*size:(i+1)*size], heap)
		if i+1 < n {
			text = append(text, f.Separator...)
		}
		l.PutRegion(w, &f, string(text), 0, i)
	}
}

// regular returns the hyperslab that the boxes of a selection make up, if they
// make up one: files may store it as a list of boxes.
func regular(s *core.RegionSelection) (*core.RegionSelection, bool) {
	if s.Kind != core.RegionBlocks || s.NumBlocks() == 0 {
		return s, s.Kind == core.RegionHyperslab
	}
	r := &core.RegionSelection{Kind: core.RegionHyperslab, Rank: s.Rank}
	n := 1
	for i := range s.Rank {
		start, stride, count, block, ok := axis(s, i)
		if !ok {
			return s, false
		}
		r.Start, r.Stride = append(r.Start, start), append(r.Stride, stride)
		r.Count, r.Block = append(r.Count, count), append(r.Block, block)
		if n *= int(count); n > s.NumBlocks() {
			return s, false
		}
	}
	return r, n == s.NumBlocks()
}

// axis returns the places of boxes in one dimension, if they are equal and
// equally spaced. As many different boxes as there are places must then be all
// of them.
func axis(s *core.RegionSelection, dim int) (start, stride, count, block uint64, ok bool) {
	var firsts []uint64
	for i := range s.NumBlocks() {
		b := s.Blocks[2*i*s.Rank:]
		first, last := b[dim], b[s.Rank+dim]
		if i == 0 {
			block = last - first + 1
		} else if last-first+1 != block {
			return 0, 0, 0, 0, false
		}
		firsts = append(firsts, first)
	}
	slices.Sort(firsts)
	firsts = slices.Compact(firsts)
	stride = 1
	for i := 1; i < len(firsts); i++ {
		if i == 1 {
			stride = firsts[1] - firsts[0]
		} else if firsts[i]-firsts[i-1] != stride {
			return 0, 0, 0, 0, false
		}
	}
	return firsts[0], stride, uint64(len(firsts)), block, true
}
