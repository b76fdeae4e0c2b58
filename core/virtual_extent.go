package core

import (
	"context"
	"slices"

	"clawh5/core/internal/format"
)

// virtualExtent finds the dimensions of a virtual dataset as
// H5D__virtual_set_extent_unlim does: an axis on which mappings have no end goes
// as far as the farthest of them (LastAvailable) or the nearest (FirstMissing),
// and at least as far as the mappings that end there. It sets n of the mappings.
func (d *Dataset) virtualExtent(ctx context.Context, v *virtual) ([]uint64, error) {
	var endless []*virtualEntry
	for i := range v.entries {
		if e := &v.entries[i]; e.virtual.Axis() >= 0 {
			endless = append(endless, e)
		}
	}
	stored := d.info.Space.Dims
	if len(endless) == 0 {
		return stored, nil
	}
	first := d.file.options.View == FirstMissing
	ends := make([]uint64, len(endless))
	err := parallel(ctx, len(endless), d.sourcesAtOnce(), func(ctx context.Context, i int) (err error) {
		if endless[i].numbered {
			ends[i], err = d.numberedEnd(ctx, endless[i], first)
		} else {
			ends[i], err = d.sourceEnd(ctx, endless[i], first)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	dims, known := slices.Clone(stored), make([]bool, len(stored))
	for i, e := range endless {
		axis := e.virtual.Axis()
		if !known[axis] || first && ends[i] < dims[axis] || !first && ends[i] > dims[axis] {
			dims[axis], known[axis] = ends[i], true
		}
	}
	least := make([]uint64, len(dims))
	for i := range v.entries {
		if err := v.entries[i].virtual.LimitedEnd(least); err != nil {
			return nil, err
		}
	}
	for axis := range dims {
		if known[axis] {
			dims[axis] = max(dims[axis], least[axis])
		}
	}
	for _, e := range endless {
		e.clip(dims[e.virtual.Axis()])
	}
	return dims, nil
}

// clip keeps what lies in the dimension on the axis without end.
func (e *virtualEntry) clip(extent uint64) {
	if e.numbered {
		e.n = min(e.n, e.virtual.BlocksBelow(extent))
		return
	}
	e.n = min(e.n, e.virtual.Slices(extent))
}

// sourceEnd is how far a mapping without end goes for what its source has.
func (d *Dataset) sourceEnd(ctx context.Context, e *virtualEntry, trail bool) (uint64, error) {
	src, release, err := d.openSource(ctx, e.file.of(0), e.dataset.of(0))
	if err != nil {
		return 0, err
	}
	defer release()
	if src == nil {
		return 0, nil
	}
	if src.Rank() != e.source.Rank() {
		return 0, sourceError(corruptVirtual("a selection of rank %d in a dataset of rank %d", e.source.Rank(), src.Rank()), e.file.of(0), e.dataset.of(0))
	}
	e.n = e.source.Slices(src.Dims()[e.source.Axis()])
	return e.virtual.Extent(e.n, trail), nil
}

// Numbered sources are looked for several at once: those of which one must be
// there for the search to go on, and more of them, twice as many each time.
const (
	firstLook = 1
	mostLook  = 16
)

// numberedEnd is how far a mapping of numbered sources goes: to the last one
// before more are missing in a row than the gap may be.
func (d *Dataset) numberedEnd(ctx context.Context, e *virtualEntry, first bool) (uint64, error) {
	gap := d.file.options.PrintfGap
	if first {
		gap = 0
	}
	e.n = 0 // blocks up to the last that is there
	look := uint64(firstLook)
	for next := uint64(0); next-e.n <= gap; look = min(2*look, mostLook) {
		there := make([]bool, min(gap-(next-e.n), mostLook)+look)
		err := parallel(ctx, len(there), d.sourcesAtOnce(), func(ctx context.Context, i int) error {
			src, release, err := d.openSource(ctx, e.file.of(next+uint64(i)), e.dataset.of(next+uint64(i)))
			if err == nil {
				there[i] = src != nil
				release()
			}
			return err
		})
		if err != nil {
			return 0, err
		}
		for i := 0; i < len(there) && next-e.n <= gap; i++ {
			if next++; there[i] {
				e.n = next
			}
		}
	}
	switch {
	case e.n == 0:
		return 0, nil
	case first:
		return e.virtual.BlockStart(e.n), nil
	case e.n > format.Unlimited/2/max(e.virtual.BlockSize(), 1):
		return 0, corruptVirtual("%d blocks of %d", e.n, e.virtual.BlockSize())
	}
	return e.virtual.BlockStart(e.n-1) + e.virtual.BlockSize(), nil
}
