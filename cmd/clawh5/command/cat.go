package command

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"clawh5/core"
)

type catOptions struct{ sliced }

func newCat() *cobra.Command {
	var o catOptions
	cmd := &cobra.Command{
		Use:   "cat FILE DATASET",
		Short: "Print values of a dataset",
		Long: `Print the values of a dataset, or of a slice of it: one line for each row of the last
dimension, values separated by spaces. Only the chunks that hold them are fetched.

` + sliceHelp,
		Example: `  clawh5 cat file.nc /tas --slice '0,10:20,:'
  clawh5 cat http://127.0.0.1:8000/demo.h5 /time --slice=-1 --json`,
		Args: arguments(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			return o.with(cmd.Context(), args[0], args[1], func(d *core.Dataset, s core.Selection, shape []uint64) error {
				return o.print(cmd.Context(), out, d, s, shape)
			})
		},
	}
	o.flags(cmd, "print nested JSON arrays")
	return cmd
}

func (o *catOptions) print(ctx context.Context, out io.Writer, d *core.Dataset, s core.Selection, shape []uint64) error {
	if d.Rank() < 0 { // a null dataspace has no values
		if o.json {
			fmt.Fprintln(out, "null")
		}
		return nil
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
