package open_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"clawh5/storage"
	"clawh5/storage/memstore"
	"clawh5/storage/open"
	"clawh5/storage/rangeserver"
	"clawh5/storage/storagetest"
)

var ctx = context.Background()

// files writes files below a new directory and returns it.
func files(t *testing.T, content map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, b := range content {
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o700), os.WriteFile(p, b, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func serve(t *testing.T, dir string, o rangeserver.Options) *rangeserver.Running {
	t.Helper()
	s, err := rangeserver.NewDir(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func mustOpen(t *testing.T, location string, o open.Options) *open.Store {
	t.Helper()
	s, err := open.Open(ctx, location, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSuite(t *testing.T) {
	ways := map[string]func(t *testing.T, content []byte) *open.Store{
		"path": func(t *testing.T, b []byte) *open.Store {
			return mustOpen(t, filepath.Join(files(t, map[string][]byte{"x": b}), "x"), open.Options{})
		},
		"http": func(t *testing.T, b []byte) *open.Store {
			r := serve(t, files(t, map[string][]byte{"x": b}), rangeserver.Options{})
			return mustOpen(t, r.URL+"/x", open.Options{FirstBlock: 100})
		},
		"download": func(t *testing.T, b []byte) *open.Store {
			r := serve(t, files(t, map[string][]byte{"x": b}), rangeserver.Options{Faults: rangeserver.Faults{NoRange: true}})
			return mustOpen(t, r.URL+"/x", open.Options{AllowFullDownload: true})
		},
		"memory": func(t *testing.T, b []byte) *open.Store { return open.Memory(b) },
		"wrap": func(t *testing.T, b []byte) *open.Store {
			return open.Wrap(storagetest.Faulty(memstore.New(b), storagetest.Faults{Pieces: 5000}), "x", open.Options{})
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			storagetest.Run(t, func(t *testing.T, b []byte) storage.Reader { return way(t, b) })
		})
		t.Run(name+" direct", func(t *testing.T) {
			storagetest.Run(t, func(t *testing.T, b []byte) storage.Reader { return way(t, b).Direct() })
		})
	}
}

func TestLocationsAndTheirSchemes(t *testing.T) {
	dir := files(t, map[string][]byte{"a:b": []byte("x"), "plain": []byte("x")})
	for _, location := range []string{filepath.Join(dir, "plain"), filepath.Join(dir, "a:b"), "file://" + dir + "/plain", "FILE://localhost" + dir + "/a%3Ab"} {
		if runtime.GOOS == "windows" {
			t.Skip("file names with colons")
		}
		s := mustOpen(t, location, open.Options{})
		if s.Remote() || !strings.HasPrefix(s.LocalPath(), dir) || s.Location() != s.LocalPath() {
			t.Errorf("%s: remote %v, path %q, location %q", location, s.Remote(), s.LocalPath(), s.Location())
		}
	}
	for location, want := range map[string]struct {
		err   error
		words string
	}{
		"s3://bucket/key":      {storage.ErrUnsupported, `"s3"`},
		"ftp://host/x":         {storage.ErrUnsupported, `"ftp"`},
		"gs+x://host/x":        {storage.ErrUnsupported, `"gs+x"`},
		"file://otherhost/x":   {storage.ErrUnsupported, "this machine"},
		`C:\no\such\file`:      {storage.ErrNotFound, ""},
		"c://no/such/file":     {storage.ErrNotFound, ""},
		"no/such:file":         {storage.ErrNotFound, ""},
		"./x://y":              {storage.ErrNotFound, ""},
		"":                     {storage.ErrNotFound, ""},
		"http://127.0.0.1:1/x": {storage.ErrUnavailable, "127.0.0.1:1"},
	} {
		_, err := open.Open(ctx, location, open.Options{Retries: -1})
		if !errors.Is(err, want.err) || !strings.Contains(err.Error(), want.words) {
			t.Errorf("Open(%q) = %v, want %v with %q", location, err, want.err, want.words)
		}
	}
}

func TestStatsOfARemoteFile(t *testing.T) {
	content := storagetest.Content(6 << 20)
	server := serve(t, files(t, map[string][]byte{"x": content}), rangeserver.Options{})
	s := mustOpen(t, server.URL+"/x?token=secret", open.Options{Headers: http.Header{"X-Token": {"t"}}})
	if !s.Remote() || s.LocalPath() != "" || strings.Contains(s.Location(), "secret") {
		t.Errorf("remote %v, path %q, location %q", s.Remote(), s.LocalPath(), s.Location())
	}
	first := s.Stats()
	if first.Requests != 1 || first.Rounds != 1 || first.BytesFetched != 1<<20 || first.Waiting <= 0 {
		t.Errorf("after Open: %+v, want 1 request of 1 MiB", first)
	}
	if v, err := s.View(ctx, 1000, 1000); err != nil || !bytes.Equal(v, content[1000:2000]) {
		t.Errorf("View: %v", err)
	}
	if got := s.Stats(); got.Requests != 1 || got.BlockHits != 1 || got.BytesAsked != 1000 {
		t.Errorf("after a read of the first block: %+v", got)
	}
	p := make([]byte, 5000)
	if err := s.Direct().ReadAt(ctx, p, 5<<20); err != nil || !bytes.Equal(p, content[5<<20:][:5000]) {
		t.Errorf("Direct: %v", err)
	}
	if got := s.Stats().Sub(first); got.Requests != 1 || got.Rounds != 1 || got.BytesFetched != 5000 || got.BytesAsked != 6000 {
		t.Errorf("after a direct read: %+v more", got)
	}
	if s.Contains(5<<20, 5000) {
		t.Error("a direct read went into the cache")
	}
	if n := server.Stats().Requests; n != 2 {
		t.Errorf("the server saw %d requests, want 2", n)
	}
	if h := server.Log()[0].Header.Get("X-Token"); h != "t" {
		t.Errorf("header %q, want t", h)
	}
}

func TestMemoryIsLent(t *testing.T) {
	b := []byte("0123456789")
	s := open.Memory(b)
	v, ok := s.TryView(2, 3)
	if !ok || &v[0] != &b[2] {
		t.Error("TryView is not the memory itself")
	}
	d, ok := s.Direct().(storage.Viewer)
	if !ok {
		t.Fatal("Direct of memory is no Viewer")
	}
	if v, err := d.View(ctx, 5, 2); err != nil || &v[0] != &b[5] {
		t.Errorf("View of Direct: %v", err)
	}
	if _, ok := mustOpen(t, filepath.Join(files(t, map[string][]byte{"x": b}), "x"), open.Options{}).Direct().(storage.Viewer); ok {
		t.Error("Direct of a file claims to be a Viewer")
	}
}

func TestSiblings(t *testing.T) {
	top := files(t, map[string][]byte{
		"out": []byte("out"), "dir/main": []byte("main"), "dir/near": []byte("near"), "dir/sub/deep": []byte("deep"),
		"dirx": []byte("dirx"), "dir/odd #?%41": []byte("odd"),
	})
	if err := errors.Join(os.Symlink(filepath.Join(top, "out"), filepath.Join(top, "dir", "escape")),
		os.Symlink("near", filepath.Join(top, "dir", "alias"))); err != nil {
		t.Skip(err)
	}
	server := serve(t, top, rangeserver.Options{})
	locations := map[string]string{"path": filepath.Join(top, "dir", "main"), "http": server.URL + "/dir/main?q=1"}
	for kind, location := range locations {
		for name, c := range map[string]struct {
			name, content string
			err, allowed  error // allowed: with AllowOutside
		}{
			"beside":    {name: "near", content: "near"},
			"below":     {name: "sub/deep", content: "deep"},
			"round":     {name: "sub/../near", content: "near"},
			"odd":       {name: "odd #?%41", content: "odd"},
			"missing":   {name: "no", err: storage.ErrNotFound, allowed: storage.ErrNotFound},
			"alias":     {name: "alias", content: "near"},
			"parent":    {name: "../out", content: "out", err: storage.ErrPermission},
			"prefix":    {name: "../dirx", content: "dirx", err: storage.ErrPermission},
			"disguised": {name: "sub/../../out", content: "out", err: storage.ErrPermission},
			"url":       {name: "http://127.0.0.1:1/x", err: storage.ErrPermission, allowed: storage.ErrPermission},
			"file url":  {name: "file:///etc/passwd", err: storage.ErrPermission, allowed: storage.ErrPermission},
			"host":      {name: "//127.0.0.1:1/x", err: storage.ErrPermission, allowed: storage.ErrNotFound},
			"empty":     {name: "", err: storage.ErrPermission, allowed: storage.ErrPermission},
			"zero":      {name: "a\x00", err: storage.ErrPermission, allowed: storage.ErrPermission},
		} {
			for _, outside := range []bool{false, true} {
				want := c.err
				if outside {
					want = c.allowed
				}
				main := mustOpen(t, location, open.Options{AllowOutside: outside, Retries: -1})
				s, err := main.Sibling(ctx, c.name)
				if !errors.Is(err, want) || (err == nil) != (want == nil) {
					t.Errorf("%s, %s, outside %v: %v, want %v", kind, name, outside, err, want)
				}
				if err != nil {
					continue
				}
				if v, err := s.View(ctx, 0, int(s.Size())); err != nil || string(v) != c.content {
					t.Errorf("%s, %s: read %q, %v", kind, name, v, err)
				}
				s.Close()
			}
		}
	}
	main := mustOpen(t, locations["path"], open.Options{})
	if _, err := main.Sibling(ctx, "escape"); !errors.Is(err, storage.ErrPermission) {
		t.Errorf("symbolic link out of the directory: %v, want ErrPermission", err)
	}
	if _, err := open.Memory(nil).Sibling(ctx, "x"); !errors.Is(err, storage.ErrPermission) {
		t.Errorf("sibling of memory: %v, want ErrPermission", err)
	}
}
