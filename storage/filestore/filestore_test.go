package filestore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"clawh5/storage"
	"clawh5/storage/filestore"
	"clawh5/storage/storagetest"
)

func write(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *filestore.File {
	t.Helper()
	f, err := filestore.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestSuite(t *testing.T) {
	storagetest.Run(t, func(t *testing.T, content []byte) storage.Reader {
		return open(t, write(t, content))
	})
}

func TestChangedFileIsAnError(t *testing.T) {
	later := time.Now().Add(time.Hour)
	changes := map[string]func(path string) error{
		"truncated": func(p string) error { return os.Truncate(p, 10) },
		"emptied":   func(p string) error { return os.Truncate(p, 0) },
		"grown":     func(p string) error { return os.Truncate(p, 2000) },
		"rewritten": func(p string) error {
			return errors.Join(os.WriteFile(p, make([]byte, 1000), 0o600), os.Chtimes(p, later, later))
		},
		"only time moved": func(p string) error { return os.Chtimes(p, later, later) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			path := write(t, storagetest.Content(1000))
			f := open(t, path)
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			ctx := context.Background()
			if err := f.ReadAt(ctx, make([]byte, 100), 500); !errors.Is(err, storage.ErrChanged) {
				t.Errorf("ReadAt = %v, want ErrChanged", err)
			}
			spans := []storage.Span{{Off: 1, P: make([]byte, 5)}, {Off: 990, P: make([]byte, 10)}}
			if err := f.ReadRanges(ctx, spans); !errors.Is(err, storage.ErrChanged) {
				t.Errorf("ReadRanges = %v, want ErrChanged", err)
			}
		})
	}
}

func TestReplacedFileStaysReadableAndHasAnotherIdentity(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be replaced on Windows")
	}
	path := write(t, []byte("old bytes"))
	f := open(t, path)
	other := write(t, []byte("new bytes"))
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	p := make([]byte, 3)
	if err := f.ReadAt(context.Background(), p, 0); err != nil || string(p) != "old" {
		t.Errorf("ReadAt = %q, %v; want the bytes of the file that was opened", p, err)
	}
	if again := open(t, path); again.Identity() == f.Identity() {
		t.Errorf("both files have identity %q", f.Identity())
	}
}

func TestIdentityIsStable(t *testing.T) {
	path := write(t, []byte("bytes"))
	if a, b := open(t, path).Identity(), open(t, path).Identity(); a != b || a == "" {
		t.Errorf("identities %q and %q of one file", a, b)
	}
}

func TestOpenSaysWhyItFails(t *testing.T) {
	dir := t.TempDir()
	file := write(t, []byte("x"))
	locked := write(t, []byte("x"))
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		path string
		want error
	}{
		"missing":    {filepath.Join(dir, "no"), storage.ErrNotFound},
		"below file": {filepath.Join(file, "no"), storage.ErrNotFound},
		"directory":  {dir, storage.ErrUnsupported},
		"device":     {os.DevNull, storage.ErrUnsupported},
		"no access":  {locked, storage.ErrPermission},
		"empty":      {"", storage.ErrNotFound},
		"zero byte":  {"a\x00b", nil},
		"nonsense":   {"http://x", storage.ErrNotFound},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if name == "no access" && (os.Getuid() == 0 || runtime.GOOS == "windows") {
				t.Skip("everything may be read here")
			}
			f, err := filestore.Open(c.path)
			if err == nil {
				f.Close()
				t.Fatal("opened")
			}
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("Open = %v, want %v", err, c.want)
			}
		})
	}
}

func TestClosedFileIsNotRead(t *testing.T) {
	f := open(t, write(t, []byte("abc")))
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Errorf("Close twice: %v", err)
	}
	if err := f.ReadAt(context.Background(), make([]byte, 1), 0); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("ReadAt after Close = %v, want ErrClosed", err)
	}
}

func TestSmallReadDoesNotAllocate(t *testing.T) {
	f := open(t, write(t, storagetest.Content(4096)))
	p := make([]byte, 64)
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() {
		if err := f.ReadAt(ctx, p, 100); err != nil {
			t.Fatal(err)
		}
	}); n > 0 && runtime.GOOS == "linux" && !raceEnabled {
		t.Errorf("%v allocations a read", n)
	}
}

func BenchmarkRead64(b *testing.B) {
	f := open(b, write(b, storagetest.Content(1<<16)))
	p := make([]byte, 64)
	for b.Loop() {
		if err := f.ReadAt(context.Background(), p, 1000); err != nil {
			b.Fatal(err)
		}
	}
}
