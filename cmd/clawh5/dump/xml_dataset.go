package dump

import (
	"fmt"
	"math"

	"clawh5/core"
)

// dataset writes a dataset of the group at path.
func (x *xmlWriter) dataset(path, name string, o *core.Object) {
	d, err := o.Dataset(x.ctx)
	if err != nil {
		x.explain(err)
		x.fail("unable to dump dataset \"%s\"\n", name)
		return
	}
	at := path + "/" + name
	if e := x.again(o); e != nil {
		x.datasetPointer(path, name, e)
		return
	}
	id, parentID := x.id(at), x.id(path)
	x.open(`Dataset Name="%s" OBJ-XID="%s" H5Path= "%s" Parents="%s" H5ParentPaths="%s"`,
		escapeName(name), id, escapeName(at), parentID, escapeName(pathOrRoot(path)))
	x.level++
	p := d.Properties()
	x.storage(&p)
	x.fill(d, &p)
	x.dataspace(d.Space())
	x.datatype(d.Datatype())
	x.attributes(o)
	x.datasetData(o, d)
	x.level--
	x.end("Dataset")
}

// datasetPointer writes a dataset that was written before, under another name.
func (x *xmlWriter) datasetPointer(path, name string, e *entry) {
	at := path + "/" + name
	id, parentID := x.id(at), x.id(path)
	x.ids.copies++
	x.open(`Dataset Name="%s" OBJ-XID="%s-%d" H5Path="%s" Parents="%s" H5ParentPaths="%s"`,
		escapeName(name), id, x.ids.copies, escapeName(at), parentID, escapeName(pathOrRoot(path)))
	x.level++
	x.empty("/", `DatasetPtr OBJ-XID="%s" H5Path="%s"`, x.id(e.name), escapeName(e.name))
	x.level--
	x.end("Dataset")
}

// storage writes how the raw data is stored; virtual datasets have no element
// for that.
func (x *xmlWriter) storage(p *core.DatasetProperties) {
	switch p.Layout {
	case core.LayoutChunked:
		x.in("StorageLayout", func() { x.chunked(p) })
	case core.LayoutContiguous:
		x.in("StorageLayout", func() { x.empty("/", "ContiguousLayout") })
	case core.LayoutCompact:
		x.in("StorageLayout", func() { x.empty("/", "CompactLayout") })
	}
}

func (x *xmlWriter) chunked(p *core.DatasetProperties) {
	x.open(`ChunkedLayout Ndims="%d"`, len(p.Chunk))
	x.level++
	for _, n := range p.Chunk {
		x.empty(" /", `ChunkDimension DimSize="%d"`, n)
	}
	x.in("RequiredFilter", func() {
		x.level++ // h5dump indents once too often
		for i := range p.Filters {
			x.filter(&p.Filters[i])
		}
		x.level--
	})
	x.level--
	x.end("ChunkedLayout")
}

func (x *xmlWriter) filter(f *core.FilterInfo) {
	switch f.ID {
	case filterDeflate:
		level := uint32(6)
		if len(f.Params) > 0 {
			level = f.Params[0]
		}
		x.empty("/", `Deflate Level="%d"`, level)
	case filterFletcher32:
		x.empty(" /", "Fletcher32")
	case filterShuffle:
		x.empty(" /", "Shuffle")
	case filterSzip:
		x.szip(f.Params)
	}
}

// Bits of the first parameter of szip.
const (
	szipAllowK13 = 1
	szipChip     = 2
	szipEntropy  = 4
	szipLSB      = 8
	szipMSB      = 16
	szipNN       = 32
	szipRaw      = 128
)

func (x *xmlWriter) szip(params []uint32) {
	options, pixels := uint32(0), "-1"
	if len(params) > 0 {
		options = params[0]
	}
	if len(params) > 1 {
		pixels = decimal(uint64(params[1]))
	}
	// one returns the text of the first bit that is set.
	one := func(bits []uint32, texts ...string) string {
		for i, b := range bits {
			if options&b != 0 {
				return texts[i]
			}
		}
		return ""
	}
	x.empty("/", `SZIP Pixels_per_block="%s" %sCoding="%s" ByteOrder="%s" %s`, pixels,
		one([]uint32{szipChip, szipAllowK13}, `Mode ="Hardware" `, `Mode ="K13" `),
		one([]uint32{szipEntropy, szipNN}, "Entropy", "NN"),
		one([]uint32{szipLSB, szipMSB}, "LSB", "MSB"),
		one([]uint32{szipRaw}, `Header="Raw"`))
}

var (
	xmlFillTimes  = map[core.FillTime]string{core.FillAtAllocation: "FillOnAlloc", core.FillNever: "FillNever", core.FillIfSet: "FillIfSet"}
	xmlAllocTimes = map[core.AllocTime]string{core.AllocEarly: "Early", core.AllocIncremental: "Incremental", core.AllocLate: "Late"}
)

func (x *xmlWriter) fill(d *core.Dataset, p *core.DatasetProperties) {
	x.open(`FillValueInfo FillTime="%s" AllocationTime="%s"`, nameOr(xmlFillTimes, p.FillTime, "?"), nameOr(xmlAllocTimes, p.AllocTime, "?"))
	x.level++
	x.in("FillValue", func() {
		if p.Fill == core.FillValueUndefined || p.Fill == core.FillValueDefault && p.FillTime == core.FillIfSet {
			x.empty("/", "NoFill")
			return
		}
		x.in("Data", func() { x.fillValue(d) })
	})
	x.level--
	x.end("FillValueInfo")
}

// notFill has the classes whose fill values h5dump does not write as XML.
var notFill = map[core.Class]string{
	core.ClassString: "String fill values not yet implemented.", core.ClassArray: "Array fill values not yet implemented.",
	core.ClassTime: "Time fill not yet implemented.", core.ClassCompound: "Compound fill not yet implemented.",
	core.ClassVlen: "VL fill not yet implemented.",
}

// fillValue writes the fill value as h5dump does, which takes the bytes in the
// file for a number in its own byte order, of 4 bytes whatever their size.
func (x *xmlWriter) fillValue(d *core.Dataset) {
	t := d.Datatype()
	if text, ok := notFill[t.Class()]; ok {
		x.line("<!-- %s -->", text)
		x.empty(" /", "NoData")
		return
	}
	number := uint32(0)
	for i, b := range d.FillBytes() {
		if i < 4 {
			number |= uint32(b) << (8 * i)
		}
	}
	text := ""
	switch t.Class() {
	case core.ClassInteger:
		text = fmt.Sprint(int32(number))
	case core.ClassFloat:
		text = fmt.Sprintf("%f", math.Float32frombits(number))
	case core.ClassBitfield, core.ClassOpaque:
		for i := range t.Size() {
			text += fmt.Sprintf("%x ", number+uint32(4*i))
		}
	case core.ClassEnum:
		if uint64(number) < uint64(t.NumMembers()) {
			text = t.MemberName(int(number))
		}
	case core.ClassReference:
		if text = x.tables.pathOf(uint64(number)); text == "" {
			text = "NULL"
		}
		text = escapeText(text)
	default:
		x.line("<!-- Unknown fill datatype: %d -->", t.Class())
		x.empty("/", "NoData")
		return
	}
	x.open("DataFromFile")
	x.line(`"%s"`, text)
	x.end("DataFromFile")
}

func decimal(n uint64) string { return fmt.Sprint(n) }
