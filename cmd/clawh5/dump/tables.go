package dump

import (
	"slices"
	"strings"

	"clawh5/core"
)

// entry is an object of a file.
type entry struct {
	address  uint64
	name     string // the path by which it was found first
	shown    bool   // printed already
	recorded bool   // of datatypes: a link leads to it
}

// table has the objects of one kind in the order in which they were found.
type table struct {
	list      []*entry
	byAddress map[uint64]*entry
}

func (t *table) add(address uint64, name string, recorded bool) {
	if t.byAddress == nil {
		t.byAddress = map[uint64]*entry{}
	}
	e := &entry{address: address, name: name, recorded: recorded}
	t.list = append(t.list, e)
	t.byAddress[address] = e
}

// tables has all objects of a file, by address.
type tables struct{ groups, datasets, types table }

// of returns the table of a kind of objects.
func (t *tables) of(k core.Kind) *table {
	switch k {
	case core.GroupKind:
		return &t.groups
	case core.DatasetKind:
		return &t.datasets
	}
	return &t.types
}

// tables returns the objects of a file, found the first time.
func (d *dumper) tables(f *core.File) *tables {
	t := d.known[f.Location()]
	if t == nil {
		t = &tables{}
		d.known[f.Location()] = t
		d.visit(f.Root(), visitor{object: func(o *core.Object, path, seen string) {
			if seen == "" {
				t.found(d, o, path)
			}
		}})
	}
	return t
}

// found records an object that was found at path.
func (t *tables) found(d *dumper, o *core.Object, path string) {
	switch o.Kind() {
	case core.GroupKind:
		t.groups.add(o.Address(), path, true)
	case core.DatasetKind:
		t.datasets.add(o.Address(), path, true)
		typ, err := o.Datatype(d.ctx)
		if err != nil {
			return
		}
		if at, ok := typ.Committed(); ok && t.types.byAddress[at] == nil {
			t.types.add(at, path, false)
		}
	case core.DatatypeKind:
		if e := t.types.byAddress[o.Address()]; e != nil {
			e.name, e.recorded = path, true
		} else {
			t.types.add(o.Address(), path, true)
		}
	}
}

// unnamed returns the committed datatypes that no link leads to.
func (t *tables) unnamed() []*entry {
	return slices.DeleteFunc(slices.Clone(t.types.list), func(e *entry) bool { return e.recorded })
}

// pathOf returns the path by which an object is found first; "" if none leads
// to it.
func (t *tables) pathOf(address uint64) string {
	for _, table := range []*table{&t.groups, &t.datasets, &t.types} {
		if e := table.byAddress[address]; e != nil && e.recorded {
			return e.name
		}
	}
	return ""
}

// visitor is told what a walk finds.
type visitor struct {
	// object is told each hard link, with the path by which its object was
	// found before, if it was.
	object func(o *core.Object, path, seen string)
	link   func(l *core.Link, path string) // other links
	failed func(path string, err error)
}

// visit walks all that can be reached from a group by hard links, every object
// once, in the order that was asked for.
func (d *dumper) visit(root *core.Object, v visitor) {
	seen := map[uint64]string{root.Address(): "/"}
	if v.object != nil {
		v.object(root, "/", "")
	}
	d.visitGroup(root, "", v, seen, 0)
}

func (d *dumper) visitGroup(g *core.Object, path string, v visitor, seen map[uint64]string, depth int) {
	links, err := d.links(g)
	if err != nil {
		if v.failed != nil {
			v.failed(path, err)
		}
		return
	}
	if err := g.File().PrefetchLinks(d.ctx, links); err != nil {
		d.explain(err)
	}
	for i := range links {
		l := &links[i]
		at := path + "/" + l.Name
		if l.Kind != core.HardLink {
			if v.link != nil {
				v.link(l, at)
			}
			continue
		}
		o, err := g.File().ObjectAt(d.ctx, l.Address)
		if err != nil {
			if v.failed != nil {
				v.failed(at, err)
			}
			continue
		}
		before := seen[l.Address]
		if before == "" {
			seen[l.Address] = at
		}
		if v.object != nil {
			v.object(o, at, before)
		}
		if before == "" && o.Kind() == core.GroupKind && depth < maxNesting {
			d.visitGroup(o, at, v, seen, depth+1)
		}
	}
}

// links returns the links of a group in the order that was asked for.
func (d *dumper) links(g *core.Object) ([]core.Link, error) {
	links, err := g.Links(d.ctx, d.opts.byCreation)
	if d.opts.descending {
		slices.Reverse(links)
	}
	return links, err
}

// absolute makes a path one from the root.
func absolute(path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return "/" + path
}
