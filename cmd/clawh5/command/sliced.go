package command

import (
	"context"

	"github.com/spf13/cobra"

	"clawh5/core"
)

const sliceHelp = `A slice has one part for each dimension, separated by commas, as in Python:
  5        one position (the dimension disappears)     -1     the last one
  10:20    positions 10 to 19                          ::2    every second one
  :        all of them                                 ...    all of the dimensions not named`

// sliced is the flags of commands on a slice of a dataset.
type sliced struct {
	source
	slice string
	json  bool
}

func (o *sliced) flags(cmd *cobra.Command, json string) {
	o.source.flags(cmd)
	cmd.Flags().StringVarP(&o.slice, "slice", "s", "...", "which elements, for example '0,10:20,:'")
	cmd.Flags().BoolVar(&o.json, "json", false, json)
}

// with opens the dataset and calls do with the selection and the shape of its
// result.
func (o *sliced) with(ctx context.Context, location, path string, do func(*core.Dataset, core.Selection, []uint64) error) error {
	f, err := o.open(ctx, location)
	if err != nil {
		return err
	}
	defer f.Close()
	at, err := f.Root().Open(ctx, path)
	if err != nil {
		return err
	}
	d, err := at.Dataset(ctx)
	if err != nil {
		return err
	}
	s, shape, err := parseSlice(o.slice, d.Dims())
	if err != nil {
		return usageError{err}
	}
	return do(d, s, shape)
}
