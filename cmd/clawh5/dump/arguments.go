package dump

import (
	"fmt"
	"io"
	"strings"
)

// argument is whether an option has one.
type argument uint8

const (
	noArgument argument = iota
	requiredArgument
	optionalArgument
)

// option is one option: the letter that stands for it, the names, the argument.
type option struct {
	letter byte
	names  []string
	arg    argument
}

var optionTable = []option{
	{'a', []string{"attribute"}, requiredArgument},
	{'b', []string{"binary"}, optionalArgument},
	{'c', []string{"count"}, requiredArgument},
	{'d', []string{"dataset"}, requiredArgument},
	{'e', []string{"escape"}, noArgument},
	{'f', []string{"filedriver"}, requiredArgument},
	{'g', []string{"group"}, requiredArgument},
	{'h', []string{"help"}, noArgument},
	{'i', []string{"object-ids"}, noArgument},
	{'k', []string{"block"}, requiredArgument},
	{'l', []string{"soft-link"}, requiredArgument},
	{'m', []string{"format"}, requiredArgument},
	{'n', []string{"contents"}, optionalArgument},
	{'o', []string{"output"}, optionalArgument},
	{'p', []string{"properties"}, noArgument},
	{'q', []string{"sort_by"}, requiredArgument},
	{'r', []string{"string"}, noArgument},
	{'s', []string{"start"}, requiredArgument},
	{'t', []string{"datatype"}, requiredArgument},
	{'u', []string{"use-dtd"}, noArgument},
	{'v', []string{"vds-view-first-missing"}, noArgument},
	{'w', []string{"width"}, requiredArgument},
	{'x', []string{"xml"}, noArgument},
	{'y', []string{"noindex"}, noArgument},
	{'z', []string{"sort_order"}, requiredArgument},
	{'A', []string{"onlyattr"}, optionalArgument},
	{'B', []string{"superblock", "boot-block"}, noArgument},
	{'C', []string{"no-compact-subset"}, noArgument},
	{'D', []string{"xml-dtd"}, requiredArgument},
	{'E', []string{"enable-error-stack"}, optionalArgument},
	{'F', []string{"form"}, requiredArgument},
	{'G', []string{"vds-gap-size"}, requiredArgument},
	{'H', []string{"header"}, noArgument},
	{'K', []string{"page-buffer-size"}, requiredArgument},
	{'M', []string{"packed-bits"}, requiredArgument},
	{'N', []string{"any_path"}, requiredArgument},
	{'O', []string{"ddl"}, optionalArgument},
	{'R', []string{"region"}, noArgument},
	{'S', []string{"stride"}, requiredArgument},
	{'V', []string{"version"}, noArgument},
	{'X', []string{"xml-ns"}, requiredArgument},
	{'$', []string{"s3-cred"}, requiredArgument},
	{'#', []string{"hdfs-attrs"}, requiredArgument},
	{'1', []string{"vol-value"}, requiredArgument},
	{'2', []string{"vol-name"}, requiredArgument},
	{'3', []string{"vol-info"}, requiredArgument},
	{'4', []string{"vfd-value"}, requiredArgument},
	{'5', []string{"vfd-name"}, requiredArgument},
	{'6', []string{"vfd-info"}, requiredArgument},
	{'@', []string{"outside"}, noArgument}, // h5dump has no such option: it follows everywhere
}

// scanner takes options off a command line as h5dump does: they come before the
// files, and an argument that may be missing is the next word only if yet
// another one follows.
type scanner struct {
	args   []string
	at     int // word
	letter int // in a word of letters; 0: at the beginning of a word
	errors io.Writer
}

// next returns the next option, with its argument if it has one; false at the
// end of options, the letter '?' for what is wrong.
func (s *scanner) next() (letter byte, arg *string, ok bool) {
	if s.letter == 0 {
		if s.at >= len(s.args) || len(s.args[s.at]) < 2 || s.args[s.at][0] != '-' {
			return 0, nil, false
		}
		if s.args[s.at] == "--" {
			s.at++
			return 0, nil, false
		}
		if strings.HasPrefix(s.args[s.at], "--") {
			return s.long()
		}
		s.letter = 1
	}
	return s.short()
}

func (s *scanner) long() (byte, *string, bool) {
	name, value, given := strings.Cut(s.args[s.at][2:], "=")
	s.at++
	for _, o := range optionTable {
		for _, n := range o.names {
			if n != name {
				continue
			}
			switch {
			case o.arg == noArgument && given:
				fmt.Fprintf(s.errors, "%s: no option required for \"%s\" flag\n", program, name)
				return '?', nil, true
			case given:
				return o.letter, &value, true
			case o.arg == requiredArgument && s.at < len(s.args) && !strings.HasPrefix(s.args[s.at], "-"):
				s.at++
				return o.letter, &s.args[s.at-1], true
			case o.arg == requiredArgument:
				fmt.Fprintf(s.errors, "%s: option required for \"--%s\" flag\n", program, name)
				return '?', nil, true
			}
			return o.letter, nil, true
		}
	}
	fmt.Fprintf(s.errors, "%s: unknown option \"%s\"\n", program, name)
	return '?', nil, true
}

func (s *scanner) short() (byte, *string, bool) {
	word := s.args[s.at]
	letter := word[s.letter]
	rest := word[s.letter+1:]
	next := func() {
		if s.letter++; rest == "" {
			s.at, s.letter = s.at+1, 0
		}
	}
	for _, o := range optionTable {
		if o.letter != letter {
			continue
		}
		switch o.arg {
		case noArgument:
			next()
			return letter, nil, true
		case requiredArgument:
			s.at, s.letter = s.at+1, 0
			if rest != "" {
				return letter, &rest, true
			}
			if s.at >= len(s.args) {
				fmt.Fprintf(s.errors, "%s: value expected for option \"%c\"\n", program, letter)
				return '?', nil, true
			}
			s.at++
			return letter, &s.args[s.at-1], true
		}
		s.at, s.letter = s.at+1, 0
		if s.at+1 < len(s.args) && !strings.HasPrefix(s.args[s.at], "-") {
			s.at++
			return letter, &s.args[s.at-1], true
		}
		return letter, nil, true
	}
	fmt.Fprintf(s.errors, "%s: unknown option \"%c\"\n", program, letter)
	next()
	return '?', nil, true
}
