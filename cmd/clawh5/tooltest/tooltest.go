// Package tooltest holds what the tests of dump and h5ls share: the cases of the
// conformance corpus, which are HDF5's own tests of its tools, and comparisons
// with what those tools printed of the files in testdata.
package tooltest

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"clawh5/core"
)

// Tool is the command that is tested. It returns the exit code.
type Tool func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// up leads from the folder of a tool's package to that of the project.
const up = "../../.."

// Corpus returns the folder of the conformance corpus; the test is skipped where
// there is none.
func Corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("CLAWH5_CORPUS")
	if dir == "" {
		dir = filepath.Join(up, "..", "shared", "corpus")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "MANIFEST.tsv")); err != nil {
		t.Skipf("no conformance corpus at %s; CLAWH5_CORPUS names another place", dir)
	}
	return dir
}

// Fixture returns the path of the only file of a name in the folders of
// testdata/files.
func Fixture(t *testing.T, name string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(up, "testdata", "files", "*", name))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d files are called %s", len(found), name)
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Golden compares what print returns for the stem of every file folder/*.ext
// with what the file holds.
func Golden(t *testing.T, folder, ext string, print func(t *testing.T, stem string) string) {
	outputs, err := filepath.Glob(filepath.Join(folder, "*"+ext))
	if err != nil || len(outputs) == 0 {
		t.Fatalf("no expected output: %v", err)
	}
	for _, output := range outputs {
		stem := strings.TrimSuffix(filepath.Base(output), ext)
		t.Run(stem, func(t *testing.T) {
			want, err := os.ReadFile(output)
			if err != nil {
				t.Fatal(err)
			}
			if d := Difference(print(t, stem), string(want)); d != "" {
				t.Error(d)
			}
		})
	}
}

// Difference returns the first line that differs, apart from line endings.
func Difference(got, want string) string {
	lines := func(s string) []string { return strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n") }
	g, w := lines(got), lines(want)
	line := func(list []string, i int) string {
		if i == len(list) {
			return "<end>"
		}
		return strconv.Quote(list[i])
	}
	for i := range max(len(g), len(w)) {
		if i == len(g) || i == len(w) || g[i] != w[i] {
			return "line " + strconv.Itoa(i+1) + ":\n got  " + line(g, i) + "\n want " + line(w, i)
		}
	}
	return ""
}

// EndsOnHostileFiles fails if the tool, with these arguments, panics on a
// malformed file of the corpus, takes longer than a minute, or fails and does
// not say why.
func EndsOnHostileFiles(t *testing.T, tool Tool, args ...string) {
	files := 0
	err := filepath.WalkDir(filepath.Join(Corpus(t), "hostile"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var said strings.Builder
		code := tool(ctx, append(args[:len(args):len(args)], path), io.Discard, &said)
		if ctx.Err() != nil {
			t.Errorf("%s takes more than a minute", path)
		}
		if code != 0 && said.Len() == 0 {
			t.Errorf("%s: exit code %d without a message", path, code)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%d files, %v", files, err)
	}
}

// Predefined returns a datatype of HDF5.
func Predefined(t *testing.T, name string) core.Datatype {
	t.Helper()
	typ, ok := core.Predefined(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	return typ
}

// Made returns a function that takes the datatype that a call has made.
func Made(t *testing.T) func(core.Datatype, error) core.Datatype {
	return func(typ core.Datatype, err error) core.Datatype {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return typ
	}
}
