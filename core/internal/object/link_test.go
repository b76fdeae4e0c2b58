package object

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

func names(links []Link) (list []string) {
	for _, l := range links {
		list = append(list, l.Name)
	}
	return list
}

// checkLinks asserts that listing, counting and looking up agree.
func checkLinks(t *testing.T, f *File, h *Header, want []Link) {
	t.Helper()
	links, err := f.Links(ctx, h, false)
	if err != nil || len(links) != len(want) {
		t.Fatalf("%d links, want %d: %v", len(links), len(want), err)
	}
	if n, err := f.LinkCount(ctx, h); err != nil || n != uint64(len(want)) {
		t.Errorf("the count is %d: %v", n, err)
	}
	for i, w := range want {
		found, err := f.Link(ctx, h, w.Name)
		if err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
		for _, got := range []Link{links[i], found} {
			if got.Name != w.Name || got.Type != w.Type || got.Target != w.Target || got.File != w.File {
				t.Errorf("got %+v, want %+v", got, w)
			}
			if w.Type == format.HardLink && got.Addr != w.Addr {
				t.Errorf("%s leads to %d, want %d", w.Name, got.Addr, w.Addr)
			}
		}
	}
	for _, missing := range []string{"", "a-name-that-is-not-there", "~"} {
		if _, err := f.Link(ctx, h, missing); !errors.Is(err, h5err.NotFound) {
			t.Errorf("%q: %v", missing, err)
		}
	}
}

func TestCompactLinks(t *testing.T) {
	b := newBuilder()
	child := b.group()
	f := b.open(t, b.group(softLink("z", "/a/b"), externalLink("m", "o.h5", "/p"), hardLink("a", child)))
	h, err := f.Header(ctx, f.Root())
	if err != nil {
		t.Fatal(err)
	}
	checkLinks(t, f, h, []Link{
		{Name: "a", Addr: child},
		{Name: "m", Type: format.ExternalLink, File: "o.h5", Target: "/p"},
		{Name: "z", Type: format.SoftLink, Target: "/a/b"},
	})
}

func TestDenseLinks(t *testing.T) {
	f := openTestFile(t, "dense.h5")
	h := at(t, f, "/many")
	target := at(t, f, "/target").Addr
	var want []Link
	for i := range 40 {
		l := Link{Name: fmt.Sprintf("link%02d", i), Addr: target}
		switch i % 10 {
		case 7:
			l.Type, l.Target = format.SoftLink, fmt.Sprintf("/soft%d", i)
		case 8:
			l.Type, l.File, l.Target = format.ExternalLink, "other.h5", fmt.Sprintf("/external%d", i)
		}
		want = append(want, l)
	}
	checkLinks(t, f, h, want)

	if tracked, indexed := f.CreationOrderTracked(h); !tracked || !indexed {
		t.Error("the group tracks and indexes creation order")
	}
	links, err := f.Links(ctx, h, true)
	created := names(links)
	slices.Reverse(created)
	if err != nil || !slices.IsSorted(created) || len(created) != 40 {
		t.Errorf("the links were created in reverse: %v, %v", names(links), err)
	}
}

func TestSymbolTableLinks(t *testing.T) {
	f := openTestFile(t, "old.h5")
	var want []Link
	for i := range 300 {
		want = append(want, Link{Name: fmt.Sprintf("child%03d", i), Type: format.SoftLink, Target: fmt.Sprintf("/target%d", i)})
	}
	h := at(t, f, "/group")
	checkLinks(t, f, h, want)
	if tracked, _ := f.CreationOrderTracked(h); tracked {
		t.Error("symbol tables know no creation order")
	}
}

func TestOnlyGroupsHaveLinks(t *testing.T) {
	f, h, err := only(t, headerV2(0, int32Type))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Links(ctx, h, false); !errors.Is(err, h5err.Type) {
		t.Error(err)
	}
	if _, err := f.Link(ctx, h, "a"); !errors.Is(err, h5err.Type) {
		t.Error(err)
	}
}
