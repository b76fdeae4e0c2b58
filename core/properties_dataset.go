package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// LayoutClass is how the raw data of a dataset is stored (H5D_layout_t).
type LayoutClass uint8

const (
	LayoutCompact    LayoutClass = LayoutClass(format.CompactLayout)
	LayoutContiguous LayoutClass = LayoutClass(format.ContiguousLayout)
	LayoutChunked    LayoutClass = LayoutClass(format.ChunkedLayout)
	LayoutVirtual    LayoutClass = LayoutClass(format.VirtualLayout)
)

// AllocTime is when the space of a dataset is allocated (H5D_alloc_time_t).
type AllocTime uint8

const (
	AllocEarly       AllocTime = 1
	AllocLate        AllocTime = 2
	AllocIncremental AllocTime = 3
)

// FillTime is when fill values are written (H5D_fill_time_t).
type FillTime uint8

const (
	FillAtAllocation FillTime = 0
	FillNever        FillTime = 1
	FillIfSet        FillTime = 2
)

// FillState tells which fill value there is (H5D_fill_value_t).
type FillState uint8

const (
	FillValueDefault   FillState = FillState(format.FillDefault) // zeros
	FillValueSet       FillState = FillState(format.FillDefined) // Dataset.FillValueAs
	FillValueUndefined FillState = FillState(format.FillUndefined)
)

// FilterInfo is one filter of a dataset's pipeline, in the order of writing.
type FilterInfo struct {
	ID       uint16
	Name     string // as stored; may be empty
	Optional bool   // a chunk may have been written without it
	Params   []uint32
}

// DatasetProperties is how a dataset was created. The caller must not change its lists.
type DatasetProperties struct {
	Layout   LayoutClass
	Chunk    []uint64 // dimensions of a chunk, in elements
	Filters  []FilterInfo
	External []ExternalFile // with the raw data; none if it lies in the HDF5 file

	Fill      FillState
	FillTime  FillTime
	AllocTime AllocTime
}

// Properties returns how the dataset was created.
func (d *Dataset) Properties() DatasetProperties {
	i := d.info
	p := DatasetProperties{
		Layout: LayoutClass(i.Layout.Class), Chunk: i.Layout.ChunkDims, Filters: make([]FilterInfo, len(i.Filters)),
		Fill: FillState(i.Fill.State), FillTime: FillTime(i.Fill.WriteTime), AllocTime: AllocTime(i.Fill.AllocTime),
	}
	for k, f := range i.Filters {
		p.Filters[k] = FilterInfo{ID: f.ID, Name: f.Name, Optional: f.Optional, Params: f.Params}
	}
	if i.External != nil {
		for _, f := range i.External.Files {
			p.External = append(p.External, ExternalFile{Name: f.Name, Offset: f.Offset, Size: f.Size})
		}
	}
	return p
}

// Offset returns where contiguous data lies in the file; false if it is stored
// otherwise, or not allocated.
func (d *Dataset) Offset() (uint64, bool) {
	l := &d.info.Layout
	if l.Class != format.ContiguousLayout || l.Address == format.Undefined || d.info.External != nil {
		return 0, false
	}
	return uint64(d.file.objects.Offset(l.Address)), true
}

// DataAddress returns the address of contiguous data, or of the index of
// chunks; false if the file has given it no space.
func (d *Dataset) DataAddress() (uint64, bool) {
	l := &d.info.Layout
	ok := l.Class == format.ContiguousLayout || l.Class == format.ChunkedLayout
	return l.Address, ok && l.Address != format.Undefined && d.info.External == nil
}

// StorageSize returns the bytes that the raw data takes in the file, as
// H5Dget_storage_size does.
func (d *Dataset) StorageSize(ctx context.Context) (uint64, error) {
	l := &d.info.Layout
	switch l.Class {
	case format.CompactLayout:
		return l.Size, nil
	case format.ContiguousLayout:
		if l.Address == format.Undefined && d.info.External == nil {
			return 0, nil
		}
		return l.Size, nil
	}
	n, err := d.chunkBytes(ctx)
	return n, h5err.In(err, "list chunks", d.object.path)
}

// FillValueAs returns the fill value, one element converted to a memory type as
// Dataset.ReadAs does; nil if it was not set.
func (d *Dataset) FillValueAs(ctx context.Context, mem Datatype) (*Values, error) {
	raw := d.FillBytes()
	if raw == nil {
		return nil, nil
	}
	r, err := d.readerAs(mem)
	if err != nil {
		return nil, h5err.In(err, "fill value", d.object.path)
	}
	v := d.file.values(ctx, r, raw, 1, d.file.heapLimit())
	return &Values{d: d.info.Type, memory: r.memory, data: v.data, heap: v.heap}, h5err.In(v.err, "fill value", d.object.path)
}

// FillBytes returns the fill value, one element as it lies in the file; nil if
// it was not set, which means zeros. The caller must not change it.
func (d *Dataset) FillBytes() []byte {
	if len(d.info.Fill.Value) != int(d.info.Type.Size) {
		return nil
	}
	return d.info.Fill.Value
}
