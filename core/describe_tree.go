package core

import (
	"context"

	"clawh5/core/internal/format"
	"clawh5/core/internal/object"
)

// treeWorkers is how many objects of one level are loaded at once from a remote
// store, where each may wait for a request of its own.
const treeWorkers = 32

// below renders the objects that hard links lead to, one level of the tree after
// the other: the headers of a level are one batch of reads, and what they need
// beyond (heaps, B-trees) is fetched side by side.
func (w *descriptionWriter) below(root *facts) error {
	seen := map[uint64]bool{root.object.addr: true}
	level := []*facts{root}
	for len(level) > 0 {
		next := children(level, seen, w.flags&DescribeTree != 0)
		if len(next) == 0 {
			return nil
		}
		if err := w.loadLevel(next, w.flags|descend(w.flags&DescribeTree)); err != nil {
			return err
		}
		for _, f := range next {
			w.facts(f)
		}
		if w.flags&DescribeTree == 0 {
			return nil
		}
		level = next
	}
	return nil
}

// children lists the objects one level down. In a tree each object comes once;
// among the children of one group it comes under each of its names.
func children(level []*facts, seen map[uint64]bool, once bool) []*facts {
	var next []*facts
	for _, g := range level {
		for i := range g.links {
			l := &g.links[i]
			if l.Type != format.HardLink || once && seen[l.Addr] {
				continue
			}
			seen[l.Addr] = true
			name := l.Name
			if g.name != "" {
				name = g.name + "/" + l.Name
			}
			o := &Object{file: g.object.file, addr: l.Addr, path: joinPath(g.object.path, l.Name)}
			next = append(next, &facts{object: o, name: name})
		}
	}
	return next
}

func (w *descriptionWriter) loadLevel(level []*facts, flags DescribeFlags) error {
	addrs := make([]uint64, len(level))
	for i, f := range level {
		addrs[i] = f.object.addr
	}
	file := level[0].object.file
	if err := file.prefetch(w.ctx, addrs); err != nil {
		return err
	}
	workers := treeWorkers
	if !file.Remote() {
		workers = file.options.Workers
	}
	err := parallel(w.ctx, len(level), workers, func(ctx context.Context, i int) error {
		level[i].load(ctx, flags, w.room)
		return nil
	})
	if err != nil {
		return err
	}
	return ctxError(w.ctx) // which may be what made objects fail
}

// prefetch asks for the headers at addrs in one batch, and for the structures
// that those name in another.
func (f *File) prefetch(ctx context.Context, addrs []uint64) error {
	if !f.Remote() {
		return nil
	}
	if err := f.objects.PrefetchHeaders(ctx, addrs); err != nil {
		return err
	}
	headers := make([]*object.Header, 0, len(addrs))
	for _, a := range addrs {
		if h, err := f.objects.Header(ctx, a); err == nil {
			headers = append(headers, h)
		}
	}
	return f.objects.PrefetchContents(ctx, headers)
}
