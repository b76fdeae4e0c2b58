package dump

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"sort"
	"strings"
	"testing"
)

// corpus returns the folder of the conformance corpus.
func corpus(t *testing.T) string {
	dir := os.Getenv("CLAWH5_CORPUS")
	if dir == "" {
		dir = "../../../../shared/corpus"
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "h5dump", "cases.tsv")); err != nil {
		t.Skipf("no conformance corpus at %s; CLAWH5_CORPUS names another place", dir)
	}
	return dir
}

// testCase is a line of cases.tsv.
type testCase struct {
	name, inputs, expected, exit, category, stderr, note string
	args                                                 []string
	environment                                          string
}

func readCases(t *testing.T, dir string) []testCase {
	text, err := os.ReadFile(filepath.Join(dir, "h5dump", "cases.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) < 9 {
			continue
		}
		cases = append(cases, testCase{name: f[0], args: shellWords(f[1]), inputs: f[2], expected: f[3], exit: f[4],
			category: f[5], stderr: f[6], environment: f[7], note: f[8]})
	}
	return cases
}

// shellWords splits a line as a shell does that knows quotes only.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	quote, begun := rune(0), false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case c == ' ':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

var (
	replacement = regexp.MustCompile(`replace regex "(.*?)" by "(.*?)"$`)
	fileOutput  = regexp.MustCompile(`file (\S+) == ([^\s;]+)`)
)

// result is what is wrong with a case; "" if nothing is.
func (c *testCase) run(t *testing.T, dir, work string) (problem string) {
	defer func() {
		if p := recover(); p != nil {
			problem = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	t.Chdir(work)
	if name, value, ok := strings.Cut(c.environment, "="); ok {
		if strings.HasPrefix(value, "<dir of the VDS source files>") {
			value = filepath.Join(dir, "hdf5", "h5dump", "vds") + "/"
		}
		t.Setenv(name, value)
	}
	var stdout, stderr bytes.Buffer
	code := Run(context.Background(), c.args, &stdout, &stderr)
	if fmt.Sprint(code) != c.exit {
		problem += fmt.Sprintf("exit code %d, not %s; %s\n", code, c.exit, firstLine(stderr.String()))
	}
	if c.stderr != "-" && !strings.Contains(stderr.String(), c.stderr) {
		problem += fmt.Sprintf("%q is not in %q\n", c.stderr, stderr.String())
	}
	if c.expected != "-" && !strings.Contains(c.note, "stdout not compared") {
		problem += c.compare(stdout.String(), filepath.Join(dir, "h5dump", c.expected))
	}
	if m := fileOutput.FindStringSubmatch(c.note); m != nil {
		got, err := os.ReadFile(filepath.Join(work, m[1]))
		if err != nil {
			return problem + err.Error()
		}
		problem += c.compare(string(got), filepath.Join(dir, "h5dump", m[2]))
	}
	return problem
}

// folders are the working folders of the cases, by what is in them. Files that
// cases write have names of their own.
type folders map[string]string

// folder returns a folder with the files that a case may need.
func (f folders) folder(t *testing.T, dir string, c *testCase) string {
	input, _, _ := strings.Cut(c.inputs, ";")
	key := filepath.Dir(input)
	sources := []string{filepath.Join(dir, filepath.Dir(input))}
	switch {
	case c.category == "xml":
		key = "xml"
		sources = []string{filepath.Join(dir, "hdf5", "h5dump"), filepath.Join(dir, "hdf5", "h5dump", "xml")}
	case strings.HasPrefix(c.name, "PREFIX-"):
		key, sources = input, nil
	}
	if f[key] != "" {
		return f[key]
	}
	work := t.TempDir()
	f[key] = work
	if sources == nil {
		copyFile(t, filepath.Join(dir, input), filepath.Join(work, filepath.Base(input)))
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

func (c *testCase) compare(got, path string) string {
	want, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	normal := func(s string) string {
		s = strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
		if m := replacement.FindStringSubmatch(c.note); m != nil {
			s = regexp.MustCompile(m[1]).ReplaceAllString(s, m[2])
		}
		return s
	}
	g, w := strings.Split(normal(got), "\n"), strings.Split(normal(string(want)), "\n")
	for i := 0; i < len(g) || i < len(w); i++ {
		line := func(l []string) string {
			if i < len(l) {
				return l[i]
			}
			return "<end>"
		}
		if line(g) != line(w) {
			return fmt.Sprintf("line %d of %s:\n  got  %s\n  want %s\n", i+1, filepath.Base(path), line(g), line(w))
		}
	}
	return ""
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// knownFailures returns the cases that are known to fail, with the reasons.
func knownFailures(t *testing.T) map[string]string {
	text, err := os.ReadFile("testdata/known_failures.tsv")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if name, reason, ok := strings.Cut(line, "\t"); ok {
			known[name] = reason
		}
	}
	return known
}

func TestOutputIsThatOfH5dump(t *testing.T) {
	dir := corpus(t)
	known := knownFailures(t)
	places := folders{}
	passed, total := map[string]int{}, map[string]int{}
	for _, c := range readCases(t, dir) {
		total[c.category]++
		place := places.folder(t, dir, &c)
		t.Run(c.name, func(t *testing.T) {
			problem := c.run(t, dir, place)
			reason, fails := known[c.name]
			switch {
			case problem == "":
				passed[c.category]++
				if fails {
					t.Errorf("passes, but is a known failure: %s", reason)
				}
			case !fails:
				t.Errorf("h5dump %s\n%s", strings.Join(c.args, " "), problem)
			default:
				t.Logf("known to fail: %s\n%s", reason, problem)
			}
		})
	}
	categories := make([]string, 0, len(total))
	for c := range total {
		categories = append(categories, c)
	}
	sort.Strings(categories)
	for _, c := range categories {
		t.Logf("%-14s %d/%d", c, passed[c], total[c])
	}
}
