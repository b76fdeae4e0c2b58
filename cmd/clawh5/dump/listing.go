package dump

import (
	"bufio"
	"context"
	"errors"
	"io"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// Listing prints, for h5ls, what that tool prints in h5dump's language.
type Listing struct {
	Out    *bufio.Writer
	Errors io.Writer
	Format render.Format
	File   *core.File
	Name   string // of File, as it was given
}

// References prints the references that elements holds, of type t, and what
// they lead to.
func (p *Listing) References(ctx context.Context, l render.Layout, o *core.Object, t core.Datatype, elements []byte) error {
	if t.Size() == 0 {
		return errors.New("references without size")
	}
	d := &dumper{ctx: ctx, errors: p.Errors, standard: p.Out, out: p.Out, data: p.Out, attrs: p.Out, format: p.Format, counted: true,
		name: p.Name, file: p.File, main: p.File, known: map[string]*tables{}}
	d.opts.columns = p.Format.Columns
	r := &reading{object: o, typ: t, memory: t}
	r.space = core.Dataspace{Kind: core.SimpleSpace, Dims: []uint64{uint64(len(elements)) / t.Size()}}
	r.space.MaxDims = r.space.Dims
	r.read = func(core.Selection, uint64) ([]byte, []byte, error) { return elements, nil, nil }
	d.references(l, r)
	if d.status != exitSuccess {
		return errors.New("not all references could be followed")
	}
	return nil
}
