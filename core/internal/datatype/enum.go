package datatype

import (
	"bytes"
	"slices"

	"clawh5/core/internal/format"
)

// NewEnum returns an enumeration without members; base is an integer type.
func NewEnum(base *format.Datatype) (*format.Datatype, error) {
	if base.Class != format.FixedPoint {
		return nil, refused("an enumeration of values of class %s, not of integers", base.Class)
	}
	if base.Size > maxEnumSize {
		return nil, refused("an enumeration of values of %d bytes", base.Size)
	}
	return &format.Datatype{Class: format.Enumeration, Version: 1, Size: base.Size, Base: base, Committed: format.Undefined}, nil
}

// InsertEnum returns the enumeration d with one more member, of a value as the
// base type has it.
func InsertEnum(d *format.Datatype, name string, value []byte) (*format.Datatype, error) {
	return ExtendEnum(d, []string{name}, value)
}

// ExtendEnum returns the enumeration d with more members. values has one element
// of the base type for each name.
func ExtendEnum(d *format.Datatype, names []string, values []byte) (*format.Datatype, error) {
	switch {
	case d.Class != format.Enumeration:
		return nil, refused("a value is inserted into a type of class %s, not into an enumeration", d.Class)
	case len(values) != len(names)*int(d.Size):
		return nil, refused("%d bytes for %d values of an enumeration of %d bytes", len(values), len(names), d.Size)
	case len(d.Names)+len(names) > maxMembers:
		return nil, refused("an enumeration of more than %d members", maxMembers)
	}
	c := changed(d)
	c.Names = append(slices.Clip(d.Names), names...)
	c.Values = append(slices.Clip(d.Values), values...)
	check := checkNames
	if len(names) == 1 { // one of many inserted in turn: no need to look at the others again
		check = checkLastName
	}
	if err := check(c); err != nil {
		return nil, err
	}
	return c, nil
}

// checkNames checks that neither names nor values of an enumeration are used
// twice.
func checkNames(d *format.Datatype) error {
	known, owner := map[string]bool{}, map[string]string{}
	for i, name := range d.Names {
		value := string(enumValue(d, i))
		if err := checkName(name); err != nil {
			return err
		}
		if known[name] {
			return twoNames(name)
		}
		if other, ok := owner[value]; ok {
			return oneValue(other, name)
		}
		known[name], owner[value] = true, name
	}
	return nil
}

// checkLastName is checkNames for the last member.
func checkLastName(d *format.Datatype) error {
	last := len(d.Names) - 1
	name, value := d.Names[last], enumValue(d, last)
	for i, other := range d.Names[:last] {
		if other == name {
			return twoNames(name)
		}
		if bytes.Equal(enumValue(d, i), value) {
			return oneValue(other, name)
		}
	}
	return checkName(name)
}

func twoNames(name string) error {
	return refused("two members of the enumeration have the name %q", name)
}

func oneValue(a, b string) error {
	return refused("members %q and %q of the enumeration have one value", a, b)
}
