package object

import (
	"context"
	"errors"
	"strings"
	"testing"

	"clawh5/core/h5err"
)

// pathFile has /a/b/c, and links of all kinds beside them.
func pathFile(t *testing.T) (f *File, c uint64) {
	t.Helper()
	b := newBuilder()
	c = b.add(headerV2(0, int32Type, scalarSpace, noData))
	inner := b.group(hardLink("c", c), softLink("up", "/a"), softLink("beside", "c"), softLink("..", "c"))
	a := b.group(hardLink("b", inner), softLink("here", "./b//c/"))
	f = b.open(t, b.group(hardLink("a", a), softLink("loop1", "/loop2"), softLink("loop2", "loop1"),
		softLink("dangling", "/a/nothing/c"), externalLink("away", "other.h5", "/a/b"), softLink("self", ".")))
	return f, c
}

func TestPathsThatLeadToTheSameObject(t *testing.T) {
	f, c := pathFile(t)
	for _, path := range []string{
		"/a/b/c", "a/b/c", "//a///b/c//", "./a/./b/c", "/a/here", "a/b/beside", "/a/b/up/b/up/b/c", "/self/a/b/c", "/a/b/..",
	} {
		got, err := f.Resolve(ctx, f.Root(), path)
		if err != nil || got.Addr != c || got.File != f {
			t.Errorf("%s: %+v, %v", path, got, err)
		} else if got.Path != "/a/b/c" && strings.HasPrefix(path, "/") {
			t.Errorf("%s: path %s", path, got.Path)
		}
	}
	for _, path := range []string{"/", "", ".", "//", "/self"} {
		if got, err := f.Resolve(ctx, f.Root(), path); err != nil || got.Addr != f.Root() {
			t.Errorf("%q: %+v, %v", path, got, err)
		}
	}
}

func TestRelativePathsBeginAtTheGroup(t *testing.T) {
	f, c := pathFile(t)
	a, err := f.Resolve(ctx, f.Root(), "/a")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.ResolveFrom(ctx, a, "b/c"); err != nil || got.Addr != c || got.Path != "/a/b/c" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := f.ResolveFrom(ctx, a, "/a/b/c"); err != nil || got.Addr != c || got.Path != "/a/b/c" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPathsThatLeadNowhere(t *testing.T) {
	f, _ := pathFile(t)
	for path, want := range map[string]struct {
		kind h5err.Kind
		says string
	}{
		"/a/x/c":    {h5err.NotFound, `"x"`},
		"/dangling": {h5err.NotFound, `"nothing"`},
		"/a/b/c/d":  {h5err.NotFound, "dataset"},
		"/loop1":    {h5err.Limit, "64"},
		"/away":     {h5err.Permission, "other.h5"},
	} {
		_, err := f.Resolve(ctx, f.Root(), path)
		var e *h5err.Error
		if !errors.As(err, &e) || e.Kind != want.kind || !strings.Contains(err.Error(), want.says) || e.Path != path {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestExternalLinksGoThroughTheOpener(t *testing.T) {
	f, _ := pathFile(t)
	other, c := pathFile(t)
	f.SetLocation("/data/this.h5")
	f.SetOpener(func(_ context.Context, from, name string) (*File, error) {
		if from != "/data/this.h5" || name != "other.h5" {
			t.Errorf("asked for %q from %q", name, from)
		}
		return other, nil
	})
	got, err := f.Resolve(ctx, f.Root(), "/away/c")
	if err != nil || got.File != other || got.Addr != c || got.Path != "/a/b/c" {
		t.Errorf("%+v, %v", got, err)
	}
	// Two files whose links lead to each other: the hops count in all files.
	other.SetOpener(func(context.Context, string, string) (*File, error) { return other, nil })
	_, err = f.Resolve(ctx, f.Root(), "/away/up"+strings.Repeat("/b/up", 63))
	if !errors.Is(err, h5err.Limit) {
		t.Error(err)
	}
}
