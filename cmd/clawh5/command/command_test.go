package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"clawh5/storage/rangeserver"
)

const files = "../../../testdata/files/core/"

// run runs a command line and returns what it printed and its exit code.
func run(args ...string) (stdout, stderr string, code int) {
	var out, errors bytes.Buffer
	code = Run(context.Background(), args, &out, &errors)
	return out.String(), errors.String(), code
}

// output runs a command line that must succeed.
func output(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := run(args...)
	if code != exitOK || stderr != "" {
		t.Fatalf("%q: exit code %d, %s", args, code, stderr)
	}
	return stdout
}

// text removes the spaces at line ends that columns leave.
func text(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func serveFiles(t *testing.T) string {
	t.Helper()
	s, err := rangeserver.NewDir(files, rangeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r.URL + "/"
}

// What the files hold is written in testdata/make/make_core.py.
var texts = []struct {
	args []string
	want string
}{
	{[]string{"ls", "small_groups_latest.h5"}, `
a         group
hard      group
many      group
dangling  soft link      -> /a/nothing
external  external link  -> links_target.h5:/data
soft      soft link      -> /a/b/c/one
`},
	{[]string{"ls", "-r", "small_groups_earliest.h5", "a"}, `
b        group
b/c      group
b/c/one  dataset  scalar  int32  contiguous
`},
	{[]string{"ls", "-a", "links_target.h5", "data"}, `
.  dataset  (5)  int64  contiguous
`},
	{[]string{"ls", "-r", "-a", "attributes_earliest.h5", "few"}, `
.           group
  @fixed    attribute  scalar  string[5]
  @nothing  attribute  null    int32
  @numbers  attribute  (2, 3)  int16 big-endian
  @strings  attribute  (3)     string
  @text     attribute  scalar  string
`},
	{[]string{"ls", "-a", "attributes_earliest.h5", "typed"}, `
.  dataset  (2)  compound {a: int32, b: float64}  contiguous
`},
	{[]string{"ls", "layouts_earliest.h5"}, `
chunked               dataset  (7, 11)                      int32             chunked (3, 4)
compact               dataset  (7, 11)                      int32             compact
contiguous            dataset  (7, 11)                      int32             contiguous
deflate               dataset  (7, 11)                      int32             chunked (3, 4), deflate 6
grown                 dataset  (7/unlimited, 11)            int32             chunked (3, 4)
grown2                dataset  (7/unlimited, 11/unlimited)  int32             chunked (3, 4)
holes                 dataset  (10, 10)                     float32           chunked (2, 5)
lzf                   dataset  (7, 11)                      int32             chunked (7, 11), lzf
shuffled              dataset  (7, 11)                      int32             chunked (3, 4), shuffle, deflate 6, fletcher32
unwritten             dataset  (5, 5)                       int16             chunked (2, 2)
unwritten_contiguous  dataset  (5)                          int32 big-endian  contiguous
`},
	{[]string{"cat", "layouts_latest.h5", "/deflate", "--slice", "2:4,::3"}, `
22 25 28 31
33 36 39 42
`},
	{[]string{"cat", "layouts_latest.h5", "/grown", "-s", "-1,5", "--json"}, "\n71\n"},
	{[]string{"cat", "layouts_latest.h5", "/grown", "-s", "-1,5"}, "\n71\n"},
	{[]string{"cat", "layouts_latest.h5", "/unwritten", "-s", "...,3:"}, `
-7 -7
-7 -7
-7 -7
-7 -7
-7 -7
`},
	{[]string{"cat", "datatypes_latest.h5", "/empty", "--json"}, "\nnull\n"},
	{[]string{"cat", "datatypes_latest.h5", "/empty"}, ""},
	{[]string{"cat", "datatypes_latest.h5", "/zero"}, ""},
	{[]string{"cat", "small_groups_latest.h5", "/external"}, "\n0 1 2 3 4\n"},
}

func TestCommandsPrintWhatTheFilesHold(t *testing.T) {
	url := serveFiles(t)
	for _, c := range texts {
		want := strings.TrimPrefix(c.want, "\n")
		for _, place := range []string{files, url} {
			args := append([]string(nil), c.args...)
			for i := range args {
				if strings.HasSuffix(args[i], ".h5") {
					args[i] = place + args[i]
				}
			}
			if got := text(output(t, args...)); got != want {
				t.Errorf("%q:\n%swant\n%s", args, got, want)
			}
		}
	}
}

func TestLsJSONHasEveryObjectWithAttributes(t *testing.T) {
	var d struct {
		Objects []struct {
			Name       string
			Attributes []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(output(t, "ls", "-r", "--json", files+"attributes_latest.h5")), &d); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, o := range d.Objects {
		counts[o.Name] = len(o.Attributes)
	}
	for name, n := range map[string]int{"": 0, "few": 5, "dense": 60, "large": 1, "committed": 0, "typed": 0} {
		if got, ok := counts[name]; !ok || got != n {
			t.Errorf("%q has %d attributes, %v; want %d", name, got, ok, n)
		}
	}
	if len(counts) != 6 {
		t.Errorf("objects %v", counts)
	}
}

func TestStatTellsOfFilesAndObjects(t *testing.T) {
	var facts struct {
		File   struct{ Size int64 }
		Counts map[string]uint64
		IO     struct{ Requests int64 }
	}
	path := files + "small_groups_earliest.h5"
	if err := json.Unmarshal([]byte(output(t, "stat", "--json", path)), &facts); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	// Groups: the root, a, a/b, a/b/c, many and 40 in it. Links: 6 + 3 + 40.
	if facts.File.Size != info.Size() || facts.Counts["groups"] != 45 || facts.Counts["links"] != 49 ||
		facts.Counts["datasets"] != 1 || facts.IO.Requests == 0 {
		t.Errorf("%+v", facts)
	}
	for _, want := range []string{`"groups": 45`, `"version": 0`, `"requests":`} {
		if got := output(t, "stat", path); !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	for path, want := range map[string][]string{
		"/few":       {"/few: group at address ", "links    0", `@fixed  string[5]  "fixed"`, "@numbers  int16 big-endian  [[0,1,2],[3,4,5]]", `@text  string  "a variable string"`, "@nothing  int32  null"},
		"/committed": {"/committed: datatype", "compound {a: int32, b: float64}"},
		"/typed":     {"/typed: dataset", "shape    (2)", "storage  contiguous", "fill     "},
		"/large":     {"@table  float64  [0,1,2,3,", "…"},
	} {
		got := output(t, "stat", files+"attributes_latest.h5", path)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("stat %s: no %q in\n%s", path, w, got)
			}
		}
	}
	if got := output(t, "stat", files+"layouts_latest.h5", "/grown2"); !strings.Contains(got, "index    btree_v2") {
		t.Error(got)
	}
	if !json.Valid([]byte(output(t, "stat", "--json", files+"attributes_latest.h5", "/few"))) {
		t.Error("stat --json of an object is no JSON")
	}
}

func TestExplainTellsWhatAReadTouches(t *testing.T) {
	// Rows 2 and 3 lie in 2 rows of chunks, columns 0, 3, 6 and 9 in 3 columns.
	got := output(t, "explain", files+"layouts_latest.h5", "/deflate", "-s", "2:4,::3")
	if !strings.Contains(got, "8 elements") || !strings.Contains(got, "6 boxes") {
		t.Error(got)
	}
	var plan struct{ Elements uint64 }
	if err := json.Unmarshal([]byte(output(t, "explain", serveFiles(t)+"layouts_latest.h5", "/deflate", "--json")), &plan); err != nil || plan.Elements != 77 {
		t.Errorf("%+v, %v", plan, err)
	}
}

func TestExitCodesTellWhoseFaultItWas(t *testing.T) {
	notHDF5 := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(notHDF5, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := files + "layouts_latest.h5"
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{}, exitOK, ""},
		{[]string{"help"}, exitOK, ""},
		{[]string{"cat", "--help"}, exitOK, ""},
		{[]string{"--version"}, exitOK, ""},
		{[]string{"ls", file}, exitOK, ""},
		{[]string{"ls", "no such file"}, exitFile, "no such file"},
		{[]string{"ls", notHDF5}, exitFile, "HDF5"},
		{[]string{"ls", file, "/nothing"}, exitFile, "nothing"},
		{[]string{"cat", file, "/"}, exitFile, "dataset"},
		{[]string{"stat", "http://127.0.0.1:1/x.h5"}, exitFile, ""},
		{[]string{"serve", "no such directory"}, exitFile, "no such"},
		{[]string{"cat", files + "small_groups_latest.h5", "/external", "--no-external"}, exitFile, "external"},
		{[]string{"sl", file}, exitUsage, "unknown command"},
		{[]string{"ls"}, exitUsage, "arg"},
		{[]string{"cat", file}, exitUsage, "arg"},
		{[]string{"explain", file, "/deflate", "more"}, exitUsage, "arg"},
		{[]string{"ls", "--no-such-flag", file}, exitUsage, "no-such-flag"},
		{[]string{"cat", file, "/deflate", "-s", "7"}, exitUsage, "outside"},
		{[]string{"explain", file, "/deflate", "-s", "a"}, exitUsage, "neither"},
		{[]string{"ls", file, "--header", "x"}, exitUsage, "header"},
		{[]string{"serve", ".", "--bandwidth", "much"}, exitUsage, "100MB"},
	} {
		stdout, stderr, code := run(c.args...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: exit code %d, want %d; %s", c.args, code, c.code, stderr)
		}
		switch c.code {
		case exitOK:
			if stdout == "" || stderr != "" {
				t.Errorf("%q printed %q and the error %q", c.args, stdout, stderr)
			}
		default:
			if stdout != "" || !strings.HasPrefix(stderr, "clawh5: ") {
				t.Errorf("%q printed %q and the error %q", c.args, stdout, stderr)
			}
		}
	}
}

func TestHelpNamesEveryCommandAndFlag(t *testing.T) {
	root := newRoot()
	help := output(t)
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" || cmd.Hidden {
			continue
		}
		if !strings.Contains(help, cmd.Name()) {
			t.Errorf("the help does not name %s", cmd.Name())
		}
		checkHelp(t, cmd)
	}
}

func checkHelp(t *testing.T, cmd *cobra.Command) {
	text := output(t, cmd.Name(), "--help")
	if cmd.Short == "" || cmd.Long == "" || cmd.Example == "" {
		t.Errorf("%s has no description or no example", cmd.Name())
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(text, "--"+f.Name) || f.Usage == "" {
			t.Errorf("the help of %s does not explain --%s", cmd.Name(), f.Name)
		}
	})
}

func TestServeServesUntilItIsStopped(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	r, w := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- Run(ctx, []string{"serve", files, "--port", "0", "--latency", "1ms"}, w, io.Discard) }()
	line := make([]byte, 1000)
	n, err := r.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	_, url, ok := strings.Cut(strings.TrimSpace(string(line[:n])), "serving "+files+" at ")
	if !ok {
		t.Fatalf("the first line is %q", line[:n])
	}
	answer, err := http.Get(url + "links_target.h5")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	want, _ := os.ReadFile(files + "links_target.h5")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes were served, %v", len(got), err)
	}
	if out := text(output(t, "cat", url+"links_target.h5", "/data")); out != "0 1 2 3 4\n" {
		t.Error(out)
	}
	stop()
	if c := <-code; c != exitOK {
		t.Errorf("exit code %d", c)
	}
}

func TestCancelledCommandEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errors bytes.Buffer
	if code := Run(ctx, []string{"ls", serveFiles(t) + "links_target.h5"}, &out, &errors); code != exitFile {
		t.Errorf("exit code %d, %s", code, errors.String())
	}
}

func TestBytesHaveUnits(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "1500": 1500, "100MB": 100e6, "1.5gb": 15e8, "2 k": 2000, "7B": 7} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"x", "-1", "MB", "1e30GB", "NaN"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}
