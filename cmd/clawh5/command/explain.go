package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

type explainOptions struct {
	source
	slice string
	json  bool
}

func newExplain() *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain FILE DATASET",
		Short: "Tell what a read would cost, without reading",
		Long: `Plan the read of a dataset or a slice and print the plan: requests, bytes, chunks,
and the ranges that would be fetched. The chunk index is read, data is not.

` + sliceHelp,
		Example: `  clawh5 explain http://127.0.0.1:8000/demo.nc /tas --slice '0,:,:'`,
		Args:    arguments(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), cmd.OutOrStdout(), args[0], args[1])
		},
	}
	o.source.flags(cmd)
	cmd.Flags().StringVarP(&o.slice, "slice", "s", "...", "which elements, for example '0,10:20,:'")
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

func (o *explainOptions) run(ctx context.Context, out io.Writer, location, path string) error {
	f, err := o.open(ctx, location)
	if err != nil {
		return err
	}
	defer f.Close()
	d, err := openDataset(ctx, f, path)
	if err != nil {
		return err
	}
	s, _, err := parseSlice(o.slice, d.Dims())
	if err != nil {
		return usageError{err}
	}
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
