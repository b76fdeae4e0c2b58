package dump

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"clawh5/core"
)

// letters takes all options off a command line.
func letters(args ...string) (options string, files []string, messages string) {
	var stderr bytes.Buffer
	s := scanner{args: args, errors: &stderr}
	for {
		letter, arg, ok := s.next()
		if !ok {
			return strings.TrimSpace(options), s.args[s.at:], stderr.String()
		}
		options += string(letter)
		if arg != nil {
			options += "=" + *arg
		}
		options += " "
	}
}

// An argument that may be missing is the next word only if yet another follows:
// the last word is always a file.
func TestArgumentsAreTakenAsH5dumpTakesThem(t *testing.T) {
	for _, c := range []struct {
		line, options, files, message string
	}{
		{"-H -p f", "H p", "f", ""},
		{"-Hp f", "H p", "f", ""},
		{"-d /x f", "d=/x", "f", ""},
		{"-d/x f", "d=/x", "f", ""},
		{"--dataset=/x --dataset /y f", "d=/x d=/y", "f", ""},
		{"-n f", "n", "f", ""},
		{"-n 1 f", "n=1", "f", ""},
		{"-n -H f", "n H", "f", ""},
		{"--contents f g", "n", "f g", ""},
		{"--contents=1 f", "n=1", "f", ""},
		{"-O -y f", "O y", "f", ""},
		{"-- -f", "", "-f", ""},
		{"-", "", "-", ""},
		{"--header=x f", "?", "f", `no option required for "header" flag`},
		{"--dataset -H f", "? H", "f", `option required for "--dataset" flag`},
		{"-d", "?", "", `value expected for option "d"`},
		{"-W f", "?", "f", `unknown option "W"`},
	} {
		options, files, message := letters(strings.Fields(c.line)...)
		if options != c.options || strings.Join(files, " ") != c.files || !strings.Contains(message, c.message) {
			t.Errorf("%q is %q, files %q, message %q", c.line, options, files, message)
		}
	}
}

func TestSubsetsAreRead(t *testing.T) {
	for arg, want := range map[string]*subset{
		"/x[1,1;;;]":          {start: []uint64{1, 1}},
		"/x[0;2;10;]":         {start: []uint64{0}, stride: []uint64{2}, count: []uint64{10}},
		"/x[1 2;3,4;5,6;7,8]": {start: []uint64{1, 2}, stride: []uint64{3, 4}, count: []uint64{5, 6}, block: []uint64{7, 8}},
		"/x":                  nil,
	} {
		if name, s := cutSubset(arg); name != "/x" || !reflect.DeepEqual(s, want) {
			t.Errorf("%q is %q and %+v", arg, name, s)
		}
	}
}

func TestSubsetsAreCompleted(t *testing.T) {
	s, err := (&subset{start: []uint64{1}, count: []uint64{2, 3}}).complete(2)
	want := &subset{start: []uint64{1, 0}, stride: []uint64{1, 1}, count: []uint64{2, 3}, block: []uint64{1, 1}}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, %v", s, err)
	}
	for says, s := range map[string]*subset{
		"number of start dims (2) exceed dataset dims (1)": {start: []uint64{1, 2}},
		"number of block dims (2) exceed dataset dims (1)": {block: []uint64{1, 2}},
		"wrong subset selection; blocks overlap":           {count: []uint64{2}, block: []uint64{2}},
	} {
		if _, err := s.complete(1); err == nil || err.Error() != says {
			t.Errorf("%v, not %s", err, says)
		}
	}
}

func TestBitsAreRead(t *testing.T) {
	got, err := parsePacked("0,2,58,6")
	if want := []packedBits{{Offset: 0, Length: 2, Mask: 3}, {Offset: 58, Length: 6, Mask: 63}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := parsePacked("0,64"); err != nil || got[0].Mask != 1<<64-1 {
		t.Errorf("%v, %v", got, err)
	}
	for list, says := range map[string]string{
		"":                                    "Bad mask list",
		"x":                                   "Bad mask list",
		"0,2,":                                "unexpected end of string",
		"0":                                   "missing expected comma",
		"64,1":                                "must be between 0 and 63",
		"4,0":                                 "must be positive",
		"37,28":                               "too large. Max is 64",
		"99999999999999999999,1":              "must be between 0 and 63",
		"0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1": "Too many masks",
	} {
		if _, err := parsePacked(list); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", list, err)
		}
	}
}

func TestPathsOfAttributesAreSplit(t *testing.T) {
	for path, want := range map[string][2]string{
		"attr":      {"/", "attr"},
		"/attr":     {"/", "attr"},
		"/g/d/attr": {"/g/d/", "attr"},
		`/g/a\/b`:   {"/g/", "a/b"},
		`/\/attr1`:  {"/", "/attr1"},
		"/g/d/":     {"/g/d/", ""},
	} {
		if object, name := splitAttribute(path); object != want[0] || name != want[1] {
			t.Errorf("%q is %q of %q", path, name, object)
		}
	}
}

func TestBoxesThatMakeUpAHyperslabAreFound(t *testing.T) {
	blocks := func(rank int, b ...uint64) *core.RegionSelection {
		return &core.RegionSelection{Kind: core.RegionBlocks, Rank: rank, Blocks: b}
	}
	r, ok := regular(blocks(1, 0, 1, 4, 5, 8, 9))
	want := &core.RegionSelection{Kind: core.RegionHyperslab, Rank: 1, Start: []uint64{0}, Stride: []uint64{4}, Count: []uint64{3}, Block: []uint64{2}}
	if !ok || !reflect.DeepEqual(r, want) {
		t.Errorf("three boxes are %+v", r)
	}
	r, ok = regular(blocks(2, 1, 2, 3, 4))
	want = &core.RegionSelection{Kind: core.RegionHyperslab, Rank: 2, Start: []uint64{1, 2}, Stride: []uint64{1, 1}, Count: []uint64{1, 1}, Block: []uint64{3, 3}}
	if !ok || !reflect.DeepEqual(r, want) {
		t.Errorf("one box is %+v", r)
	}
	for name, s := range map[string]*core.RegionSelection{
		"boxes of two sizes":      blocks(1, 0, 1, 4, 6),
		"boxes unequally far":     blocks(1, 0, 0, 2, 2, 5, 5),
		"two corners of a square": blocks(2, 0, 0, 0, 0, 1, 1, 1, 1),
	} {
		if _, ok := regular(s); ok {
			t.Errorf("%s are said to be a hyperslab", name)
		}
	}
}
