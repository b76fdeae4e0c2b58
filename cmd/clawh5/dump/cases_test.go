package dump

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clawh5/cmd/clawh5/tooltest"
)

func TestOutputIsThatOfH5dump(t *testing.T) {
	tooltest.RunCases(t, "h5dump", Run, folders{}.folder)
}

// folders are the working folders of the cases, by what is in them. Files that
// cases write have names of their own.
type folders map[string]string

// folder returns a folder with the files that a case may need.
func (f folders) folder(t *testing.T, corpus string, c *tooltest.Case) string {
	key := filepath.Dir(c.Input)
	sources := []string{filepath.Join(corpus, key)}
	switch {
	case c.Category == "xml":
		key = "xml"
		sources = []string{filepath.Join(corpus, "hdf5", "h5dump"), filepath.Join(corpus, "hdf5", "h5dump", "xml")}
	case strings.HasPrefix(c.Name, "PREFIX-"):
		key, sources = c.Input, nil
	}
	if f[key] != "" {
		return f[key]
	}
	work := t.TempDir()
	f[key] = work
	if sources == nil {
		copyFile(t, filepath.Join(corpus, c.Input), filepath.Join(work, filepath.Base(c.Input)))
	}
	for _, s := range sources {
		entries, err := os.ReadDir(s)
		if err != nil {
			continue
		}
		for _, e := range entries {
			copyFile(t, filepath.Join(s, e.Name()), filepath.Join(work, e.Name()))
		}
	}
	return work
}

func copyFile(t *testing.T, from, to string) {
	if info, err := os.Stat(from); err != nil || info.IsDir() {
		return
	}
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestMalformedFilesEnd(t *testing.T) {
	tooltest.EndsOnHostileFiles(t, Run, "-p")
}
