package h5ls

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// corpus is where HDF5's own tests of h5ls lie, or the test is skipped.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("CLAWH5_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "h5ls", "cases.tsv")); err != nil {
		t.Skip("the corpus is not here; set CLAWH5_CORPUS to its directory")
	}
	return dir
}

// rows reads a table of tab-separated values with a header line.
func rows(t *testing.T, file string) []map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	names := strings.Split(lines[0], "\t")
	var table []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, v := range strings.Split(line, "\t") {
			row[names[i]] = v
		}
		table = append(table, row)
	}
	return table
}

// TestPrintsWhatH5lsPrints runs HDF5's own tests of h5ls. Those that are known
// to fail are listed with the reason in testdata/known_failures.tsv: one that
// passes is to be struck off, none may be added.
func TestPrintsWhatH5lsPrints(t *testing.T) {
	dir := corpus(t)
	known := map[string]string{}
	for _, row := range rows(t, filepath.Join("testdata", "known_failures.tsv")) {
		known[row["case"]] = row["reason"]
	}
	passed, total := map[string]int{}, map[string]int{}
	for _, c := range rows(t, filepath.Join(dir, "h5ls", "cases.tsv")) {
		t.Run(c["case"], func(t *testing.T) {
			total[c["category"]]++
			problem := runCase(t, dir, c)
			if problem == "" {
				passed[c["category"]]++
			}
			reason, expected := known[c["case"]]
			switch {
			case problem != "" && !expected:
				t.Error(problem)
			case problem == "" && expected:
				t.Errorf("passes, but is listed as a known failure: %s", reason)
			}
		})
	}
	for category := range total {
		t.Logf("%-14s %d/%d", category, passed[category], total[category])
	}
}

// runCase returns how the output differs from what is expected, or "".
func runCase(t *testing.T, dir string, c map[string]string) string {
	t.Helper()
	work := workDir(t, dir, c)
	t.Chdir(work)
	if name, value, ok := strings.Cut(c["env"], "="); ok {
		t.Setenv(name, value)
	}
	var out, errs bytes.Buffer
	code := Run(context.Background(), fields(c["args"]), &out, &errs)
	var problems []string
	if want, _ := strconv.Atoi(c["exit_code"]); code != want {
		problems = append(problems, "exit code "+strconv.Itoa(code)+", not "+c["exit_code"])
	}
	if text := c["stderr_must_contain"]; text != "-" && !strings.Contains(errs.String(), text) {
		problems = append(problems, "the errors do not contain "+strconv.Quote(text))
	}
	if !strings.Contains(c["note"], "stdout not compared") {
		want, err := os.ReadFile(filepath.Join(dir, "h5ls", c["expected"]))
		if err != nil {
			t.Fatal(err)
		}
		if d := difference(out.String(), string(want)); d != "" {
			problems = append(problems, d)
		}
	}
	if problems == nil {
		return ""
	}
	return strings.Join(problems, "\n") + "\nerrors: " + errs.String()
}

// workDir returns the folder that a case is run in: that of its input. Where
// the arguments name the input with a folder, it is put there, with all that
// lies beside it.
func workDir(t *testing.T, dir string, c map[string]string) string {
	t.Helper()
	input := strings.Split(c["inputs"], ";")[0]
	if input == "-" {
		return t.TempDir()
	}
	source := filepath.Dir(filepath.Join(dir, input))
	args := fields(c["args"])
	folder := filepath.Dir(args[len(args)-1])
	if !strings.HasPrefix(folder, "vds/") {
		return source
	}
	work := t.TempDir()
	if err := os.CopyFS(filepath.Join(work, folder), os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	return work
}

// fields splits a command line at its spaces; '…' quotes.
func fields(s string) []string {
	var list []string
	for _, f := range strings.Fields(s) {
		list = append(list, strings.Trim(f, "'"))
	}
	return list
}

// difference returns the first line that differs, apart from line endings.
func difference(got, want string) string {
	g, w := strings.Split(strings.ReplaceAll(got, "\r\n", "\n"), "\n"), strings.Split(strings.ReplaceAll(want, "\r\n", "\n"), "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return "line " + strconv.Itoa(i+1) + ":\n got  " + strconv.Quote(a) + "\n want " + strconv.Quote(b)
		}
	}
	return ""
}
