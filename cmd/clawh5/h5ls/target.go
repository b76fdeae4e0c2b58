package h5ls

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"clawh5/cmd/clawh5/dump"
	"clawh5/core"
	"clawh5/storage/open"
)

// target is what listing one argument of the command line knows.
type target struct {
	*lister
	name       string // of the file, as given
	showFile   bool
	file       *core.File
	baseLen    int  // of the path of the group that is listed
	nameStart  int  // of the part of a path that is printed
	throughSym bool // the object that comes next is where a symbolic link leads
	showRoot   bool
	dangling   bool            // a dangling link was met
	visited    map[string]bool // symbolic links that were followed
	listing    *dump.Listing   // of references
	files      fileNumbers
}

// target lists one FILE/OBJECT; false ends the program.
func (l *lister) target(arg string, showFile bool) bool {
	file, name, object := l.open(arg)
	if l.ctx.Err() != nil {
		fmt.Fprintln(l.errors, "h5ls:", l.ctx.Err())
		return false
	}
	if file == nil {
		fmt.Fprintf(l.errors, "%s: unable to open file\n", arg)
		l.failed = true
		return true
	}
	defer file.Close()
	if l.verbose {
		l.printf("Opened \"%s\" with %s driver.\n", name, l.driverName(file, name))
	}
	t := &target{lister: l, name: name, showFile: showFile, file: file, visited: map[string]bool{},
		listing: dump.NewListing(l.ctx, l.out, l.errors, file, name),
		files:   fileNumbers{numbers: map[*core.File]int{file: 1}, opened: 1}}
	ok := t.list(object)
	if l.options.dangling && t.dangling {
		l.failed = true
	}
	return ok
}

// open finds out which part of an argument names the file: all of it, or all
// before one of its slashes, the last one that serves.
func (l *lister) open(arg string) (f *core.File, name, object string) {
	o := core.Options{External: core.ExternalBelow, MarkNull: true, VirtualPrefix: os.Getenv("HDF5_VDS_PREFIX")}
	if l.followLinks || l.followExtern {
		o.External = core.ExternalAnywhere
	}
	for name = arg; name != "" && !strings.HasSuffix(name, ":/"); name = name[:strings.LastIndexByte(name, '/')] {
		f, err := core.OpenLocation(l.ctx, name, open.Options{Driver: l.driver, Revision: l.revision}, o)
		if err == nil {
			return f, name, arg[len(name):]
		}
		if l.errorStack {
			fmt.Fprintln(l.errors, "h5ls error:", err)
		}
		if l.ctx.Err() != nil || !strings.Contains(name, "/") {
			break
		}
	}
	return nil, "", ""
}

// driverName is what HDF5 calls the way in which a file is stored; split files
// are a kind of multi files.
func (l *lister) driverName(f *core.File, name string) string {
	switch at := f.Location(); {
	case l.driver != "" && l.driver != "split":
		return l.driver
	case f.Remote():
		return "http"
	case strings.Contains(name, "%"):
		return "family"
	case !strings.HasSuffix(at, filepath.Base(name)) && (strings.HasSuffix(at, "-s.h5") || strings.HasSuffix(at, "-m.h5")):
		return "multi"
	}
	return "sec2"
}

// list lists the object of an argument, or what the group holds that it names.
func (t *target) list(object string) bool {
	if object == "" || object == "/" {
		t.showRoot = t.recursive && object == ""
		if object == "/" {
			t.nameStart = 1
		}
		return t.visit("/")
	}
	t.baseLen, t.nameStart = len(strings.TrimSuffix(object, "/")), 1
	link, err := t.file.Root().Link(t.ctx, object)
	switch {
	case err != nil:
		t.printName(object, "**NOT FOUND**")
		return false
	case link.Kind == core.HardLink:
		return t.visit(object)
	}
	t.link(object, &link)
	return true
}

// fileNumbers numbers files as libhdf5 does, one more each time that one is
// opened. It opens the target of an external link anew for every name that
// leads through one, unless it has it open.
type fileNumbers struct {
	numbers map[*core.File]int
	opened  int
}

// of returns the number of the file in which a name was just looked up.
func (n *fileNumbers) of(f *core.File) int {
	if held, ok := n.numbers[f]; ok {
		return held
	}
	n.opened++
	return n.opened
}
