package command

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"clawh5/core"
)

type lsOptions struct {
	source
	recursive  bool
	attributes bool
	json       bool
}

func newLs() *cobra.Command {
	var o lsOptions
	cmd := &cobra.Command{
		Use:   "ls FILE [PATH]",
		Short: "List groups, datasets and links",
		Long: `List what a group holds: name, kind, and for datasets shape, datatype and storage.
FILE is a path or an http(s) URL; PATH a group or one object in it (default: the root group).

With -r everything below is listed, each object once. Soft and external links are
shown with their targets and not followed. A remote tree costs a few requests.`,
		Example: `  clawh5 ls file.h5
  clawh5 ls -r http://127.0.0.1:8000/demo.h5 /surface
  clawh5 ls -r --json file.h5 | jq '.objects[].name'
  clawh5 ls --h5ls -rv file.h5/surface`,
		Args: arguments(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), cmd.OutOrStdout(), args[0], pathArgument(args, 1))
		},
	}
	o.source.flags(cmd)
	cmd.Flags().BoolVarP(&o.recursive, "recursive", "r", false, "list everything below, not one group alone")
	cmd.Flags().BoolVarP(&o.attributes, "attributes", "a", false, "list the names and types of attributes too")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the full description as JSON")
	describeH5ls(cmd)
	return cmd
}

func (o *lsOptions) run(ctx context.Context, out io.Writer, location, path string) error {
	f, err := o.open(ctx, location)
	if err != nil {
		return err
	}
	defer f.Close()
	flags := core.DescribeLinks | core.DescribeChildren
	if o.recursive {
		flags |= core.DescribeTree
	}
	if o.attributes || o.json {
		flags |= core.DescribeAttributes
	}
	d, text, err := describe(ctx, f, path, flags)
	if err != nil {
		return err
	}
	if o.json {
		_, err = fmt.Fprintf(out, "%s\n", text)
		return err
	}
	return o.print(out, d)
}

func (o *lsOptions) print(out io.Writer, d *description) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for i := range d.Objects {
		ob := &d.Objects[i]
		listed := i == 0 && ob.Kind == "group" // its members are what is asked for
		if !listed || o.attributes && len(ob.Attributes) > 0 {
			fmt.Fprintln(w, ob.line(d))
			o.printAttributes(w, d, ob)
		}
	}
	for i := range d.Objects {
		ob := &d.Objects[i]
		for _, l := range ob.Links {
			if l.Kind != "hard" && (o.recursive || i == 0) {
				fmt.Fprintln(w, l.line(ob.Name))
			}
		}
	}
	return w.Flush()
}

func (o *lsOptions) printAttributes(w io.Writer, d *description, ob *object) {
	if !o.attributes {
		return
	}
	for _, a := range ob.Attributes {
		shape := a.Space
		if a.Space == "simple" {
			shape = tuple(a.Shape)
		}
		fmt.Fprintf(w, "  @%s\tattribute\t%s\t%s\t\n", a.Name, shape, &d.Types[a.Type])
	}
}

func (o *object) line(d *description) string {
	name := o.Name
	if name == "" {
		name = "."
	}
	switch {
	case o.Error != "":
		return fmt.Sprintf("%s\t%s\terror: %s\t\t", name, o.Kind, o.Error)
	case o.Kind == "dataset":
		return fmt.Sprintf("%s\tdataset\t%s\t%s\t%s", name, o.shape(), &d.Types[o.Type], o.storage())
	case o.Kind == "datatype":
		return fmt.Sprintf("%s\tdatatype\t\t%s\t", name, &d.Types[o.Type])
	}
	return fmt.Sprintf("%s\t%s\t\t\t", name, o.Kind)
}

func (l *link) line(group string) string {
	name := l.Name
	if group != "" {
		name = group + "/" + l.Name
	}
	target := l.Target
	if l.File != "" {
		target = l.File + ":" + l.Target
	}
	return fmt.Sprintf("%s\t%s link\t-> %s\t\t", name, l.Kind, target)
}
