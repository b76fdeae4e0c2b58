// Package command holds the subcommands of clawh5, one a file.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"clawh5/core"
	"clawh5/storage/open"
)

// Exit codes.
const (
	exitOK    = 0
	exitFile  = 1 // a problem in the file, or of reading it
	exitUsage = 2
)

// usageError marks what the user typed as the cause.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	for _, run := range [...]func(context.Context, []string, io.Writer, io.Writer) (int, bool){runH5ls, runDump} {
		if code, ok := run(ctx, args, stdout, stderr); ok {
			return code
		}
	}
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(stderr, "clawh5:", err)
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintln(stderr, "Run 'clawh5 help' for how it is used.")
		return exitUsage
	}
	return exitFile
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "clawh5",
		Short: "Look into HDF5 and netCDF-4 files where they are",
		Long: `clawh5 reads HDF5 and netCDF-4 files where they are: a path on a disk, or an
http:// or https:// URL, of which it fetches the bytes it needs and no more.

  clawh5 ls -r https://host/file.nc                  what is in it
  clawh5 stat file.nc /tas                           one variable in full
  clawh5 cat file.nc /tas --slice '0,10:20,:'        some of its values
  clawh5 dump file.nc                                all of it, as HDF5's h5dump prints it
  clawh5 explain file.nc /tas --slice '0,:,:'        what that read costs, and why
  clawh5 serve . --latency 20ms                      try a remote file without a remote

Exit codes: 0 done, 1 a problem in the file or of reading it, 2 wrong usage.`,
		Version:       core.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("unknown command %q", args[0])}
			}
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newLs(), newStat(), newCat(), newDump(), newExplain(), newServe())
	return root
}

// arguments makes cobra's checks of argument counts usage errors.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// source is the flags that say how a file is opened.
type source struct {
	alone   bool
	headers []string
}

func (s *source) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.alone, "no-external", false, "open no other files that FILE leads to (those below its directory are)")
	cmd.Flags().StringArrayVar(&s.headers, "header", nil, "HTTP header 'Name: value' to send (may be repeated)")
}

func (s *source) open(ctx context.Context, location string) (*core.File, error) {
	var o core.Options
	if s.alone {
		o.External = core.RefuseExternal
	}
	headers := http.Header{}
	for _, h := range s.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok {
			return nil, usageError{fmt.Errorf("the header %q is not of the form 'Name: value'", h)}
		}
		headers.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return core.OpenLocation(ctx, location, open.Options{Headers: headers}, o)
}

// pathArgument returns args[i], or the root group.
func pathArgument(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return "/"
}
