package h5ls

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clawh5/cmd/clawh5/tooltest"
)

func TestPrintsWhatH5lsPrints(t *testing.T) {
	tooltest.RunCases(t, "h5ls", Run, workDir)
}

// workDir returns the folder that a case is run in: that of its input. Where
// the arguments name the input with a folder, it is put there, with all that
// lies beside it.
func workDir(t *testing.T, corpus string, c *tooltest.Case) string {
	t.Helper()
	if c.Input == "-" {
		return t.TempDir()
	}
	source := filepath.Dir(filepath.Join(corpus, c.Input))
	folder := filepath.Dir(c.Args[len(c.Args)-1])
	if !strings.HasPrefix(folder, "vds/") {
		return source
	}
	work := t.TempDir()
	if err := os.CopyFS(filepath.Join(work, folder), os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	return work
}

// TestListsAsHDF5sToolDoes compares with what h5ls of HDF5 1.10.8 printed:
// testdata/make/make_tool_output.sh. The name of an output is that of the file
// and the options.
func TestListsAsHDF5sToolDoes(t *testing.T) {
	local := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = local })
	t.Setenv("COLUMNS", "")
	tooltest.Golden(t, "testdata/expected", ".ls", func(t *testing.T, stem string) string {
		name, options, _ := strings.Cut(stem, "-")
		path := tooltest.Fixture(t, name+".h5")
		t.Chdir(filepath.Dir(path))
		var out, errs strings.Builder
		args := append(strings.Split("-"+strings.ReplaceAll(options, "-", " -"), " "), filepath.Base(path))
		if code := Run(t.Context(), args, &out, &errs); code != exitOK {
			t.Errorf("exit code %d: %s", code, errs.String())
		}
		return out.String()
	})
}

func TestEndsOnHostileFiles(t *testing.T) {
	tooltest.EndsOnHostileFiles(t, Run, "-rvad", "--follow-symlinks")
}
