package command

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"clawh5/cmd/clawh5/h5ls"
)

const h5lsFlag = "h5ls"

// runH5ls runs 'ls --h5ls', whose other arguments are those of another tool;
// ok is false for any other command line.
func runH5ls(ctx context.Context, args []string, stdout, stderr io.Writer) (code int, ok bool) {
	if len(args) < 2 || args[0] != "ls" || args[1] != "--"+h5lsFlag {
		return 0, false
	}
	return h5ls.Run(ctx, args[2:], stdout, stderr), true
}

// describeH5ls adds the flag to a command's help. A command line that uses it
// rightly does not get to the command.
func describeH5ls(cmd *cobra.Command) {
	misplaced := cmd.Flags().Bool(h5lsFlag, false, "print what HDF5's h5ls prints; comes first, h5ls's own options and FILE/OBJECT follow")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *misplaced {
			return usageError{errors.New("--h5ls must come directly after ls")}
		}
		return nil
	}
}
