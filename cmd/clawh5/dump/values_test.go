package dump

import (
	"errors"
	"io"
	"testing"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// A damaged file may declare any number of elements: of 2^60, 4 bytes each,
// there are 2^37 pieces.
func TestDatasetThatCannotBeReadEnds(t *testing.T) {
	memory, ok := core.Predefined("H5T_STD_I32LE")
	if !ok {
		t.Fatal("no H5T_STD_I32LE")
	}
	broken, reads := errors.New("broken"), 0
	r := &reading{memory: memory, space: core.Dataspace{Dims: []uint64{1 << 60}}}
	r.read = func(core.Selection, uint64) ([]byte, []byte, error) {
		reads++
		return nil, nil, broken
	}
	d := &dumper{ctx: t.Context()}
	if err := d.strips(io.Discard, &render.Layout{}, nil, r); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if reads < 2 || reads > 1000 {
		t.Errorf("%d reads of a dataset that cannot be read", reads)
	}
}
