package h5ls

import (
	"fmt"
	"strings"
)

// escape makes a name printable: unusual characters as C writes them.
func escape(s string, spaces bool) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch at := strings.IndexByte("\"\\\b\f\n\r\t", c); {
		case at >= 0:
			b.WriteByte('\\')
			b.WriteByte(`"\bfnrt`[at])
		case c == ' ' && spaces:
			b.WriteString(`\ `)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// printName writes the name of an object or a link and what follows it in
// columns of 24 and more.
func (t *target) printName(path, what string) {
	name := path[min(t.nameStart, len(path)):]
	if t.showFile {
		name = t.name + "/" + name
	}
	if !t.fullNames {
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	name = escape(name, true)
	t.printf("%s%*s ", name, max(0, 24-len(name)), what)
}

func plural(n uint64) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func join[T any](values []T, separator string) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(separator)
		}
		fmt.Fprint(&b, v)
	}
	return b.String()
}
