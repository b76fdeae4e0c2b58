package core

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/storage/open"
)

// What the files hold is written in testdata/make/make_virtual.py.
const virtualFiles = "../testdata/files/virtual/"

// copyFiles copies the files of virtualFiles whose names match into dir.
func copyFiles(t *testing.T, dir string, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		names, err := filepath.Glob(virtualFiles + p)
		if err != nil || names == nil {
			t.Fatalf("no file %s: %v", p, err)
		}
		for _, name := range names {
			image, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), image, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func readJSON(t *testing.T, f *File, path string) string {
	t.Helper()
	d := testDataset(t, f, path)
	v, err := d.ReadValues(background, All(), d.Dims())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(v.AppendJSON(nil))
}

func readError(t *testing.T, f *File, path string) error {
	t.Helper()
	d := testDataset(t, f, path)
	_, err := d.ReadValues(background, All(), d.Dims())
	return err
}

// golden returns what h5py reads of a file, as compact JSON by path.
func golden(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(virtualFiles + "virtual.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for path, v := range all[file] {
		want[path] = string(v)
	}
	if len(want) == 0 {
		t.Fatalf("nothing is known of %s", file)
	}
	return want
}

func TestExternalRawFilesReadAsH5pyReadsThem(t *testing.T) {
	for _, name := range []string{"external.h5", "external_old.h5"} {
		f := openTest(t, virtualFiles+name, Options{})
		for path, want := range golden(t, name) {
			if got := readJSON(t, f, path); got != want {
				t.Errorf("%s %s: %s, want %s", name, path, got, want)
			}
		}
	}
}

func TestPartsOfExternalRawFilesAreRead(t *testing.T) {
	d := testDataset(t, openTest(t, virtualFiles+"external.h5", Options{}), "parts")
	got := make([]byte, 2*2*4)
	if err := d.Read(background, Hyperslab([]uint64{1, 2}, []uint64{2, 2}, []uint64{2, 2}, nil), MemoryNative, got, nil); err != nil {
		t.Fatal(err)
	}
	// Elements 7 and 9, 17 and 19: the third of raw_b.bin, zeros after its end, and 6 and 8 of raw_c.bin behind the first two.
	want := []byte{102, 0, 0, 0, 0, 0, 0, 0, 208, 0, 0, 0, 210, 0, 0, 0}
	if string(got) != string(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if files := d.Properties().External; len(files) != 3 || files[0] != (ExternalFile{"raw_a.bin", 3, 20}) || files[2].Size != Unlimited {
		t.Errorf("%v", files)
	}
}

func TestAnExternalRawFileThatIsMissingIsAnError(t *testing.T) {
	f := openTest(t, virtualFiles+"external.h5", Options{})
	if err := readError(t, f, "missing"); !errors.Is(err, h5err.Unavailable) || !strings.Contains(err.Error(), "raw_none.bin") {
		t.Error(err)
	}
}

func TestExternalRawFilesStayWithinThePolicy(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	copyFiles(t, dir, "raw_a.bin")
	copyFiles(t, inner, "external.h5", "raw_[ac].bin")
	path := filepath.Join(inner, "external.h5")
	for _, c := range []struct {
		policy ExternalPolicy
		path   string
		want   error
	}{
		{ExternalBelow, "outside", h5err.Permission},
		{RefuseExternal, "outside", h5err.Permission},
		{RefuseExternal, "missing", h5err.Permission},
	} {
		if err := readError(t, openTest(t, path, Options{External: c.policy}), c.path); !errors.Is(err, c.want) {
			t.Errorf("policy %d, %s: %v", c.policy, c.path, err)
		}
	}
	// A link out of the directory is a way out as well.
	if err := os.Symlink(filepath.Join(dir, "raw_a.bin"), filepath.Join(inner, "raw_none.bin")); err != nil {
		t.Skip(err)
	}
	if err := readError(t, openTest(t, path, Options{}), "missing"); !errors.Is(err, h5err.Permission) {
		t.Error(err)
	}
	f, err := OpenLocation(background, path, open.Options{}, Options{External: ExternalAnywhere})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := readJSON(t, f, "missing"); !strings.HasPrefix(got, "[16777215,") { // ff ff ff 00 …
		t.Error(got)
	}
}

func TestExternalRawFilesAreReadFromTheSameServer(t *testing.T) {
	r := serve(t, virtualFiles+"external.h5")
	want := golden(t, "external.h5")["parts"]
	r.cost()
	if got := readJSON(t, r.File, "parts"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r.cost().within(t, "three raw files of a few bytes", cost{requests: 6})
}

// A file of all kinds of trouble: what is opened for another is closed with it.
func TestPoolsCloseWhatTheyOpen(t *testing.T) {
	opened := map[string]int{}
	p := newPool[closer](2)
	for _, key := range []string{"a", "b", "c", "a", "d", "b"} {
		e, err := p.acquire(background, key, func() (closer, error) {
			opened[key]++
			return func() { opened[key]-- }, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		p.release(e)
		total := 0
		for _, n := range opened {
			total += n
		}
		if total > 2 {
			t.Errorf("%v are open", opened)
		}
	}
	p.Close()
	for key, n := range opened {
		if n != 0 {
			t.Errorf("%s is open", key)
		}
	}
	calls := 0
	for range 3 {
		if _, err := p.acquire(background, "none", func() (closer, error) {
			calls++
			return nil, newError(h5err.NotFound, "none")
		}); !errors.Is(err, h5err.NotFound) {
			t.Error(err)
		}
	}
	if calls != 1 {
		t.Errorf("a file that is missing was looked for %d times", calls)
	}
}

// A read may still be opening or using what its file leads to when that is closed.
func TestPoolsCloseWhatIsInUseWhenItIsReleased(t *testing.T) {
	p := newPool[closer](2)
	open := 0
	opens := func() (closer, error) {
		open++
		return func() { open-- }, nil
	}
	used, err := p.acquire(background, "used", opens)
	if err != nil {
		t.Fatal(err)
	}
	opening, err := p.acquire(background, "opening", func() (closer, error) {
		if err := p.Close(); err != nil || open != 1 {
			t.Errorf("%d open, %v; one is in use", open, err)
		}
		return opens()
	})
	if err != nil {
		t.Fatal(err)
	}
	p.release(opening)
	p.release(used)
	if open != 0 {
		t.Errorf("%d are open", open)
	}
}

type closer func()

func (c closer) Close() error {
	c()
	return nil
}
