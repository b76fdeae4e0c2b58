package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"clawh5/core"
)

type explainOptions struct{ sliced }

func newExplain() *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain FILE DATASET",
		Short: "Tell what a read would cost, without reading",
		Long: `Plan the read of a dataset or a slice and print the plan: requests, bytes, chunks,
and the ranges that would be fetched. The chunk index is read, data is not.

` + sliceHelp,
		Example: `  clawh5 explain http://127.0.0.1:8000/demo.h5 /surface/t2m --slice '0,:,:'`,
		Args:    arguments(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			return o.with(cmd.Context(), args[0], args[1], func(d *core.Dataset, s core.Selection, _ []uint64) error {
				return o.print(cmd.Context(), out, d, s)
			})
		},
	}
	o.flags(cmd, "print JSON")
	return cmd
}

func (o *explainOptions) print(ctx context.Context, out io.Writer, d *core.Dataset, s core.Selection) error {
	if o.json {
		text, err := d.AppendPlan(ctx, nil, s)
		if err == nil {
			_, err = fmt.Fprintf(out, "%s\n", text)
		}
		return err
	}
	text, err := d.Explain(ctx, s)
	if err == nil {
		_, err = fmt.Fprint(out, text)
	}
	return err
}
