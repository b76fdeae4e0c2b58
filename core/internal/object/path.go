package object

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// Target is where a path leads.
type Target struct {
	File *File
	Addr uint64
	Path string // in File, from its root group, without the links that were followed
}

// Resolve follows path: an absolute one from the root group, any other from the
// group at from. "." and repeated "/" have no meaning; ".." is a name like any
// other.
func (f *File) Resolve(ctx context.Context, from uint64, path string) (Target, error) {
	t, err := f.ResolveFrom(ctx, Target{File: f, Addr: from}, path)
	return t, h5err.In(err, "", path)
}

// ResolveFrom is Resolve from a target, whose Path begins the one returned.
func (f *File) ResolveFrom(ctx context.Context, at Target, path string) (Target, error) {
	w := walk{Target: at, rest: path}
	for {
		name, ok := w.component()
		if !ok {
			return w.Target, nil
		}
		if err := w.step(ctx, name); err != nil {
			return Target{}, err
		}
	}
}

// walk is a path on the way.
type walk struct {
	Target
	rest string
	hops int
}

// component cuts the next name off the path, and goes to the root where the
// path is absolute.
func (w *walk) component() (string, bool) {
	if strings.HasPrefix(w.rest, "/") {
		w.Addr, w.Path = w.File.Root(), "/"
	}
	for {
		var name string
		w.rest = strings.TrimLeft(w.rest, "/")
		if w.rest == "" {
			return "", false
		}
		name, w.rest = cutComponent(w.rest)
		if name != "." {
			return name, true
		}
	}
}

// cutComponent keeps no leading slash in rest: it would mean the root.
func cutComponent(path string) (name, rest string) {
	name, rest, _ = strings.Cut(path, "/")
	return name, strings.TrimLeft(rest, "/")
}

func (w *walk) step(ctx context.Context, name string) error {
	h, err := w.File.Header(ctx, w.Addr)
	if err != nil {
		return err
	}
	l, err := w.File.Link(ctx, h, name)
	switch {
	case errors.Is(err, h5err.NotFound):
		return h5err.New(h5err.NotFound, fmt.Sprintf("%s has no link %q", w.where(), name))
	case errors.Is(err, h5err.Type):
		return h5err.New(h5err.NotFound, fmt.Sprintf("%s is a %s, it has no link %q", w.where(), h.Kind(), name))
	case err != nil:
		return err
	}
	switch l.Type {
	case format.HardLink:
		w.Addr = l.Addr
		w.Path = strings.TrimSuffix(w.Path, "/") + "/" + name
		return nil
	case format.SoftLink:
		w.rest = join(l.Target, w.rest)
		return w.hop()
	case format.ExternalLink:
		return w.external(ctx, &l)
	}
	return h5err.New(h5err.Unsupported, fmt.Sprintf("link %q in %s is of the user-defined type %d", name, w.where(), l.UserType))
}

func (w *walk) external(ctx context.Context, l *Link) error {
	if err := w.hop(); err != nil {
		return err
	}
	other, err := w.File.open(ctx, l.File)
	if err != nil {
		return err
	}
	w.Target = Target{File: other, Addr: other.Root(), Path: "/"}
	w.rest = join(l.Target, w.rest)
	return nil
}

func (w *walk) hop() error {
	if w.hops++; w.hops > w.File.lim.MaxLinkHops {
		return h5err.New(h5err.Limit, fmt.Sprintf("more than %d soft and external links on one path", w.File.lim.MaxLinkHops))
	}
	return nil
}

func (w *walk) where() string {
	if w.Path == "" {
		return "the group"
	}
	return w.Path
}

func join(target, rest string) string {
	if rest == "" {
		return target
	}
	return target + "/" + rest
}
