package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
)

// AppendPlan describes what reading a selection would do, as JSON: elements,
// requests, bytes, and for each part of the data its layout, boxes (chunks or
// pieces) touched, stored, in memory and to decode. The parts of a virtual dataset
// have the file and the dataset that they come from.
func (d *Dataset) AppendPlan(ctx context.Context, dst []byte, s Selection) ([]byte, error) {
	p, err := d.planOf(ctx, s)
	if err != nil {
		return dst, err
	}
	text, err := p.JSON()
	return append(dst, text...), h5err.In(err, "plan", d.object.path)
}

// Explain describes what reading a selection would do, as text.
func (d *Dataset) Explain(ctx context.Context, s Selection) (string, error) {
	p, err := d.planOf(ctx, s)
	if err != nil {
		return "", err
	}
	return p.String(), nil
}

func (d *Dataset) planOf(ctx context.Context, s Selection) (*plan.Summary, error) {
	bound, err := s.bind(d.Dims())
	if err != nil {
		return nil, h5err.In(err, "plan", d.object.path)
	}
	sum := plan.NewSummary(bound.NumElements())
	return sum, h5err.In(d.summarize(ctx, bound, sum, "", ""), "plan", d.object.path)
}

// summarize adds what the read of a selection would take.
func (d *Dataset) summarize(ctx context.Context, s *sel.Selection, sum *plan.Summary, file, dataset string) error {
	if d.virtual != nil {
		return d.summarizeVirtual(ctx, s, sum, file, dataset)
	}
	p, _, err := d.plan(ctx, s)
	if err == nil {
		sum.Add(p, file, dataset)
	}
	return err
}
