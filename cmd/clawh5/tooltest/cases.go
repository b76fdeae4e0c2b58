package tooltest

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Case is a line of a cases.tsv of the corpus: a command line, and what it
// should lead to.
type Case struct {
	Name     string
	Args     []string
	Input    string // the first file that it reads, in the corpus; "-" if there is none
	Category string

	expected string // file with the output, beside cases.tsv; "-" if there is none
	exit     int
	stderr   string // has to be said; "-" if nothing has
	env      string // NAME=value, or "-"
	note     string // what else the comparison needs to know
}

// RunCases runs the cases of a tool, each in the folder that place returns.
// Those that are known to fail are listed with the reason in
// testdata/known_failures.tsv of the package: one that passes is to be struck
// off, none may be added.
func RunCases(t *testing.T, name string, tool Tool, place func(t *testing.T, corpus string, c *Case) string) {
	corpus := Corpus(t)
	known := map[string]string{}
	for _, row := range rows(t, filepath.Join("testdata", "known_failures.tsv")) {
		known[row["case"]] = row["reason"]
	}
	passed, total := map[string]int{}, map[string]int{}
	for _, row := range rows(t, filepath.Join(corpus, name, "cases.tsv")) {
		c := newCase(t, row)
		total[c.Category]++
		folder := place(t, corpus, c)
		t.Run(c.Name, func(t *testing.T) {
			problem := c.run(t, tool, corpus, name, folder)
			reason, fails := known[c.Name]
			switch {
			case problem == "":
				passed[c.Category]++
				if fails {
					t.Errorf("passes, but is a known failure: %s", reason)
				}
			case !fails:
				t.Errorf("%s %s\n%s", name, strings.Join(c.Args, " "), problem)
			default:
				t.Logf("known to fail: %s\n%s", reason, problem)
			}
		})
	}
	for _, category := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%-14s %d/%d", category, passed[category], total[category])
	}
}

// rows reads a table of tab-separated values whose first line has the names.
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

func newCase(t *testing.T, row map[string]string) *Case {
	t.Helper()
	exit, err := strconv.Atoi(row["exit_code"])
	if err != nil {
		t.Fatal(err)
	}
	input, _, _ := strings.Cut(row["inputs"], ";")
	return &Case{Name: row["case"], Args: words(row["args"]), Input: input, Category: row["category"], expected: row["expected"],
		exit: exit, stderr: row["stderr_must_contain"], env: row["env"], note: row["note"]}
}

// words splits a line as a shell does that knows quotes only.
func words(line string) []string {
	var list []string
	var word strings.Builder
	quote, begun := rune(0), false
	for _, c := range line + " " {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case c != ' ':
			word.WriteRune(c)
			begun = true
		case begun:
			list = append(list, word.String())
			word.Reset()
			begun = false
		}
	}
	return list
}

// Of the notes: what to replace before comparing, and the files that are
// written and what should be in them.
var (
	replacement = regexp.MustCompile(`replace regex "(.*?)" by "(.*?)"$`)
	fileOutput  = regexp.MustCompile(`file (\S+) == ([^\s;]+)`)
)

const sourcesFolder = "<dir of the VDS source files>" // in values of variables

// run returns what is wrong with a case; "" if nothing is.
func (c *Case) run(t *testing.T, tool Tool, corpus, name, folder string) (problem string) {
	defer func() {
		if p := recover(); p != nil {
			problem = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	t.Chdir(folder)
	if variable, value, ok := strings.Cut(c.env, "="); ok {
		if strings.HasPrefix(value, sourcesFolder) {
			value = filepath.Join(corpus, "hdf5", name, "vds") + "/"
		}
		t.Setenv(variable, value)
	}
	var stdout, stderr bytes.Buffer
	if code := tool(t.Context(), c.Args, &stdout, &stderr); code != c.exit {
		problem += fmt.Sprintf("exit code %d, not %d; %.200s\n", code, c.exit, stderr.String())
	}
	if c.stderr != "-" && !strings.Contains(stderr.String(), c.stderr) {
		problem += fmt.Sprintf("%q is not in %q\n", c.stderr, stderr.String())
	}
	if c.expected != "-" && !strings.Contains(c.note, "stdout not compared") {
		problem += c.compare(stdout.String(), filepath.Join(corpus, name, c.expected))
	}
	if m := fileOutput.FindStringSubmatch(c.note); m != nil {
		got, err := os.ReadFile(m[1])
		if err != nil {
			return problem + err.Error()
		}
		problem += c.compare(string(got), filepath.Join(corpus, name, m[2]))
	}
	return problem
}

func (c *Case) compare(got, path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	want := string(text)
	if m := replacement.FindStringSubmatch(c.note); m != nil {
		re := regexp.MustCompile(m[1])
		got, want = re.ReplaceAllString(got, m[2]), re.ReplaceAllString(want, m[2])
	}
	if d := Difference(got, want); d != "" {
		return filepath.Base(path) + ", " + d + "\n"
	}
	return ""
}
