package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"clawh5/cmd/clawh5/dump"
)

const dumpName = "dump"

// runDump runs 'dump', whose arguments and exit codes are those of another
// tool; ok is false for any other command line.
func runDump(ctx context.Context, args []string, stdout, stderr io.Writer) (code int, ok bool) {
	if len(args) == 0 || args[0] != dumpName {
		return 0, false
	}
	return dump.Run(ctx, args[1:], stdout, stderr), true
}

// newDump returns the command for the lists and the help of commands: a command
// line that begins with it does not get here.
func newDump() *cobra.Command {
	return &cobra.Command{
		Use:   dumpName + " [OPTIONS] FILE...",
		Short: "Print objects and values as HDF5's h5dump does",
		Long: `Print what is in files in the text that HDF5's own h5dump prints, byte for byte,
with its options, its messages and its exit codes; URLs may stand for files.
'clawh5 dump -h' lists the options. One is not h5dump's: --outside opens files that
FILE leads to wherever they are, as h5dump does; without it they must lie in the
directory of FILE or below.`,
		Example: `  clawh5 dump -H file.nc
  clawh5 dump -d /tas -s 0,0,0 -c 1,2,2 file.nc
  clawh5 dump -p -A https://host/file.h5
  clawh5 dump --xml file.h5`,
		DisableFlagParsing: true,
		Run:                func(*cobra.Command, []string) {},
	}
}
