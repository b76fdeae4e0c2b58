package core

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clawh5/core/h5err"
	"clawh5/storage/open"
)

const driverFiles = "../testdata/files/drivers/several/"

// readsFilled compares a file with what make_drivers.py puts into all of them.
func readsFilled(t *testing.T, f *File) {
	t.Helper()
	values := func(path string) string {
		d := testDataset(t, f, path)
		v, err := d.ReadValues(background, All(), d.Dims())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return string(v.AppendJSON(nil))
	}
	list := func(n int, format string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(format, i)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	if got := values("contiguous"); got != list(3000, "%d") {
		t.Errorf("contiguous: %.100s", got)
	}
	if got := strings.ReplaceAll(values("chunked"), "],[", ","); got != "["+list(3000, "%d")+"]" {
		t.Errorf("chunked: %.100s", got)
	}
	if got := values("texts"); got != list(300, `"text %d"`) {
		t.Errorf("texts: %.100s", got)
	}
	if got := values("group/member37"); got != "37" {
		t.Errorf("group/member37: %s", got)
	}
	g, err := f.Root().Open(background, "group")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := g.LinkCount(background); n != 40 || err != nil {
		t.Errorf("%d members, %v", n, err)
	}
	a, err := g.Attribute(background, "list")
	if err != nil || string(a.AppendJSON(nil)) != list(10, "%d") {
		t.Errorf("attribute: %v", err)
	}
}

func TestFilesOfSeveralDriversAreReadByAnyOfTheirNames(t *testing.T) {
	for location, drivers := range map[string]string{
		"family_earliest_000.h5": ", family", "family_latest_000.h5": ", family",
		"family_earliest_%03d.h5": ", family", "family_latest_%03d.h5": ", family",
		"split_earliest": ", split", "split_latest": ", split", "split_latest-m.h5": ", split, multi, family",
		"multi_earliest": ", multi", "multi_latest": ", multi", "multi_latest-s.h5": ", multi", "multi_earliest-s.h5": ", multi, split",
		"three.super": ", multi",
	} {
		for _, driver := range strings.Split(drivers, ", ") {
			f, err := OpenLocation(background, driverFiles+location, open.Options{Driver: driver}, Options{})
			if err != nil {
				t.Errorf("%s, %q: %v", location, driver, err)
				continue
			}
			readsFilled(t, f)
			if info := string(f.AppendInfo(nil)); !strings.Contains(info, `"members":[`) || strings.Contains(info, `"path"`) {
				t.Errorf("%s: %s", location, info)
			}
			again := Options{ExpectIdentity: f.Identity()}
			if f2, err := OpenLocation(background, driverFiles+location, open.Options{Driver: driver}, again); err != nil {
				t.Errorf("%s again: %v", location, err)
			} else {
				f2.Close()
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// copyGlob copies files of a pattern to a new directory.
func copyGlob(t *testing.T, pattern string) string {
	t.Helper()
	dir := t.TempDir()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal(pattern, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func openError(location, driver string, o Options) error {
	f, err := OpenLocation(background, location, open.Options{Driver: driver}, o)
	if err == nil {
		f.Close()
	}
	return err
}

func TestAFamilyWithAMemberMissingOrShortIsRefused(t *testing.T) {
	for _, libver := range []string{"earliest", "latest"} {
		dir := copyGlob(t, driverFiles+"family_"+libver+"*")
		first, third := filepath.Join(dir, "family_"+libver+"_000.h5"), filepath.Join(dir, "family_"+libver+"_002.h5")
		if err := openError(first, "sec2", Options{}); !errors.Is(err, h5err.Corrupt) {
			t.Errorf("the first member alone: %v", err)
		}
		if err := os.Truncate(third, 6999); err != nil {
			t.Fatal(err)
		}
		if err := openError(first, "", Options{}); !errors.Is(err, h5err.Corrupt) || !strings.Contains(err.Error(), "002.h5") {
			t.Errorf("a short member: %v", err)
		}
		if err := os.Remove(third); err != nil {
			t.Fatal(err)
		}
		if err := openError(first, "", Options{}); !errors.Is(err, h5err.Corrupt) || !strings.Contains(err.Error(), "missing") {
			t.Errorf("a missing member: %v", err)
		}
		if err := openError(third, "", Options{}); !errors.Is(err, h5err.NotFound) {
			t.Errorf("a name that is not there: %v", err)
		}
		fourth := filepath.Join(dir, "family_"+libver+"_003.h5")
		if err := openError(fourth, "", Options{}); !errors.Is(err, h5err.NotHDF5) {
			t.Errorf("a member that is not the first: %v", err)
		}
	}
}

// Libraries before 1.8 left no driver information: names and sizes must fit.
func TestAFamilyWithoutDriverInformationIsFoundByItsSizes(t *testing.T) {
	const driverAddress = 48
	dir := copyGlob(t, driverFiles+"family_earliest*")
	first := filepath.Join(dir, "family_earliest_000.h5")
	b, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	copy(b[driverAddress:], strings.Repeat("\xff", 8))
	if err := os.WriteFile(first, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f := openTest(t, first, Options{})
	readsFilled(t, f)

	second := filepath.Join(dir, "family_earliest_001.h5")
	b, err = os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	copy(b, "\x89HDF\r\n\x1a\n")
	if err := os.WriteFile(second, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := openError(first, "", Options{}); !errors.Is(err, h5err.Corrupt) || !strings.Contains(err.Error(), "truncated") {
		t.Errorf("a member that is a file of its own: %v", err)
	}
}

func TestMembersOfAMultiFileThatAreMissing(t *testing.T) {
	dir := copyGlob(t, driverFiles+"split_*")
	if err := os.Remove(filepath.Join(dir, "split_latest-r.h5")); err != nil {
		t.Fatal(err)
	}
	f := openTest(t, filepath.Join(dir, "split_latest-m.h5"), Options{})
	if w := f.Warnings(); len(w) != 1 || !strings.Contains(w[0], "split_latest-r.h5") {
		t.Errorf("warnings %q", w)
	}
	d := testDataset(t, f, "contiguous")
	if err := d.Read(background, All(), MemoryFile, make([]byte, 12000), nil); !errors.Is(err, h5err.NotFound) || !strings.Contains(err.Error(), "split_latest-r.h5") {
		t.Errorf("raw data of a missing member: %v", err)
	}
	if _, err := testDataset(t, f, "texts").ReadValues(background, All(), []uint64{300}); err == nil {
		t.Error("texts of a missing member were read")
	}

	short := filepath.Join(dir, "split_earliest-r.h5")
	if err := os.Truncate(short, 100); err != nil {
		t.Fatal(err)
	}
	if err := openError(filepath.Join(dir, "split_earliest"), "", Options{}); !errors.Is(err, h5err.Corrupt) || !strings.Contains(err.Error(), "split_earliest-r.h5") {
		t.Errorf("a truncated member: %v", err)
	}
	renamed := filepath.Join(dir, "other.h5")
	if err := os.Rename(filepath.Join(dir, "split_earliest-m.h5"), renamed); err != nil {
		t.Fatal(err)
	}
	if err := openError(renamed, "", Options{}); !errors.Is(err, h5err.Unsupported) {
		t.Errorf("a renamed member: %v", err)
	}
}

func TestUnknownDriversAreRefused(t *testing.T) {
	if err := openError(driverFiles+"three.super", "subfiling", Options{}); !errors.Is(err, h5err.Handle) {
		t.Errorf("%v", err)
	}
}

func TestNamesOfFamilies(t *testing.T) {
	for pattern, want := range map[string]string{
		"a%d.h5": "a0.h5", "a%05d": "a00000", "%3u": "  0", "a": "", "a%d%d": "", "a%s": "", "50%": "", "/x/f%03i.h5": "/x/f000.h5",
	} {
		if got := firstMember(pattern); got != want {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
	for name, want := range map[string]string{"a.h5": "a-%06d.h5", "a.h5.x": "a-%06d.h5.x", "a.b.nc": "a.b-%06d.nc", "a": "a-%06d"} {
		if got := defaultPattern(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
