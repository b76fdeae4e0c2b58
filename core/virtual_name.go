package core

import (
	"strconv"
	"strings"
)

// sourceName is the name of a source file or dataset: the pieces between the
// places where the number of a block goes.
type sourceName []string

// parseSourceName cuts a name at every "%b"; "%%" is a "%".
func parseSourceName(s string) (sourceName, error) {
	var name sourceName
	var piece strings.Builder
	for {
		before, after, found := strings.Cut(s, "%")
		piece.WriteString(before)
		if !found {
			return append(name, piece.String()), nil
		}
		switch {
		case strings.HasPrefix(after, "b"):
			name = append(name, piece.String())
			piece.Reset()
		case strings.HasPrefix(after, "%"):
			piece.WriteByte('%')
		default:
			return nil, corruptVirtual("source name %q: neither \"%%b\" nor \"%%%%\"", s)
		}
		s = after[1:]
	}
}

// numbered reports whether the number of a block is part of the name.
func (n sourceName) numbered() bool { return len(n) > 1 }

// of is the name of the source of a block.
func (n sourceName) of(block uint64) string {
	if len(n) == 1 {
		return n[0]
	}
	return strings.Join(n, strconv.FormatUint(block, 10))
}
