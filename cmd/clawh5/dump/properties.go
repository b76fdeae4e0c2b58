package dump

import (
	"fmt"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// printProperties prints how a dataset is stored.
func (d *dumper) printProperties(l *render.Layout, o *core.Object, data *core.Dataset) {
	p := data.Properties()
	d.block(l, "STORAGE_LAYOUT {", func() { d.storageLayout(l, data, &p) })
	if p.Layout != core.LayoutVirtual {
		d.block(l, "FILTERS {", func() { d.filters(l, p.Filters) })
	}
	d.block(l, "FILLVALUE {", func() {
		d.line(l, "FILL_TIME %s", nameOr(fillTimes, p.FillTime, "INVALID"))
		l.Break = true
		d.put(l, "VALUE  "+d.fillValue(l, o, data, &p))
	})
	if p.Layout != core.LayoutVirtual {
		d.block(l, "ALLOCATION_TIME {", func() { d.line(l, "%s", nameOr(allocTimes, p.AllocTime, "INVALID")) })
	}
}

// block prints lines between braces, one level further in.
func (d *dumper) block(l *render.Layout, begin string, lines func()) {
	d.line(l, "%s", begin)
	l.Indent++
	lines()
	l.Indent--
	d.line(l, "}")
}

var fillTimes = map[core.FillTime]string{
	core.FillAtAllocation: "H5D_FILL_TIME_ALLOC", core.FillNever: "H5D_FILL_TIME_NEVER", core.FillIfSet: "H5D_FILL_TIME_IFSET",
}

var allocTimes = map[core.AllocTime]string{
	core.AllocEarly: "H5D_ALLOC_TIME_EARLY", core.AllocLate: "H5D_ALLOC_TIME_LATE", core.AllocIncremental: "H5D_ALLOC_TIME_INCR",
}

func (d *dumper) fillValue(l *render.Layout, o *core.Object, data *core.Dataset, p *core.DatasetProperties) string {
	switch p.Fill {
	case core.FillValueUndefined:
		return "H5D_FILL_VALUE_UNDEFINED"
	case core.FillValueDefault:
		return "H5D_FILL_VALUE_DEFAULT"
	}
	r := d.reading(o, data, nil)
	v, err := (*core.Values)(nil), r.err
	if err == nil {
		v, err = data.FillValueAs(d.ctx, r.memory)
	}
	if err == nil && v != nil {
		f := d.valueFormat(r)
		l.Indent--
		text := f.Append(nil, l, v.Type(), v.Bytes(), v.Heap())
		l.Indent++
		return string(text)
	}
	d.explain(err)
	return "INVALID"
}

func (d *dumper) storageLayout(l *render.Layout, data *core.Dataset, p *core.DatasetProperties) {
	size, err := data.StorageSize(d.ctx)
	if err != nil {
		d.explain(err)
	}
	switch p.Layout {
	case core.LayoutChunked:
		d.line(l, "CHUNKED ( %s )", joinNumbers(p.Chunk, ", "))
		if len(p.Filters) > 0 {
			d.line(l, "SIZE %d (%.3f:1 COMPRESSION)", size, compression(data, size))
		} else {
			d.line(l, "SIZE %d", size)
		}
	case core.LayoutCompact:
		d.line(l, "COMPACT")
		d.line(l, "SIZE %d", size)
	case core.LayoutContiguous:
		d.contiguous(l, data, p, size)
	case core.LayoutVirtual:
		d.virtualMappings(l, data)
	default:
		d.line(l, "Unknown layout")
	}
}

// compression returns how much smaller the elements are in the file than in
// libhdf5's memory.
func compression(data *core.Dataset, stored uint64) float64 {
	space := data.Space()
	n, _ := space.Elements()
	inMemory, err := data.Datatype().Library()
	if stored == 0 || err != nil {
		return 0
	}
	return float64(n*inMemory.Size()) / float64(stored)
}

func (d *dumper) contiguous(l *render.Layout, data *core.Dataset, p *core.DatasetProperties, size uint64) {
	d.line(l, "CONTIGUOUS")
	if len(p.External) > 0 {
		d.block(l, "EXTERNAL {", func() {
			for _, e := range p.External {
				d.line(l, "FILENAME %s SIZE %d OFFSET %d", e.Name, e.Size, e.Offset)
			}
		})
		return
	}
	d.line(l, "SIZE %d", size)
	if at, ok := data.Offset(); ok {
		d.line(l, "OFFSET %d", at)
	} else {
		d.line(l, "OFFSET HADDR_UNDEF")
	}
}

// Filters with a name of their own in DDL.
const (
	filterDeflate     = 1
	filterShuffle     = 2
	filterFletcher32  = 3
	filterSzip        = 4
	filterNbit        = 5
	filterScaleOffset = 6
)

func (d *dumper) filters(l *render.Layout, filters []core.FilterInfo) {
	if len(filters) == 0 {
		d.line(l, "NONE")
		return
	}
	for i := range filters {
		f := &filters[i]
		param := func(k int) uint32 {
			if k < len(f.Params) {
				return f.Params[k]
			}
			return 0
		}
		switch f.ID {
		case filterDeflate:
			d.line(l, "COMPRESSION DEFLATE { LEVEL %d }", param(0))
		case filterShuffle:
			d.line(l, "PREPROCESSING SHUFFLE")
		case filterFletcher32:
			d.line(l, "CHECKSUM FLETCHER32")
		case filterSzip:
			d.block(l, "COMPRESSION SZIP {", func() { d.szip(l, param(0), param(1)) })
		case filterNbit:
			d.line(l, "COMPRESSION NBIT")
		case filterScaleOffset:
			d.line(l, "COMPRESSION SCALEOFFSET { MIN BITS %d }", int32(param(0)))
		default:
			d.block(l, "USER_DEFINED_FILTER {", func() { d.userFilter(l, f) })
		}
	}
}

func (d *dumper) szip(l *render.Layout, options, pixels uint32) {
	d.line(l, "PIXELS_PER_BLOCK %d", pixels)
	choice := func(name string, bits ...uint32) {
		values := map[uint32]string{szipChip: "HARDWARE", szipAllowK13: "K13", szipEntropy: "ENTROPY",
			szipNN: "NEAREST NEIGHBOUR", szipLSB: "LSB", szipMSB: "MSB", szipRaw: "RAW"}
		for _, b := range bits {
			if options&b != 0 {
				d.line(l, "%s %s", name, values[b])
				return
			}
		}
	}
	choice("MODE", szipChip, szipAllowK13)
	choice("CODING", szipEntropy, szipNN)
	choice("BYTE_ORDER", szipLSB, szipMSB)
	choice("HEADER", szipRaw)
}

func (d *dumper) userFilter(l *render.Layout, f *core.FilterInfo) {
	d.line(l, "FILTER_ID %d", f.ID)
	if f.Name != "" {
		d.line(l, "COMMENT %s", f.Name)
	}
	if len(f.Params) == 0 {
		return
	}
	text := "PARAMS { "
	for _, p := range f.Params {
		text += fmt.Sprintf("%d ", int32(p))
	}
	d.line(l, "%s}", text)
}
