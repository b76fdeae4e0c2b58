package dump

import (
	"bufio"
	"context"
	"errors"
	"io"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// Listing prints, for h5ls, what that tool prints in h5dump's language: where
// references lead.
type Listing struct{ d dumper }

// NewListing makes a Listing of a file, which was given by a name.
func NewListing(ctx context.Context, out *bufio.Writer, stderr io.Writer, f *core.File, name string) *Listing {
	return &Listing{dumper{ctx: ctx, errors: stderr, standard: out, out: out, data: out, attrs: out, counted: true,
		name: name, file: f, main: f, known: map[string]*tables{}}}
}

// ReferenceText returns how references within elements of an object's file are
// printed, for a Format.
func (p *Listing) ReferenceText(o *core.Object) func(dst []byte, t core.Datatype, element, heap []byte) []byte {
	return p.d.referenceText(o.File())
}

// References prints the references that elements holds, of type t, and what
// they lead to.
func (p *Listing) References(f *render.Format, l render.Layout, o *core.Object, t core.Datatype, elements []byte) error {
	if t.Size() == 0 {
		return errors.New("references without size")
	}
	d := p.d
	d.format, d.opts.columns = *f, f.Columns
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
