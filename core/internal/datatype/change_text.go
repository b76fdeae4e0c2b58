package datatype

import (
	"strings"

	"clawh5/core/internal/format"
)

// changeText applies f to a copy of the string that d is or is made of.
func changeText(d *format.Datatype, what string, f func(*format.Datatype)) (*format.Datatype, error) {
	switch {
	case d.Class == format.String || d.VariableString:
		c := changed(d)
		f(c)
		return c, nil
	case d.Base == nil:
		return nil, refused("a datatype of class %s has no %s", d.Class, what)
	}
	base, err := changeText(d.Base, what, f)
	if err != nil {
		return nil, err
	}
	c := changed(d)
	c.Base = base
	return c, nil
}

// WithCharset returns the string d in another character set.
func WithCharset(d *format.Datatype, c format.CharacterSet) (*format.Datatype, error) {
	if c > format.UTF8 {
		return nil, refused("character set %d", c)
	}
	return changeText(d, "character set", func(d *format.Datatype) { d.Charset = c })
}

// WithPad returns the string d with another filling.
func WithPad(d *format.Datatype, p format.Pad) (*format.Datatype, error) {
	if p > format.SpacePadded {
		return nil, refused("string padding %d", p)
	}
	return changeText(d, "string padding", func(d *format.Datatype) { d.Pad = p })
}

// WithTag returns the opaque type d with another tag.
func WithTag(d *format.Datatype, tag string) (*format.Datatype, error) {
	if len(tag) > maxTag || strings.IndexByte(tag, 0) >= 0 {
		return nil, refused("a tag must have at most %d bytes and no NUL", maxTag)
	}
	return change(d, "tag", func(d *format.Datatype) error { d.Tag = tag; return nil }, format.Opaque)
}
