package h5ls

import (
	"errors"
	"fmt"
	"strings"

	"clawh5/core"
	"clawh5/core/h5err"
)

// maxDepth bounds how deep groups lie in groups.
const maxDepth = 1000

// visit lists the object at path, or what it holds if it is a group; false if
// there is none.
func (t *target) visit(path string) bool {
	o, err := t.file.Root().Open(t.ctx, path)
	if err != nil {
		t.notFound(path)
		t.unlessDangling(err)
		return false
	}
	number := t.files.of(o.File())
	if o.Kind() != core.GroupKind || t.groupItself {
		t.object(path, o, number, "")
		return true
	}
	t.nameStart = t.baseLen
	if o.File() != t.file { // it is looked up anew to be walked
		number = t.files.of(o.File())
	}
	if t.showRoot || t.throughSym {
		t.object(path, o, number, "")
	}
	t.walk(path, o, number)
	return true
}

func (t *target) notFound(path string) {
	if t.throughSym {
		t.printf("{**NOT FOUND**}\n")
		t.throughSym = false
		return
	}
	t.printName(path, "**NOT FOUND**")
}

// unlessDangling tells why nothing was found, unless it is that there is nothing.
func (t *target) unlessDangling(err error) {
	var e *h5err.Error
	if t.errorStack || errors.As(err, &e) && (e.Kind == h5err.Corrupt || e.Kind == h5err.Unsupported || e.Kind == h5err.Cancelled) {
		fmt.Fprintln(t.errors, "h5ls error:", err)
	}
}

// walk lists what a group holds.
func (t *target) walk(path string, group *core.Object, number int) {
	_, held := t.files.numbers[group.File()]
	t.files.numbers[group.File()] = t.files.of(group.File())
	w := &walk{target: t, file: group.File(), names: map[uint64]string{}, groups: map[uint64]bool{group.Address(): true}}
	if info, err := group.Info(t.ctx); err == nil && info.RefCount > 1 {
		w.names[group.Address()] = path
	}
	w.group(path, group, 0)
	if !held {
		delete(t.files.numbers, group.File())
	}
}

// walk is what listing a group, and with -r all below it, knows.
type walk struct {
	*target
	file   *core.File
	names  map[uint64]string // under which objects with several links were met first
	groups map[uint64]bool   // that were descended into; also what ends a walk through a wrong file
}

func (w *walk) group(path string, group *core.Object, depth int) {
	links, err := group.Links(w.ctx, false)
	if err != nil {
		w.problem(err)
		return
	}
	if !strings.HasSuffix(path, "/") {
		path += "/"
	}
	if err := w.file.PrefetchLinks(w.ctx, links); err != nil {
		w.problem(err)
		return
	}
	for i := range links {
		if w.ctx.Err() != nil {
			w.problem(w.ctx.Err())
			return
		}
		name := path + links[i].Name
		if links[i].Kind != core.HardLink {
			w.link(name, &links[i])
			continue
		}
		if o := w.member(name, links[i].Address); o != nil && w.recursive && depth < maxDepth {
			w.group(name, o, depth+1)
		}
	}
}

// member lists the object that a hard link leads to and returns it if it is a
// group that was not seen before.
func (w *walk) member(path string, address uint64) *core.Object {
	o, err := w.file.ObjectAt(w.ctx, address)
	if err != nil {
		w.printName(path, "")
		w.printf(" *ERROR*\n")
		w.problem(err)
		return nil
	}
	first := ""
	if info, err := o.Info(w.ctx); err == nil && info.RefCount > 1 {
		if first = w.names[address]; first == "" {
			w.names[address] = path
		}
	}
	w.object(path, o, w.files.of(w.file), first)
	if o.Kind() != core.GroupKind || w.groups[address] {
		return nil
	}
	w.groups[address] = true
	return o
}
