package core

import (
	"context"

	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
)

// summarizeVirtual is summarize for a virtual dataset, file and dataset being the
// names under which it is a source itself. Sources are opened several at once.
func (d *Dataset) summarizeVirtual(ctx context.Context, s *sel.Selection, sum *plan.Summary, file, dataset string) error {
	ctx, err := d.enter(ctx)
	if err != nil {
		return err
	}
	list, full, err := d.shares(s)
	if err != nil {
		return err
	}
	if !full {
		p, err := plan.Filled(d.info.Type.Size, s)
		if err != nil {
			return err
		}
		sum.Add(p, file, dataset)
	}
	parts := make([]plan.Summary, len(list))
	err = parallel(ctx, len(list), d.sourcesAtOnce(), func(ctx context.Context, i int) error {
		return d.summarizeShare(ctx, &list[i], s, &parts[i])
	})
	for i := range parts {
		sum.Join(&parts[i])
	}
	return err
}

func (d *Dataset) summarizeShare(ctx context.Context, h *share, s *sel.Selection, sum *plan.Summary) error {
	src, release, err := d.openSource(ctx, h.file, h.dataset)
	if err != nil {
		return err
	}
	defer release()
	if src == nil {
		return nil
	}
	err = h.project(src, s, func(p *sel.Selection) error { return src.summarize(ctx, p, sum, h.file, h.dataset) })
	return sourceError(err, h.file, h.dataset)
}
