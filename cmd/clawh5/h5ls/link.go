package h5ls

import (
	"strings"

	"clawh5/core"
)

// link lists a link that is not a hard one, and with the options for that what
// it leads to.
func (t *target) link(path string, l *core.Link) {
	switch l.Kind {
	case core.SoftLink:
		t.symbolic(path, l, "Soft Link {"+l.Target+"}", t.followLinks)
	case core.ExternalLink:
		separator := "/"
		if !strings.HasPrefix(l.Target, "/") {
			separator = "//"
		}
		t.symbolic(path, l, "External Link {"+l.File+separator+l.Target+"}", t.followLinks || t.followExtern)
	default:
		t.printName(path, "")
		t.printf("UD Link {cannot follow UD links}\n")
	}
}

func (t *target) symbolic(path string, l *core.Link, text string, follow bool) {
	if follow {
		t.probe(path)
	}
	t.printName(path, "")
	t.printf("%s", text)
	if !follow {
		t.printf("\n")
		return
	}
	key := l.File + "\x00" + l.Target
	if t.visited[key] {
		t.printf(" {Already Visited}\n")
		return
	}
	t.visited[key] = true
	t.printf(" ")
	t.throughSym = true
	itself := t.groupItself
	t.groupItself = itself || !t.recursive
	t.visit(path)
	t.groupItself = itself
}

// probe notices a dangling link. HDF5's tools ask twice what lies at its end,
// which shows in the numbers of files.
func (t *target) probe(path string) {
	o, err := t.file.Root().Open(t.ctx, path)
	if err != nil {
		t.dangling = true
		return
	}
	t.files.of(o.File())
	t.files.of(o.File())
}
