package dump

import (
	"io"
	"os"
)

// outputOption sends values to a file.
func (d *dumper) outputOption(name *string) parsed {
	o := &d.opts
	o.output = name
	w := &d.data
	if !o.binary && o.attributeData && !o.data {
		w = &d.attrs
	}
	p := d.redirect(w, name)
	if w == &d.attrs && len(o.requests) == 0 {
		d.data = d.attrs
	}
	return p
}

// xmlOption applies the options about XML, and the format of floating-point
// numbers, which like them ends the filling of lines.
func (o *options) xmlOption(letter byte, value string) parsed {
	o.columns = 0
	switch letter {
	case 'x':
		o.xml, o.dtd = true, false
	case 'u':
		o.xml, o.dtd, o.xmlPrefix = true, true, ""
	case 'D':
		o.xmlURI = value
	case 'm':
		o.float = value
	case 'X':
		if o.dtd {
			return parsedUsage
		}
		o.xmlPrefix = value
		if value == ":" {
			o.xmlPrefix = ""
		}
	}
	return parsedFiles
}

// packedOption applies -M.
func (d *dumper) packedOption(value string) parsed {
	if d.opts.dataset == nil {
		d.message("option \"-%c\" can only be used after --dataset option\n", 'M')
		return parsedError
	}
	var err error
	if d.opts.packed, err = parsePacked(value); err != nil {
		d.message("%v\n", err)
		return parsedUsage
	}
	return parsedFiles
}

// redirect sends what goes to *w to a file; without a name it is swallowed.
func (d *dumper) redirect(w *io.Writer, name *string) parsed {
	*w = nil
	if name == nil {
		return parsedFiles
	}
	f, err := os.Create(*name)
	if err != nil {
		return parsedUsage
	}
	d.files = append(d.files, f)
	*w = f
	return parsedFiles
}

func (o *options) binaryOption(arg *string) parsed {
	o.binary = true
	if arg == nil {
		return parsedFiles
	}
	var ok bool
	if o.binaryForm, ok = binaryForms[*arg]; !ok {
		return parsedUsage
	}
	return parsedFiles
}
