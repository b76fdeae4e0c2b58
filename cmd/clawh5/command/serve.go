package command

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"clawh5/storage/rangeserver"
)

type serveOptions struct {
	host      string
	port      int
	latency   time.Duration
	bandwidth string
	verbose   bool
	faults    rangeserver.Faults
}

func newServe() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve DIR",
		Short: "Serve a directory over HTTP with byte ranges, as slow as a remote one",
		Long: `Serve the files of a directory over HTTP with byte ranges, with the latency and the
bandwidth of a remote server, to see what reading a file there would take.

The first line printed is "serving DIR at http://HOST:PORT/". Counters and the log of
requests are JSON at /__stats and /__log; /__reset forgets them. The server is for
trying and testing on one machine; it ends with Ctrl-C.`,
		Example: `  clawh5 serve . --latency 20ms --bandwidth 100MB
  clawh5 ls -r http://127.0.0.1:8000/file.nc`,
		Args: arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.host, "host", "127.0.0.1", "address to listen on")
	f.IntVarP(&o.port, "port", "p", 8000, "port to listen on, 0 for any free one")
	f.DurationVar(&o.latency, "latency", 0, "wait before the first byte of every answer, for example 20ms")
	f.StringVar(&o.bandwidth, "bandwidth", "", "bytes a second on each connection, for example 100MB (default: no limit)")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "print a line for every request on stderr")
	f.IntVar(&o.faults.FailEvery, "fail-every", 0, "answer every Nth request with status 503")
	f.IntVar(&o.faults.CutEvery, "truncate-every", 0, "cut the body of every Nth answer and close the connection")
	f.IntVar(&o.faults.ResetEvery, "reset-every", 0, "close the connection of every Nth request without an answer")
	f.IntVar(&o.faults.ETagChangeAfter, "change-after", 0, "pretend that files change after N requests")
	f.BoolVar(&o.faults.NoRange, "no-range", false, "ignore ranges, as a server without them does")
	return cmd
}

func (o *serveOptions) run(ctx context.Context, out, log io.Writer, dir string) error {
	bandwidth, err := parseBytes(o.bandwidth)
	if err != nil {
		return usageError{err}
	}
	so := rangeserver.Options{Latency: o.latency, Bandwidth: bandwidth, Faults: o.faults}
	if o.verbose {
		so.Log = log
	}
	s, err := rangeserver.NewDir(dir, so)
	if err != nil {
		return err
	}
	running, err := s.Start(fmt.Sprintf("%s:%d", o.host, o.port))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "serving %s at %s/\n", dir, running.URL)
	return running.Wait(ctx)
}

// parseBytes reads a number of bytes with a decimal unit: 1500, 100MB, 1.5GB.
func parseBytes(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	number, factor := strings.TrimSuffix(strings.ToUpper(text), "B"), 1.0
	for i, unit := range []string{"K", "M", "G"} {
		if cut, ok := strings.CutSuffix(number, unit); ok {
			number = cut
			for range i + 1 {
				factor *= 1000
			}
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(v >= 0 && v*factor < 1<<62) {
		return 0, fmt.Errorf("%q is not a number of bytes such as 100MB", text)
	}
	return int64(v * factor), nil
}
