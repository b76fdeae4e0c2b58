package render

import (
	"bytes"
	"fmt"

	"clawh5/core"
)

// continued begins the lines after a line break that is printed as one.
const continued = "           "

// text appends a string; missing is a variable-length string that there is not.
func (f *Format) text(dst []byte, s []byte, pad core.StringPad) []byte {
	if pad == core.NullTerminated {
		s, _, _ = bytes.Cut(s, []byte{0})
	}
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		run := 1
		if f.Repeat > 0 {
			for i+run < len(s) && s[i+run] == s[i] {
				run++
			}
		}
		counted := f.Repeat > 0 && run > f.Repeat
		if counted && quote != 0 {
			dst = append(dst, quote)
			quote = 0
		}
		if quote == 0 {
			quote = '"'
			if counted {
				quote = '\''
			}
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, quote)
		}
		dst = f.character(dst, s[i])
		if counted {
			dst = fmt.Appendf(dst, "%c repeats %d times", quote, run-1)
			quote = 0
			i += run - 1
		}
	}
	if len(s) == 0 {
		return append(dst, `""`...)
	}
	if quote != 0 {
		dst = append(dst, quote)
	}
	return dst
}

var escapes = map[byte]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

// character appends a character of a string.
func (f *Format) character(dst []byte, c byte) []byte {
	if f.HTML {
		if c <= ' ' || c > '~' {
			return fmt.Appendf(dst, "%%%02x", uint32(int8(c)))
		}
		return append(dst, c)
	}
	if e, ok := escapes[c]; ok {
		if f.Escape {
			return append(dst, e...)
		}
		dst = append(dst, c)
		if c == '\n' || c == '\r' {
			dst = append(dst, continued...)
		}
		return dst
	}
	return octalUnlessPrintable(dst, c)
}

// octalUnlessPrintable appends a character, or its code. The tools take the
// codes above 127 for negative numbers and print all their bits.
func octalUnlessPrintable(dst []byte, c byte) []byte {
	if printable(c) {
		return append(dst, c)
	}
	return fmt.Appendf(dst, "\\%03o", uint32(int8(c)))
}

func printable(c byte) bool { return c >= ' ' && c <= '~' }

var nameEscapes = map[byte]string{
	'\'': `\'`, '"': `\"`, '\\': `\\`, '?': `\?`, '\a': `\a`, '\b': `\b`,
	'\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\v': `\v`,
}

// enumName appends the name of a value. The tools leave the character after an
// escaped one as it is.
func enumName(dst []byte, name string) []byte {
	for i := 0; i < len(name); i++ {
		c := name[i]
		e, ok := nameEscapes[c]
		if !ok && !printable(c) {
			e, ok = fmt.Sprintf("\\%03o", c), true
		}
		if !ok {
			dst = append(dst, c)
			continue
		}
		dst = append(dst, e...)
		if i++; i < len(name) {
			dst = append(dst, name[i])
		}
	}
	return dst
}
