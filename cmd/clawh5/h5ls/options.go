package h5ls

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// options is what the command line asks for.
type options struct {
	verbose      bool
	width        int // columns of output
	address      bool
	data         bool
	label        bool // names of members beside their values
	text         bool // 1-byte integers as characters
	fullNames    bool
	recursive    bool
	followLinks  bool // soft and external
	followExtern bool
	dangling     bool // dangling links are errors
	groupItself  bool // a group, not what it holds
	hexdump      bool
	simple       bool
	noWrap       bool
	driver       string
	revision     uint64 // of the onion driver
	errorStack   bool   // --enable-error-stack
}

// action is what a command line leads to.
type action int

const (
	actList action = iota
	actUsage
	actBadUsage
	actVersion
)

// optionSwitch is an option without a value. The letter is 0 where there is none.
type optionSwitch struct {
	letter rune
	name   string
	set    func(*options)
}

var switches = []optionSwitch{
	{'a', "address", func(o *options) { o.address = true }},
	{'d', "data", func(o *options) { o.data = true }},
	{'e', "errors", func(o *options) { o.errorStack = true }},
	{'E', "external", func(o *options) { o.followExtern = true }},
	{'f', "full", func(o *options) { o.fullNames = true }},
	{'g', "group", func(o *options) { o.groupItself = true }},
	{'l', "label", func(o *options) { o.label = true }},
	{'r', "recursive", func(o *options) { o.recursive, o.fullNames = true, true }},
	{'S', "simple", func(o *options) { o.simple = true }},
	{'s', "string", func(o *options) { o.text = true }},
	{'v', "verbose", func(o *options) { o.verbose = true }},
	{'x', "hexdump", func(o *options) { o.hexdump = true }},
	{0, "enable-error-stack", func(o *options) { o.errorStack = true }},
	{0, "follow-symlinks", func(o *options) { o.followLinks = true }},
	{0, "no-dangling-links", func(o *options) { o.dangling = true }},
}

// setSwitch applies the first switch that is the one meant.
func (o *options) setSwitch(meant func(*optionSwitch) bool) bool {
	for i := range switches {
		if meant(&switches[i]) {
			switches[i].set(o)
			return true
		}
	}
	return false
}

// valued are the options with =value that mean something to HDF5's connectors
// and caches alone.
var valued = []string{
	"vol-value", "vol-name", "vol-info", "vfd-value", "page-buffer-size",
}

// parse sets the options and returns the arguments behind them.
func (o *options) parse(args []string, stderr io.Writer) ([]string, action) {
	o.width = columns()
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if args[0] == "--" {
			args = args[1:]
			break
		}
		used, act := o.option(args, stderr)
		if act != actList {
			return nil, act
		}
		args = args[used:]
	}
	switch {
	case len(args) == 0:
		return nil, actBadUsage
	case o.recursive && o.groupItself:
		fmt.Fprint(stderr, "Error: 'recursive' option not compatible with 'group info' option!\n\n")
		return nil, actBadUsage
	case o.dangling && !o.followLinks:
		fmt.Fprint(stderr, "Error: --no-dangling-links must be used along with --follow-symlinks option!\n\n")
		return nil, actBadUsage
	}
	return args, actList
}

// option takes one option from the front of args and returns how many arguments
// it is.
func (o *options) option(args []string, stderr io.Writer) (int, action) {
	arg := args[0]
	switch {
	case strings.HasPrefix(arg, "-w"), arg == "--width":
		return o.setWidth(args)
	case strings.HasPrefix(arg, "--width="):
		return 1, o.parseWidth(arg[len("--width="):], true)
	case strings.HasPrefix(arg, "--"):
		return 1, o.long(arg[2:], stderr)
	}
	for _, c := range arg[1:] {
		switch {
		case c == '?' || c == 'h':
			return 1, actUsage
		case c == 'V':
			return 1, actVersion
		case !o.setSwitch(func(s *optionSwitch) bool { return s.letter == c && c != 0 }):
			return 1, actBadUsage
		}
	}
	return 1, actList
}

func (o *options) long(name string, stderr io.Writer) action {
	key, value, hasValue := strings.Cut(name, "=")
	switch {
	case name == "help":
		return actUsage
	case name == "version":
		return actVersion
	case hasValue && (key == "vfd" || key == "vfd-name"):
		o.driver = value
		return actList
	case hasValue && key == "vfd-info":
		o.revision, _ = strconv.ParseUint(value, 10, 64)
		return actList
	case hasValue && (key == "s3-cred" || key == "hdfs-attrs"):
		fmt.Fprintf(stderr, "Error: --%s is not supported.\n\n", key)
		return actBadUsage
	}
	if hasValue && slices.Contains(valued, key) || o.setSwitch(func(s *optionSwitch) bool { return s.name == name }) {
		return actList
	}
	fmt.Fprintf(stderr, "Unknown argument: --%s\n", name)
	return actBadUsage
}

// setWidth is -wN, -w N and --width N.
func (o *options) setWidth(args []string) (int, action) {
	if value := args[0][2:]; value != "" && args[0] != "--width" {
		return 1, o.parseWidth(value, true)
	}
	if len(args) < 2 {
		return 1, actBadUsage
	}
	return 2, o.parseWidth(args[1], args[0] != "--width")
}

// parseWidth sets the width; 0, where it is allowed, means not to wrap lines.
func (o *options) parseWidth(s string, zero bool) action {
	n, err := strconv.ParseInt(s, 0, 32)
	switch {
	case err != nil || n < 0 || n == 0 && !zero:
		return actBadUsage
	case n == 0:
		o.noWrap = true
	default:
		o.width = int(n)
	}
	return actList
}

// columns is the width of the terminal, as far as the environment tells.
func columns() int {
	if n, err := strconv.ParseInt(os.Getenv("COLUMNS"), 0, 32); err == nil && n > 0 {
		return int(n)
	}
	return 80
}
