package command

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"clawh5/core"
)

type catOptions struct {
	source
	slice string
	json  bool
}

const sliceHelp = `A slice has one part for each dimension, separated by commas, as in Python:
  5        one position (the dimension disappears)     -1     the last one
  10:20    positions 10 to 19                          ::2    every second one
  :        all of them                                 ...    all of the dimensions not named`

func newCat() *cobra.Command {
	var o catOptions
	cmd := &cobra.Command{
		Use:   "cat FILE DATASET",
		Short: "Print values of a dataset",
		Long: `Print the values of a dataset, or of a slice of it: one line for each row of the last
dimension, values separated by spaces. Only the chunks that hold them are fetched.

` + sliceHelp,
		Example: `  clawh5 cat file.nc /tas --slice '0,10:20,:'
  clawh5 cat http://127.0.0.1:8000/demo.nc /time --slice=-1 --json`,
		Args: arguments(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), cmd.OutOrStdout(), args[0], args[1])
		},
	}
	o.source.flags(cmd)
	cmd.Flags().StringVarP(&o.slice, "slice", "s", "...", "which elements, for example '0,10:20,:'")
	cmd.Flags().BoolVar(&o.json, "json", false, "print nested JSON arrays")
	return cmd
}

func (o *catOptions) run(ctx context.Context, out io.Writer, location, path string) error {
	f, err := o.open(ctx, location)
	if err != nil {
		return err
	}
	defer f.Close()
	d, err := openDataset(ctx, f, path)
	if err != nil {
		return err
	}
	s, shape, err := parseSlice(o.slice, d.Dims())
	if err != nil {
		return usageError{err}
	}
	if d.Rank() < 0 { // a null dataspace has no values
		if o.json {
			_, err = fmt.Fprintln(out, "null")
		}
		return err
	}
	v, err := d.ReadValues(ctx, s, shape)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	if o.json {
		w.Write(append(v.AppendJSON(nil), '\n'))
	} else if err := printRows(w, v, shape); err != nil {
		return err
	}
	return w.Flush()
}

func openDataset(ctx context.Context, f *core.File, path string) (*core.Dataset, error) {
	o, err := f.Root().Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return o.Dataset(ctx)
}

// printRows writes a line for each row of the last dimension, and an empty line
// between planes.
func printRows(w io.Writer, v *core.Values, shape []uint64) error {
	rank := len(shape)
	return v.Each(func(index []uint64, text []byte) error {
		end := byte(' ')
		if rank == 0 || index[rank-1] == shape[rank-1]-1 {
			end = '\n'
		}
		if _, err := w.Write(append(text, end)); err != nil {
			return err
		}
		if rank > 2 && end == '\n' && index[rank-2] == shape[rank-2]-1 {
			_, err := fmt.Fprintln(w)
			return err
		}
		return nil
	})
}
