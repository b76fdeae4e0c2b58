// Package dump prints what is in HDF5 files in the text that HDF5's own h5dump
// prints, byte for byte: its options, its order, its line breaks, its exit codes.
//
//	options  ── what the command line asks for
//	dumper   ── walks the files and prints them as DDL
//	  tables ── the objects of one file by address: who was printed, by which name
//	  render ── elements and lines (cmd/clawh5/render)
//
// Two languages are printed. DDL is what group, dataset, namedDatatype and
// attribute in this package write. XML (options.xml) is written by xmlFile, which
// does its own walk as h5dump does, and shares the rest: options, tables
// (dumper.tables), links in order (dumper.links), reading (dumper.reading and
// dumper.attributeReading, whose parts give data in bounded pieces), render.
package dump

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
	"clawh5/core/h5err"
	"clawh5/storage"
	"clawh5/storage/open"
)

// program is the name in messages, which scripts look for.
const program = "h5dump"

// Exit codes of h5dump.
const (
	exitSuccess = 0
	exitFailure = 1
)

// dumper prints files.
type dumper struct {
	ctx  context.Context
	opts options

	standard *bufio.Writer // standard output
	errors   io.Writer
	out      io.Writer // DDL or XML; nil swallows it
	data     io.Writer // values of datasets
	attrs    io.Writer // values of attributes
	files    []*os.File
	status   int

	format  render.Format // of lines and values; without indexes
	indent  int           // level of what is printed now
	counted bool          // as h5ls does: parts of regions, and files, have numbers

	name        string // of the file, as it was given
	file        *core.File
	main        *core.File // the file that was named
	known       map[string]*tables
	hitExternal bool // an external link was followed to where we are
}

// Run runs one command line, without the program's name, and returns the exit
// code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	d := &dumper{ctx: ctx, standard: bufio.NewWriterSize(stdout, 1<<16), errors: stderr}
	d.out, d.data, d.attrs = d.standard, d.standard, d.standard
	defer d.close()
	switch d.parse(args) {
	case parsedDone:
		return d.finish()
	case parsedUsage:
		d.usage()
		d.status = exitFailure
		return d.finish()
	case parsedError:
		d.status = exitFailure
		return d.finish()
	}
	if d.check() {
		d.run()
	}
	return d.finish()
}

// check refuses combinations of options.
func (d *dumper) check() bool {
	o := &d.opts
	unavailable := ""
	switch {
	case o.binary && o.output == nil:
		d.fail("binary output requires a file name, use -o <filename>\n")
		return false
	case !o.xml && o.xmlURI != "":
		d.warn("option \"%s\" only applies with XML: %s\n", "--xml-dtd", o.xmlURI)
	case !o.xml:
	case len(o.requests) > 0:
		unavailable = "to display selected objects"
	case o.superblock:
		unavailable = "--boot-block"
	case o.objectIDs:
		unavailable = "--object-ids"
	case o.characters:
		unavailable = "--string"
	case o.output != nil:
		unavailable = "--output"
	}
	if unavailable != "" {
		d.fail("option \"%s\" not available for XML\n", unavailable)
		return false
	}
	return true
}

func (d *dumper) run() {
	d.format = render.Dump()
	if d.opts.float != "" {
		d.format.Float, d.format.Double = d.opts.float, d.opts.float
	}
	d.format.Columns = d.opts.columns
	if d.opts.columns == 0 {
		d.format.Columns, d.format.PerLine = maxColumns, 1
	}
	d.format.Escape = d.opts.escape
	for _, name := range d.opts.files {
		if !d.dumpFile(name) {
			return
		}
	}
}

// dumpFile prints one file and reports whether the next one shall be.
func (d *dumper) dumpFile(name string) bool {
	f, err := d.open(name)
	if err != nil {
		d.explain(err)
		d.fail("unable to open file \"%s\"\n", name)
		return false
	}
	defer f.Close()
	d.name, d.file, d.main, d.hitExternal, d.known = name, f, f, false, map[string]*tables{}
	if d.opts.xml {
		d.xmlFile()
		return true
	}
	d.print("%s \"%s\" {", "HDF5", name)
	if d.opts.contents {
		d.print("\n")
		d.printContents()
		d.print("}\n")
		return false
	}
	if d.opts.superblock {
		d.printSuperblock()
	}
	if len(d.opts.requests) == 0 {
		d.indent++
		d.group(f.Root(), "/")
		d.indent--
	}
	for _, r := range d.opts.requests {
		r.print(d, r)
	}
	d.print("\n}\n")
	return true
}

// onionDriver keeps revisions of a file beside it.
const onionDriver = "onion"

func (d *dumper) open(name string) (*core.File, error) {
	o := core.Options{
		External: core.ExternalBelow, MarkNull: true,
		PrintfGap: d.opts.gap, VirtualPrefix: os.Getenv("HDF5_VDS_PREFIX"),
	}
	if d.opts.outside || o.VirtualPrefix != "" {
		o.External = core.ExternalAnywhere
	}
	if d.opts.firstMissing {
		o.View = core.FirstMissing
	}
	so := open.Options{Driver: d.opts.driver}
	if so.Driver == onionDriver {
		so.Revision, _ = strconv.ParseUint(d.opts.driverInfo, 10, 64)
	}
	return core.OpenLocation(d.ctx, name, so, o)
}

// print prints to where DDL goes.
func (d *dumper) print(format string, args ...any) {
	if d.out != nil {
		fmt.Fprintf(d.out, format, args...)
	}
}

// fail prints a message and makes the exit code one of failure.
func (d *dumper) fail(format string, args ...any) {
	d.message(format, args...)
	d.status = exitFailure
}

func (d *dumper) message(format string, args ...any) {
	d.standard.Flush()
	fmt.Fprintf(d.errors, program+" error: "+format, args...)
}

func (d *dumper) warn(format string, args ...any) {
	d.standard.Flush()
	fmt.Fprintf(d.errors, program+" warning: "+format, args...)
}

// explain prints the cause of a message that comes next, if that was asked for.
func (d *dumper) explain(err error) {
	if err == nil || d.opts.errorStack == 0 {
		return
	}
	d.standard.Flush()
	fmt.Fprintln(d.errors, program+":", err)
	if words := libraryWords(err); words != "" {
		fmt.Fprintln(d.errors, "    "+words)
	}
}

// libraryWords returns how libhdf5 says what scripts look for.
func libraryWords(err error) string {
	var e *h5err.Error
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return ""
	case errors.Is(err, h5err.NotFound):
		return "component not found"
	case errors.Is(err, h5err.Limit):
		return "Too many soft links in path"
	case errors.As(err, &e) && e.Kind == h5err.Unsupported && strings.Contains(e.Structure, "filter"):
		return "required filter is not available, filter plugins disabled"
	}
	return ""
}

func (d *dumper) finish() int {
	if d.out == nil && d.data == io.Writer(d.standard) {
		fmt.Fprintln(d.standard)
	}
	if err := d.standard.Flush(); err != nil && d.status == exitSuccess {
		d.fail("%v\n", err)
	}
	return d.status
}

func (d *dumper) close() {
	for _, f := range d.files {
		if err := f.Close(); err != nil {
			fmt.Fprintln(d.errors, program+":", err)
		}
	}
}
