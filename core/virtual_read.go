package core

import (
	"context"
	"sync/atomic"

	"clawh5/core/h5err"
	"clawh5/core/internal/exec"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
)

// share is what one source has of a read.
type share struct {
	file, dataset string
	region        *sel.Region  // of the virtual dataset
	pair          *sel.Mapping // nil if it depends on the source
	entry         *virtualEntry
}

// shares lists what a selection touches, in the order of the mappings; full
// reports whether that is every selected element and none twice.
func (d *Dataset) shares(s *sel.Selection) (list []share, full bool, err error) {
	v := d.virtual
	touched := int64(0)
	count := func(p *sel.Selection) error {
		touched += p.NumElements()
		return nil
	}
	for _, i := range v.finder.Near(s) {
		e := &v.entries[i]
		before := touched
		if err := e.itself.Project(s, d.Dims(), count); err != nil {
			return nil, false, err
		}
		switch {
		case touched == before:
		case e.numbered:
			if list, err = d.appendBlocks(list, e, s); err != nil {
				return nil, false, err
			}
		default:
			list = append(list, share{file: e.file.of(0), dataset: e.dataset.of(0), region: e.region, pair: e.pair, entry: e})
		}
	}
	return list, touched == s.NumElements() && v.apart(), nil
}

// appendBlocks adds the blocks of numbered sources that a selection touches.
func (d *Dataset) appendBlocks(list []share, e *virtualEntry, s *sel.Selection) ([]share, error) {
	lo, hi, _ := s.Bounds()
	axis := e.virtual.Axis()
	first := e.virtual.BlocksBelow(lo[axis] + 1) // the last that begins there or before
	if first > 0 {
		first--
	}
	for block := first; block < min(e.n, e.virtual.BlocksBelow(hi[axis]+1)); block++ {
		if len(list) > maxVirtualSources {
			return nil, h5err.At(h5err.Limit, virtualTitle, h5err.NoOffset, "too many sources in one read")
		}
		region, err := e.virtual.Block(block)
		if err != nil {
			return nil, err
		}
		itself, err := sel.NewMapping(region, region)
		if err != nil {
			return nil, err
		}
		if touched, err := touches(itself, s, d.Dims()); err != nil {
			return nil, err
		} else if touched {
			list = append(list, share{file: e.file.of(block), dataset: e.dataset.of(block), region: region, entry: e})
		}
	}
	return list, nil
}

// touches reports whether a selection has an element of a region.
func touches(itself *sel.Mapping, s *sel.Selection, dims []uint64) (bool, error) {
	touched := false
	err := itself.Project(s, dims, func(p *sel.Selection) error {
		touched = touched || p.NumElements() > 0
		return nil
	})
	return touched, err
}

// mapping is how the elements of the share correspond to those of its source.
func (h *share) mapping(src *Dataset) (*sel.Mapping, error) {
	if rank := h.entry.source.Rank(); rank >= 0 && rank != src.Rank() {
		return nil, corruptVirtual("a selection of rank %d in a dataset of rank %d", rank, src.Rank())
	}
	if h.pair != nil {
		return h.pair, nil
	}
	return h.entry.mapTo(h.region, src.Dims())
}

// project yields what of the source is read.
func (h *share) project(src *Dataset, s *sel.Selection, yield func(*sel.Selection) error) error {
	m, err := h.mapping(src)
	if err != nil {
		return err
	}
	inner := error(nil)
	err = m.Project(s, src.Dims(), func(p *sel.Selection) error {
		inner = yield(p)
		return inner
	})
	if err != nil && inner == nil && h5err.KindOf(err) == h5err.Selection {
		return corruptVirtual("it has fewer elements than the mapping takes: %v", err)
	}
	return err
}

// virtualRead is the read of a virtual dataset.
type virtualRead struct {
	d     *Dataset
	r     *reader
	s     *sel.Selection
	dst   []byte
	opt   exec.Options // of one share
	most  int          // shares at once
	stats *counters
	heap  *sharedHeap
}

// readVirtual reads a selection of a virtual dataset into memory as r has it,
// which is dst, and returns the heap.
func (d *Dataset) readVirtual(ctx context.Context, s *sel.Selection, r *reader, dst []byte, progress *Progress) ([]byte, error) {
	if len(dst) == 0 {
		return nil, nil
	}
	o := &d.file.options
	v := virtualRead{d: d, r: r, s: s, dst: dst, stats: &d.file.counts, heap: &sharedHeap{limit: d.file.heapLimit()}, most: d.sourcesAtOnce()}
	v.opt = exec.Options{Workers: o.Workers, MaxInFlight: o.MaxInFlight, Budget: o.MemoryBudget,
		Cache: d.file.kin.chunks, Done: progress.begin(r.size(), len(dst))}
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	if v.opt.Done != nil {
		v.opt.Done.Store(int64(len(dst) / r.size()))
	}
	return v.heap.bytes, nil
}

// run reads all shares: side by side if no two have the same element, else one
// after the other, so that the last one counts. What no source has becomes the
// fill value before or, if every element has one source, where that is missing.
func (v *virtualRead) run(ctx context.Context) error {
	ctx, err := v.d.enter(ctx)
	if err != nil {
		return err
	}
	list, full, err := v.d.shares(v.s)
	if err != nil {
		return err
	}
	if !full {
		if err := v.fill(ctx, v.s); err != nil {
			return err
		}
	}
	if !v.d.virtual.apart() || v.staged(v.r) {
		for i := range list {
			if err := v.share(ctx, &list[i], full); err != nil {
				return err
			}
		}
		return nil
	}
	n := max(1, min(len(list), v.most))
	v.opt.Workers = (v.opt.Workers + n - 1) / n
	v.opt.MaxInFlight = (v.opt.MaxInFlight + n - 1) / n
	v.opt.Budget = max(1, v.opt.Budget/int64(n))
	v.most = max(1, v.most/n)
	return parallel(ctx, len(list), n, func(ctx context.Context, i int) error { return v.share(ctx, &list[i], full) })
}

// share reads one share; if its source is missing, it is filled where alone is
// set.
func (v *virtualRead) share(ctx context.Context, h *share, alone bool) error {
	src, release, err := v.d.openSource(ctx, h.file, h.dataset)
	if err != nil {
		return err
	}
	defer release()
	if src == nil {
		if !alone {
			return nil
		}
		return v.fillRegion(ctx, h.region)
	}
	r, err := src.readerTo(v.r.memory)
	if err != nil {
		return sourceError(err, h.file, h.dataset)
	}
	err = h.project(src, v.s, func(p *sel.Selection) error { return v.read(ctx, src, r, p) })
	return sourceError(err, h.file, h.dataset)
}

// read reads a selection of a source to where its result lies.
func (v *virtualRead) read(ctx context.Context, src *Dataset, r *reader, p *sel.Selection) error {
	switch {
	case r.nothing:
		return nil
	case v.staged(r):
		return v.readStaged(ctx, src, r, p)
	case src.virtual != nil:
		inner := *v
		inner.d, inner.r, inner.s = src, r, p
		return inner.run(ctx)
	}
	l, from, err := src.plan(ctx, p)
	if err != nil {
		return err
	}
	return v.exec(ctx, l, from, r, src.file.number)
}

// exec runs a plan of a placed selection.
func (v *virtualRead) exec(ctx context.Context, p *plan.Plan, from *source, r *reader, file uint64) error {
	o := v.opt
	o.Conv, o.Fill, o.File = r.conv, r.fill, file
	if from != nil {
		o.Filters = from.pipeline
	}
	stats, err := exec.Run(ctx, p, v.dst, o)
	v.stats.add(stats)
	return err
}

// fillRegion writes the fill value to what is selected of a region.
func (v *virtualRead) fillRegion(ctx context.Context, region *sel.Region) error {
	itself, err := sel.NewMapping(region, region)
	if err != nil {
		return err
	}
	return itself.Project(v.s, v.d.Dims(), func(p *sel.Selection) error { return v.fill(ctx, p) })
}

// fill writes the fill value to the places of a selection of d.
func (v *virtualRead) fill(ctx context.Context, s *sel.Selection) error {
	if v.staged(v.r) {
		return v.fillStaged(ctx, s)
	}
	p, err := plan.Filled(uint32(v.r.conv.SrcSize), s)
	if err != nil {
		return err
	}
	o := v.opt
	o.Done = new(atomic.Int64) // counted when values come
	o.Conv, o.Fill = v.r.conv, v.r.fill
	_, err = exec.Run(ctx, p, v.dst, o)
	return err
}
