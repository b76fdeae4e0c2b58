package h5ls

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
)

func TestOptionsAreThoseOfH5ls(t *testing.T) {
	for _, c := range []struct {
		args  string
		want  func(*options)
		files string
	}{
		{"a.h5", func(*options) {}, "a.h5"},
		{"-w80 a.h5 b.h5/g", func(o *options) { o.width = 80 }, "a.h5 b.h5/g"},
		{"-w 40 a.h5", func(o *options) { o.width = 40 }, "a.h5"},
		{"-w0x20 a.h5", func(o *options) { o.width = 32 }, "a.h5"},
		{"-w0 a.h5", func(o *options) { o.noWrap = true }, "a.h5"},
		{"--width=0 a.h5", func(o *options) { o.noWrap = true }, "a.h5"},
		{"--width 50 a.h5", func(o *options) { o.width = 50 }, "a.h5"},
		{"-dvS a.h5", func(o *options) { o.data, o.verbose, o.simple = true, true, true }, "a.h5"},
		{"-r a.h5", func(o *options) { o.recursive, o.fullNames = true, true }, "a.h5"},
		{"--recursive a.h5", func(o *options) { o.recursive, o.fullNames = true, true }, "a.h5"},
		{"-aelgxsfE a.h5", func(o *options) {
			o.address, o.errorStack, o.label, o.groupItself, o.hexdump, o.text, o.fullNames, o.followExtern = true, true, true, true, true, true, true, true
		}, "a.h5"},
		{"--follow-symlinks --no-dangling-links a.h5", func(o *options) { o.followLinks, o.dangling = true, true }, "a.h5"},
		{"--vfd=core --vol-name=native --page-buffer-size=8 a.h5", func(o *options) { o.driver = "core" }, "a.h5"},
		{"-v -- -d", func(o *options) { o.verbose = true }, "-d"},
		{"a.h5 -d", func(*options) {}, "a.h5 -d"},
	} {
		want := options{width: 80}
		c.want(&want)
		t.Setenv("COLUMNS", "")
		var got options
		files, act := got.parse(strings.Fields(c.args), &bytes.Buffer{})
		if act != actList || got != want || !slices.Equal(files, strings.Fields(c.files)) {
			t.Errorf("%s: action %d, files %q, options\n got  %+v\n want %+v", c.args, act, files, got, want)
		}
	}
}

func TestWrongCommandLinesPrintTheUsage(t *testing.T) {
	for _, c := range []struct {
		args   string
		code   int
		stderr string
	}{
		{"", 1, ""},
		{"-h", 0, ""},
		{"-d -?", 0, ""},
		{"--help", 0, ""},
		{"-z a.h5", 1, ""},
		{"--d a.h5", 1, "Unknown argument: --d\n"},
		{"--wrong a.h5", 1, "Unknown argument: --wrong\n"},
		{"-w", 1, ""},
		{"-w-1 a.h5", 1, ""},
		{"-w8x a.h5", 1, ""},
		{"--width 0 a.h5", 1, ""},
		{"-r -g a.h5", 1, "Error: 'recursive' option not compatible with 'group info' option!\n\n"},
		{"--no-dangling-links a.h5", 1, "Error: --no-dangling-links must be used along with --follow-symlinks option!\n\n"},
	} {
		var out, errs bytes.Buffer
		code := Run(context.Background(), strings.Fields(c.args), &out, &errs)
		if code != c.code || out.String() != usage || errs.String() != c.stderr {
			t.Errorf("%q: exit code %d, errors %q, output %.40q…", c.args, code, errs.String(), out.String())
		}
	}
}

func TestWidthComesFromTheEnvironment(t *testing.T) {
	for value, want := range map[string]int{"132": 132, "": 80, "x": 80, "0": 80, "-4": 80} {
		t.Setenv("COLUMNS", value)
		if got := columns(); got != want {
			t.Errorf("COLUMNS=%q: %d, not %d", value, got, want)
		}
	}
}

func TestNamesAreEscapedAsInC(t *testing.T) {
	for _, c := range []struct {
		name   string
		spaces bool
		want   string
	}{
		{"plain", true, "plain"},
		{"a b", true, `a\ b`},
		{"a b", false, "a b"},
		{"q\"b\\n\nt\tr\rf\fb\b", true, `q\"b\\n\nt\tr\rf\fb\b`},
		{"\x01\x7f", true, `\001\177`},
		{"ä", true, `\303\244`},
	} {
		if got := escape(c.name, c.spaces); got != c.want {
			t.Errorf("%q: %s, not %s", c.name, got, c.want)
		}
	}
}
