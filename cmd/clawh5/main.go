// Command clawh5 looks into HDF5 and netCDF-4 files on disks and HTTP servers.
package main

import (
	"context"
	"os"
	"os/signal"

	"clawh5/cmd/clawh5/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(command.Run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
