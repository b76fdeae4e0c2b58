package core

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
)

// VirtualMapping maps a selection of a source to a selection of a virtual
// dataset: their elements correspond in their order.
type VirtualMapping struct {
	FileName        string // "." is the file of the virtual dataset
	DatasetName     string // "%b" in either name stands for the number of a block, "%%" for "%"
	Virtual, Source RegionSelection
}

// VirtualMappings returns the mappings of a virtual dataset in the order of the
// file, which is that of reading: where two meet, the later one counts. Other
// datasets have none.
func (d *Dataset) VirtualMappings() []VirtualMapping {
	if d.virtual == nil {
		return nil
	}
	list := make([]VirtualMapping, len(d.virtual.entries))
	for i := range list {
		m := d.virtual.entries[i].mapping
		list[i] = VirtualMapping{FileName: m.File, DatasetName: m.Dataset,
			Virtual: regionSelection(&m.VirtualSelection), Source: regionSelection(&m.SourceSelection)}
	}
	return list
}

// virtual is what a virtual dataset is made of.
type virtual struct {
	entries []virtualEntry
	finder  *sel.Finder // of their regions

	once     sync.Once
	disjoint bool // see apart
}

// virtualEntry is a mapping. Its source is one dataset, or, if the virtual
// selection has no end but the source's has one, one dataset a block.
type virtualEntry struct {
	mapping       *format.VirtualMapping
	file, dataset sourceName
	virtual       plan.Side
	source        plan.Side
	numbered      bool   // one source a block
	n             uint64 // blocks, or positions on the axis without end, that are there

	region *sel.Region  // of the virtual dataset
	itself *sel.Mapping // region to region: tells what a selection touches
	pair   *sel.Mapping // region to source, where that does not depend on the source
}

const virtualTitle = "global heap block for virtual datasets"

// loadVirtual reads the mappings of a virtual dataset and finds its dimensions,
// which depend on those of its sources where a mapping has no end.
func (d *Dataset) loadVirtual(ctx context.Context) error {
	ctx, err := d.enter(ctx)
	if err != nil {
		return err
	}
	v := new(virtual)
	if l := &d.info.Layout; l.Address != format.Undefined {
		id := format.GlobalHeapID{Collection: l.Address, Index: l.HeapIndex}
		block, err := d.file.objects.GlobalHeapObject(ctx, id)
		if err != nil {
			return err
		}
		at := d.file.objects.Offset(l.Address)
		mappings, err := format.DecodeVirtualMappings(cursor.New(block, at), d.file.objects.Sizes())
		if err != nil {
			return err
		}
		v.entries = make([]virtualEntry, len(mappings))
		for i := range mappings {
			if v.entries[i], err = newVirtualEntry(&mappings[i], len(d.info.Space.Dims)); err != nil {
				return err
			}
		}
	}
	dims, err := d.virtualExtent(ctx, v)
	if err != nil {
		return err
	}
	for i := range v.entries {
		if err := v.entries[i].settle(dims); err != nil {
			return err
		}
	}
	v.finder = sel.NewFinder(v.regions())
	d.info.Space.Dims = dims
	d.virtual = v
	return nil
}

func newVirtualEntry(m *format.VirtualMapping, rank int) (virtualEntry, error) {
	e := virtualEntry{mapping: m}
	var err error
	if e.virtual, err = plan.NewSide(&m.VirtualSelection); err != nil {
		return e, err
	}
	if e.source, err = plan.NewSide(&m.SourceSelection); err != nil {
		return e, err
	}
	if e.file, err = parseSourceName(m.File); err != nil {
		return e, err
	}
	if e.dataset, err = parseSourceName(m.Dataset); err != nil {
		return e, err
	}
	e.numbered = e.virtual.Axis() >= 0 && e.source.Axis() < 0
	switch named := e.file.numbered() || e.dataset.numbered(); {
	case e.virtual.Rank() >= 0 && e.virtual.Rank() != rank:
		return e, corruptVirtual("a selection of rank %d in a dataset of rank %d", e.virtual.Rank(), rank)
	case e.virtual.Axis() < 0 && e.source.Axis() >= 0:
		return e, corruptVirtual("a source without end is mapped to a selection that has one")
	case e.numbered && (!named || !e.virtual.HasBlocks()):
		return e, corruptVirtual("blocks without end of sources that are not numbered")
	case !e.numbered && named:
		return e, corruptVirtual("numbered sources of a selection that has no blocks without end")
	}
	return e, nil
}

func corruptVirtual(detail string, args ...any) error {
	return h5err.At(h5err.Corrupt, virtualTitle, h5err.NoOffset, fmt.Sprintf(detail, args...))
}

// settle fills in what follows from the dimensions of the virtual dataset.
func (e *virtualEntry) settle(dims []uint64) error {
	n := e.n
	if e.numbered {
		n *= e.virtual.BlockSize() // neither exceeds what virtualExtent has seen
	}
	var err error
	if e.region, err = e.virtual.Region(dims, n); err != nil {
		return err
	}
	if e.itself, err = sel.NewMapping(e.region, e.region); err != nil {
		return err
	}
	if e.source.Fixed() && !e.numbered {
		e.pair, err = e.mapTo(e.region, nil)
	}
	return err
}

// mapTo pairs a region of the virtual dataset with the selection of a source of
// the given dimensions.
func (e *virtualEntry) mapTo(region *sel.Region, dims []uint64) (*sel.Mapping, error) {
	source, err := e.source.Region(dims, e.n)
	if err != nil {
		return nil, err
	}
	m, err := sel.NewMapping(region, source)
	if err != nil {
		return nil, corruptVirtual("%d elements are mapped to %d", source.NumElements(), region.NumElements())
	}
	return m, nil
}

// apart reports whether no element belongs to two mappings; it may be false
// though none does, if they are many and lie in each other's bounds.
func (v *virtual) apart() bool {
	v.once.Do(func() {
		v.disjoint = sel.Disjoint(v.regions())
	})
	return v.disjoint
}

func (v *virtual) regions() []*sel.Region {
	regions := make([]*sel.Region, len(v.entries))
	for i := range regions {
		regions[i] = v.entries[i].region
	}
	return regions
}

// Bounds of what one read, or one look at the dimensions, may lead to, sources
// of sources included.
const (
	maxVirtualDepth   = 32
	maxVirtualSources = 1 << 20
)

type virtualKey struct{}

// virtualChain is the virtual datasets that are being read, each a source of the
// one before.
type virtualChain struct {
	before   *virtualChain
	location string
	addr     uint64
	depth    int
	sources  *atomic.Int64 // that have been opened in all
}

// enter notes that d is looked into. One that is a source of itself is refused.
func (d *Dataset) enter(ctx context.Context) (context.Context, error) {
	before, _ := ctx.Value(virtualKey{}).(*virtualChain)
	c := &virtualChain{before: before, location: d.file.Location(), addr: d.object.addr}
	if before == nil {
		c.sources = new(atomic.Int64)
		return context.WithValue(ctx, virtualKey{}, c), nil
	}
	c.depth, c.sources = before.depth+1, before.sources
	if c.depth >= maxVirtualDepth {
		return nil, h5err.At(h5err.Limit, virtualTitle, h5err.NoOffset, fmt.Sprintf("virtual datasets %d deep", c.depth+1))
	}
	for b := before; b != nil; b = b.before {
		if b.addr == c.addr && b.location == c.location {
			return nil, corruptVirtual("the dataset is a source of itself, by way of %d others", c.depth-b.depth-1)
		}
	}
	return context.WithValue(ctx, virtualKey{}, c), nil
}

// countSources accounts for n more sources.
func countSources(ctx context.Context, n int) error {
	c, _ := ctx.Value(virtualKey{}).(*virtualChain)
	if c != nil && c.sources.Add(int64(n)) > maxVirtualSources {
		return h5err.At(h5err.Limit, virtualTitle, h5err.NoOffset, fmt.Sprintf("more than %d sources in one read", maxVirtualSources))
	}
	return nil
}
