package ddl

import (
	"fmt"
	"strings"

	"clawh5/core/h5err"
)

// kind is what a token is.
type kind uint8

const (
	end    kind = iota
	word        // H5T_STD_I32LE, little-endian
	number      // 12, -5, 0x0aff
	bits        // 24-bit
	text        // "name"
	mark        // { } [ ] : ;
)

type token struct {
	kind kind
	s    string // the value of a text; otherwise as it stands
	at   int
}

func (t token) String() string {
	switch t.kind {
	case end:
		return "the end of the text"
	case text:
		return fmt.Sprintf("the text %q", t.s)
	}
	return fmt.Sprintf("%q", t.s)
}

// scanner cuts a text into tokens.
type scanner struct {
	src string
	at  int
}

// errorAt returns an error with line and column, both from 1, of a byte.
func (s *scanner) errorAt(at int, format string, args ...any) error {
	before := s.src[:at]
	line := 1 + strings.Count(before, "\n")
	column := at - strings.LastIndexByte(before, '\n')
	return h5err.New(h5err.Type, fmt.Sprintf("datatype text, line %d, column %d: ", line, column)+fmt.Sprintf(format, args...))
}

func (s *scanner) next() (token, error) {
	s.at += len(s.src[s.at:]) - len(strings.TrimLeft(s.src[s.at:], " \t\r\n"))
	rest := s.src[s.at:]
	if rest == "" {
		return token{kind: end, at: s.at}, nil
	}
	switch c := rest[0]; {
	case strings.IndexByte("{}[]:;", c) >= 0:
		return s.take(mark, 1), nil
	case c == '"':
		return s.quoted(1)
	case strings.HasPrefix(rest, `E"`):
		return s.quoted(2)
	case isDigit(c) || c == '-' || c == '+':
		n := 1 + span(rest[1:], isWordByte)
		if strings.HasSuffix(rest[:n], "-bit") {
			return s.take(bits, n), nil
		}
		return s.take(number, n), nil
	case isWordByte(c):
		return s.take(word, span(rest, isWordByte)), nil
	}
	return token{}, s.errorAt(s.at, "unexpected %q", rest[:1])
}

func (s *scanner) take(k kind, n int) token {
	t := token{kind: k, s: s.src[s.at : s.at+n], at: s.at}
	s.at += n
	return t
}

// quoted reads a text whose opening takes open bytes: one, or two where
// backslashes escape.
func (s *scanner) quoted(open int) (token, error) {
	at, escapes := s.at, open == 2
	var value strings.Builder
	for i := at + open; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '"':
			s.at = i + 1
			return token{kind: text, s: value.String(), at: at}, nil
		case c == '\\' && escapes && i+1 < len(s.src):
			i++
			value.WriteByte(s.src[i])
		default:
			value.WriteByte(c)
		}
	}
	return token{}, s.errorAt(at, "a text without an end")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordByte(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '-'
}

func span(s string, f func(byte) bool) int {
	for i := range len(s) {
		if !f(s[i]) {
			return i
		}
	}
	return len(s)
}
