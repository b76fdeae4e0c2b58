package h5ls

import (
	"fmt"
	"strings"

	"clawh5/core"
)

// storage prints how the raw data is stored.
func (d *dataset) storage() {
	p := d.Properties()
	switch p.Layout {
	case core.LayoutChunked:
		size := inMemory(d.Datatype()).Size()
		for _, n := range p.Chunk {
			size *= n
		}
		d.printf("    %-10s {%s} %d bytes\n", "Chunks:", join(p.Chunk, ", "), size)
	case core.LayoutContiguous:
		d.external(p.External)
	case core.LayoutVirtual:
		d.maps()
	}
	d.printf("    %-10s %s\n", "Storage:", d.size())
	for i := range p.Filters {
		d.filter(i, &p.Filters[i])
	}
}

// size tells how much raw data there is and how much space it takes. For
// references it is not told, nor for sequences, whose data lies elsewhere.
func (d *dataset) size() string {
	switch d.Datatype().Class() {
	case core.ClassVlen:
		return "information not available"
	case core.ClassReference:
		return "reference information not available"
	}
	s := d.Space()
	n, _ := s.Elements()
	total := n * inMemory(d.Datatype()).Size()
	used, err := d.StorageSize(d.ctx)
	if err != nil {
		d.problem(err)
		used = 0
	}
	text := fmt.Sprintf("%d logical byte%s, %d allocated byte%s", total, plural(total), used, plural(used))
	if used > 0 {
		text += fmt.Sprintf(", %1.2f%% utilization", float64(total)*100/float64(used))
	}
	return text
}

// filterNames are those of libhdf5's own filters, whose names files need not
// have.
var filterNames = map[uint16]string{
	1: "deflate", 2: "shuffle", 3: "fletcher32", 4: "szip", 5: "nbit", 6: "scaleoffset",
}

// maxParams is how many parameters of a filter are printed.
const maxParams = 20

func (d *dataset) filter(i int, f *core.FilterInfo) {
	name, optional := f.Name, ""
	if name == "" {
		name = filterNames[f.ID]
	}
	if name == "" {
		name = "method"
	}
	if f.Optional {
		optional = "OPT"
	}
	params := f.Params[:min(len(f.Params), maxParams)]
	d.printf("    %-10s %s-%d %s {%s}\n", fmt.Sprintf("Filter-%d:", i), name, f.ID, optional, join(params, ", "))
}

// external lists the files that hold the raw data.
func (d *dataset) external(parts []core.ExternalFile) {
	if len(parts) == 0 {
		return
	}
	width := 0
	for _, p := range parts {
		width = max(width, len(escape(p.Name, true)))
	}
	line := func(id, dataset, file, bytes, name string) {
		d.printf("        %4s %10s %10s %10s %s\n", id, dataset, file, bytes, name)
	}
	rule := func() { line("----", "----------", "----------", "----------", strings.Repeat("-", width)) }
	d.printf("    %-10s %d external file%s\n", "Extern:", len(parts), plural(uint64(len(parts))))
	line("ID", "DSet-Addr", "File-Addr", "Bytes", "File")
	rule()
	at := uint64(0)
	for i, p := range parts {
		bytes := fmt.Sprint(p.Size)
		if p.Size == core.Unlimited {
			bytes = "INF"
		}
		line(fmt.Sprintf("#%03d", i), fmt.Sprint(at), fmt.Sprint(p.Offset), bytes, escape(p.Name, true))
		at += p.Size
	}
	rule()
}

// addresses prints where the raw data lies.
func (d *dataset) addresses() {
	p := d.Properties()
	addr, ok := d.DataAddress()
	if !ok {
		addr = core.Unlimited // as an undefined address is printed
	}
	switch p.Layout {
	case core.LayoutContiguous:
		d.printf("    %-10s %d\n", "Address:", addr)
	case core.LayoutChunked:
		d.printf("    Address: %d\n", addr)
		d.chunks()
	}
}

func (d *dataset) chunks() {
	chunks, err := d.Chunks(d.ctx)
	if err != nil {
		d.problem(err)
	}
	for i, c := range chunks {
		if i == 0 {
			d.printf("           Flags    Bytes     Address          Logical Offset\n")
			d.printf("        ========== ======== ========== ==============================\n")
		}
		d.printf("        0x%08x %8d %10d [%s]\n", c.Mask, c.Size, c.Address, join(c.Start, ", "))
	}
}

// maps lists the datasets that a virtual one is made of.
func (d *dataset) maps() {
	mappings := d.VirtualMappings()
	if len(mappings) == 0 {
		return
	}
	d.printf("    %-10s {%d} Source {\n", "Maps:", len(mappings))
	for _, m := range mappings {
		d.printf("    %-10s        %s   %s\n", "", escape(m.FileName, true), escape(m.DatasetName, true))
	}
	d.printf("     %-10s}\n", "")
}
