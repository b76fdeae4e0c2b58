// Package h5ls lists HDF5 files in the words of HDF5's own h5ls, byte for byte,
// so that scripts and eyes used to that tool keep working. It follows the tool of
// HDF5 1.17, apart from what is plainly amiss there:
//
//   - values that cannot be read, and objects that cannot be opened, make the exit
//     code 1, with the reason on standard error; what follows them is listed
//
//   - -x prints bytes; there it prints the colons between them
//
//   - a committed type is set apart from what it is by a space, as in HDF5 1.10
//
//   - files that consist of several are number 1 all the same
//
//     options.go  the command line
//     target.go   FILE/OBJECT arguments: which part is the file
//     object.go   one object, its attributes and details
//     link.go     soft, external and user-defined links
//     visit.go    groups, recursively
//     dataset.go  the facts of a dataset
//     storage.go  where a dataset's raw data lies
//     types.go    h5ls's language for datatypes
//     values.go   values, rendered by package render
package h5ls

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"io"

	"clawh5/core"
)

// Exit codes of h5ls.
const (
	exitOK     = 0
	exitFailed = 1
)

//go:embed usage.txt
var usage string

// lister runs one command line.
type lister struct {
	options
	ctx    context.Context
	out    *bufio.Writer
	errors io.Writer
	failed bool // something was wrong, without ending the listing
}

// Run runs h5ls with its arguments, the name of the program aside, and returns
// the exit code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	l := &lister{ctx: ctx, out: bufio.NewWriter(stdout), errors: stderr}
	code := l.run(args)
	if err := l.out.Flush(); err != nil {
		fmt.Fprintln(stderr, "h5ls:", err)
		return exitFailed
	}
	return code
}

func (l *lister) run(args []string) int {
	targets, act := l.parse(args, l.errors)
	switch act {
	case actUsage:
		l.out.WriteString(usage)
		return exitOK
	case actBadUsage:
		l.out.WriteString(usage)
		return exitFailed
	case actVersion:
		fmt.Fprintf(l.out, "h5ls: Version %s (clawh5)\n", core.Version)
		return exitOK
	}
	for _, name := range targets {
		if !l.target(name, len(targets) > 1) {
			return exitFailed
		}
	}
	if l.failed {
		return exitFailed
	}
	return exitOK
}

// printf writes to the listing; a failure shows when it is flushed.
func (l *lister) printf(format string, args ...any) { fmt.Fprintf(l.out, format, args...) }

// problem tells of what could not be read; the listing goes on.
func (l *lister) problem(err error) {
	fmt.Fprintln(l.errors, "h5ls error:", err)
	l.failed = true
}
