package h5ls

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestListsAsHDF5sToolDoes compares with what h5ls of HDF5 1.10.8 printed:
// testdata/make/make_tool_output.sh. The name of an output is that of the file
// and the options.
func TestListsAsHDF5sToolDoes(t *testing.T) {
	outputs, err := filepath.Glob("testdata/expected/*.ls")
	if err != nil || len(outputs) == 0 {
		t.Fatalf("no expected output: %v", err)
	}
	local := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = local })
	t.Setenv("COLUMNS", "")
	for _, output := range outputs {
		name, options, _ := strings.Cut(strings.TrimSuffix(filepath.Base(output), ".ls"), "-")
		t.Run(name+"-"+options, func(t *testing.T) {
			want, err := os.ReadFile(output)
			if err != nil {
				t.Fatal(err)
			}
			found, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "files", "*", name+".h5"))
			if err != nil || len(found) != 1 {
				t.Fatalf("%d files are called %s.h5", len(found), name)
			}
			t.Chdir(filepath.Dir(found[0]))
			var out, errs bytes.Buffer
			args := append(strings.Split("-"+strings.ReplaceAll(options, "-", " -"), " "), name+".h5")
			if code := Run(context.Background(), args, &out, &errs); code != exitOK {
				t.Errorf("exit code %d: %s", code, errs.String())
			}
			if d := difference(out.String(), string(want)); d != "" {
				t.Error(d)
			}
		})
	}
}
