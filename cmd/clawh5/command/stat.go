package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"clawh5/core"
)

type statOptions struct {
	source
	json bool
}

func newStat() *cobra.Command {
	var o statOptions
	cmd := &cobra.Command{
		Use:   "stat FILE [PATH]",
		Short: "Tell all about a file or an object",
		Long: `Without PATH: size, identity and superblock of the file, what it holds, and how many
requests, bytes and dependent rounds it took to find that out.
With PATH: one object in full, with the values of its attributes.`,
		Example: `  clawh5 stat file.h5
  clawh5 stat http://127.0.0.1:8000/demo.h5 /surface/t2m`,
		Args: arguments(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return o.file(cmd.Context(), cmd.OutOrStdout(), args[0])
			}
			return o.object(cmd.Context(), cmd.OutOrStdout(), args[0], args[1])
		},
	}
	o.source.flags(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// fileFacts is what stat tells of a file.
type fileFacts struct {
	File   json.RawMessage   `json:"file"`
	Counts map[string]uint64 `json:"counts"`
	IO     json.RawMessage   `json:"io"`
}

func (o *statOptions) file(ctx context.Context, out io.Writer, location string) error {
	f, err := o.open(ctx, location)
	if err != nil {
		return err
	}
	defer f.Close()
	d, _, err := describe(ctx, f, "/", core.DescribeTree|core.DescribeLinks)
	if err != nil {
		return err
	}
	facts := fileFacts{File: f.AppendInfo(nil), Counts: d.count(), IO: f.AppendStats(nil)}
	if o.json {
		return json.NewEncoder(out).Encode(facts)
	}
	for _, part := range []struct {
		title string
		text  any
	}{{"file", facts.File}, {"holds", facts.Counts}, {"read for this listing", facts.IO}} {
		text, err := json.MarshalIndent(part.text, "  ", "  ")
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s:\n  %s\n", part.title, text)
	}
	return nil
}

func (d *description) count() map[string]uint64 {
	n := map[string]uint64{"groups": 0, "datasets": 0, "datatypes": 0, "attributes": 0, "links": 0, "unreadable": 0}
	for i := range d.Objects {
		ob := &d.Objects[i]
		if ob.Error != "" {
			n["unreadable"]++
			continue
		}
		n[ob.Kind+"s"]++
		n["attributes"] += ob.NAttributes
		n["links"] += uint64(len(ob.Links))
	}
	return n
}

func (o *statOptions) object(ctx context.Context, out io.Writer, location, path string) error {
	f, err := o.open(ctx, location)
	if err != nil {
		return err
	}
	defer f.Close()
	flags := core.DescribeLinks | core.DescribeAttributes | core.DescribeValues
	d, text, err := describe(ctx, f, path, flags)
	if err != nil {
		return err
	}
	if o.json {
		_, err = fmt.Fprintf(out, "%s\n", text)
		return err
	}
	ob := &d.Objects[0]
	fmt.Fprintf(out, "%s: %s at address %d\n", path, ob.Kind, ob.Address)
	if ob.Comment != "" {
		fmt.Fprintf(out, "  comment  %q\n", ob.Comment)
	}
	switch ob.Kind {
	case "dataset":
		fmt.Fprintf(out, "  shape    %s\n  type     %s\n  storage  %s\n", ob.shape(), &d.Types[ob.Type], ob.storage())
		if ob.Layout.Index != "" {
			fmt.Fprintf(out, "  index    %s\n", ob.Layout.Index)
		}
		fmt.Fprintf(out, "  fill     %s\n", ob.Fill.State)
	case "datatype":
		fmt.Fprintf(out, "  type     %s\n", &d.Types[ob.Type])
	case "group":
		fmt.Fprintf(out, "  links    %d\n", len(ob.Links))
	}
	return printAttributeValues(ctx, out, f, path, d, ob)
}

// longestValue is how much of an attribute's value is shown.
const longestValue = 200

func printAttributeValues(ctx context.Context, out io.Writer, f *core.File, path string, d *description, ob *object) error {
	at, err := f.Root().Open(ctx, path)
	if err != nil {
		return err
	}
	for _, a := range ob.Attributes {
		text := []byte("null")
		if v, err := at.Attribute(ctx, a.Name); err != nil {
			text = []byte(err.Error())
		} else if a.Space != "null" {
			text = v.AppendJSON(nil)
		}
		if len(text) > longestValue {
			text = append(text[:longestValue], "…"...)
		}
		fmt.Fprintf(out, "  @%s  %s  %s\n", a.Name, &d.Types[a.Type], text)
	}
	return nil
}
