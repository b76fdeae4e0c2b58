package dump

import (
	"fmt"
	"strconv"
	"strings"
)

// version is that of the h5dump whose output this is.
const version = "1.17.0"

const (
	defaultColumns = 80
	maxColumns     = 65535
)

// options is what the command line asks for.
type options struct {
	files    []string
	requests []*request // nothing: everything

	data, attributeData bool // print values
	attributes          bool // print attributes
	objectIDs           bool
	properties          bool
	superblock          bool
	contents            bool
	contentsAttributes  bool
	indexes             bool
	escape              bool
	characters          bool // 1-byte integers as text
	regions             bool // what region references point at
	noCompactSubset     bool

	float   string // printf format; "" is the default
	columns int    // 0: one element a line

	packed []packedBits

	byCreation, descending bool

	output     *string // file of values
	binary     bool
	binaryForm binaryForm

	xml, dtd   bool
	xmlURI     string
	xmlPrefix  string // of names
	driver     string
	driverInfo string
	revision   uint64

	outside      bool // files that the directory of this one does not hold may be opened
	firstMissing bool // of virtual datasets
	gap          uint64

	errorStack int

	// dataset is the request that the options about a dataset belong to.
	dataset *request
}

// request is an object to print.
type request struct {
	print  func(d *dumper, r *request)
	name   string
	subset *subset
}

type binaryForm uint8

const (
	binaryMemory binaryForm = iota
	binaryFile
	binaryLE
	binaryBE
)

var binaryForms = map[string]binaryForm{
	"NATIVE": binaryMemory, "MEMORY": binaryMemory, "FILE": binaryFile, "LE": binaryLE, "BE": binaryBE,
}

// parsed is what came of reading the command line.
type parsed uint8

const (
	parsedFiles parsed = iota // there are files to print
	parsedDone                // all is done
	parsedUsage               // it was wrong, the usage shall be printed
	parsedError               // it was wrong, and said so
)

// parse reads the command line.
func (d *dumper) parse(args []string) parsed {
	o := &d.opts
	*o = options{data: true, attributeData: true, attributes: true, indexes: true, columns: defaultColumns, xmlPrefix: "hdf5:"}
	if len(args) == 0 {
		return parsedUsage
	}
	s := scanner{args: args, errors: d.errors}
	subsetting := false
	for {
		letter, arg, ok := s.next()
		if !ok {
			break
		}
		if subsets := strings.IndexByte("sSck", letter) >= 0; subsets || subsetting {
			// Such options follow each other directly.
			if subsetting && !subsets {
				o.dataset = nil
			}
			subsetting = subsets
		}
		if p := d.option(letter, arg); p != parsedFiles {
			return p
		}
	}
	if o.driver == onionDriver {
		d.onion()
	}
	o.files = args[s.at:]
	if len(o.files) == 0 {
		d.message("missing file name\n")
		return parsedUsage
	}
	return parsedFiles
}

// onion reads the revision from what was told to the driver, and says so as
// h5dump does. Without one it is the original.
func (d *dumper) onion() {
	if d.opts.driverInfo == "" {
		return
	}
	d.opts.revision = uint64(max(atoi(d.opts.driverInfo), 0))
	fmt.Fprintf(d.standard, "Using revision %d\n", d.opts.revision)
}

// option applies one option.
func (d *dumper) option(letter byte, arg *string) parsed {
	o := &d.opts
	value := ""
	if arg != nil {
		value = *arg
	}
	if f := o.flag(letter); f != nil {
		*f = true
		return parsedFiles
	}
	switch letter {
	case 'y':
		o.indexes = false
	case 'E':
		o.errorStack = 1
		if arg != nil {
			o.errorStack = atoi(value)
		}
	case 'G':
		n := atoi(value)
		if n < 0 {
			return parsedUsage
		}
		o.gap = uint64(n)
	case 'K', 'F', '1', '2', '3', '4': // without effect here
	case 'f', '5':
		o.driver = value
	case '6':
		o.driverInfo = value
	case 'V':
		d.print("%s: Version %s\n", program, version)
		return parsedDone
	case 'h':
		d.usage()
		return parsedDone
	case '$', '#':
		d.message("%s is not available: give the URL of the file instead.\n", map[byte]string{'$': "--s3-cred", '#': "--hdfs-attrs"}[letter])
		return parsedError
	case 'b':
		return o.binaryOption(arg)
	case 'q':
		return choice(&o.byCreation, value, "name", "creation_order")
	case 'z':
		return choice(&o.descending, value, "ascending", "descending")
	case 'O':
		return d.redirect(&d.out, arg)
	case 'M':
		return d.packedOption(value)
	case 's', 'S', 'c', 'k':
		return d.subsetOption(letter, value)
	case 'x', 'u', 'D', 'X', 'm':
		return o.xmlOption(letter, value)
	default:
		return d.objectOption(letter, arg)
	}
	return parsedFiles
}

// choice sets a switch by one of two words.
func choice(on *bool, value, no, yes string) parsed {
	if value != no && value != yes {
		return parsedUsage
	}
	*on = value == yes
	return parsedFiles
}

// flag returns what an option without an argument sets, nil for other ones.
func (o *options) flag(letter byte) *bool {
	return map[byte]*bool{'p': &o.properties, 'e': &o.escape, 'R': &o.regions, 'r': &o.characters,
		'C': &o.noCompactSubset, 'v': &o.firstMissing, '@': &o.outside}[letter]
}

// objectOption applies the options that end those about a dataset.
func (d *dumper) objectOption(letter byte, arg *string) parsed {
	o := &d.opts
	value := ""
	if arg != nil {
		value = *arg
	}
	o.dataset = nil
	switch letter {
	case 'B':
		o.superblock = true
	case 'n':
		o.contents = true
		o.contentsAttributes = atoi(value) > 0
	case 'H':
		o.data, o.attributeData = false, false
	case 'A':
		if arg == nil {
			o.data, o.attributeData = false, true
		} else if atoi(value) == 0 {
			o.attributes = false
		}
	case 'i':
		o.objectIDs = true
	case 'w':
		if o.columns = atoi(value); o.columns <= 0 {
			o.columns = maxColumns
		}
	case 'o':
		return d.outputOption(arg)
	case 'N':
		o.request((*dumper).handlePath, value)
	case 'a':
		o.request((*dumper).handleAttribute, value)
	case 'g':
		o.request((*dumper).handleGroup, value)
	case 'l':
		o.request((*dumper).handleLink, value)
	case 't':
		o.request((*dumper).handleDatatype, value)
	case 'd':
		r := o.request((*dumper).handleDataset, value)
		if !o.noCompactSubset {
			r.name, r.subset = cutSubset(value)
		}
		o.dataset = r
	default:
		return parsedUsage
	}
	return parsedFiles
}

func (o *options) request(print func(*dumper, *request), name string) *request {
	r := &request{print: print, name: name}
	o.requests = append(o.requests, r)
	return r
}

// atoi reads a number as C does: what is no digit ends it.
func atoi(s string) int {
	s = strings.TrimLeft(s, " \t\n")
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || end == 0 && (s[0] == '-' || s[0] == '+')) {
		end++
	}
	n, _ := strconv.ParseInt(s[:end], 10, 32)
	return int(n)
}
