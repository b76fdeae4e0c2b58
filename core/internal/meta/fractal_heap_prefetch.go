package meta

import (
	"context"

	"clawh5/core/internal/format"
	"clawh5/storage"
)

// Prefetch fetches the blocks of many objects: each level of indirect blocks in
// one batch, then all direct blocks and huge objects in one. What is wrong with
// an ID or a block is left for Object to find.
func (h *FractalHeap) Prefetch(ctx context.Context, ids [][]byte) error {
	if h.f.pre == nil {
		return nil
	}
	var last []storage.Range
	seen := make(map[uint64]bool)
	var places []heapPlace
	for _, id := range ids {
		d, err := h.decode(id)
		if err != nil {
			continue
		}
		switch d.Kind {
		case format.ManagedObject:
			places = append(places, h.place(d.Offset))
		case format.HugeObject:
			if r, err := h.hugeRecord(ctx, d); err == nil && r.Addr < h.f.end && r.Size < h.f.end {
				last = append(last, storage.Range{Off: int64(r.Addr), Len: int64(r.Size)})
			}
		}
	}
	for len(places) > 0 {
		var err error
		if places, last, err = h.prefetchLevel(ctx, places, last, seen); err != nil {
			return err
		}
	}
	return h.f.Prefetch(ctx, last)
}

// prefetchLevel fetches the indirect blocks of places, adds the direct ones to
// ranges, and returns the places that follow the indirect ones.
func (h *FractalHeap) prefetchLevel(ctx context.Context, places []heapPlace, ranges []storage.Range, seen map[uint64]bool) ([]heapPlace, []storage.Range, error) {
	var next []heapPlace
	var blocks []storage.Range
	for _, p := range places {
		if !p.direct {
			next = append(next, p)
		}
		if seen[p.Addr] || p.Addr >= h.f.end {
			continue
		}
		seen[p.Addr] = true
		if p.direct {
			if _, ok := Peek[*directBlock](h.f, p.Addr, directBlockKind); !ok {
				n := p.size
				if h.h.Filtered() {
					n = p.FractalHeapEntry.Size
				}
				ranges = append(ranges, storage.Range{Off: int64(p.Addr), Len: int64(min(n, h.f.end))})
			}
		} else if _, ok := Peek[*indirectBlock](h.f, p.Addr, indirectBlockKind); !ok {
			n := h.h.IndirectBlockSize(h.f.sb.Sizes, p.rows)
			blocks = append(blocks, storage.Range{Off: int64(p.Addr), Len: int64(n)})
		}
	}
	if err := h.f.Prefetch(ctx, blocks); err != nil {
		return nil, ranges, err
	}
	steps := next[:0]
	for _, p := range next {
		entries, err := h.indirect(ctx, p)
		if err != nil {
			continue
		}
		if p, err = h.step(p, entries); err == nil {
			steps = append(steps, p)
		}
	}
	return steps, ranges, nil
}
