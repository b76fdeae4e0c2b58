package command

import (
	"strings"
	"testing"
)

func TestDumpPrintsFilesAndURLsAlike(t *testing.T) {
	name := "layouts_latest.h5"
	local := output(t, "dump", "-H", files+name)
	if !strings.HasPrefix(local, `HDF5 "`+files+name+`" {`+"\nGROUP \"/\" {\n") || !strings.HasSuffix(local, "\n}\n}\n") {
		t.Fatalf("dump -H prints %q", local)
	}
	url := serveFiles(t) + name
	if remote := output(t, "dump", "-H", url); strings.ReplaceAll(remote, url, files+name) != local {
		t.Errorf("a URL is dumped as\n%s\nits file as\n%s", remote, local)
	}
}

func TestDumpHasTheExitCodesOfH5dump(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"dump", "-h"}, 0, "usage: h5dump [OPTIONS] files"},
		{[]string{"dump"}, 1, "usage: h5dump [OPTIONS] files"},
		{[]string{"dump", "--no-such-option", "x"}, 1, `unknown option "no-such-option"`},
		{[]string{"dump", "no-such-file"}, 1, `unable to open file "no-such-file"`},
	} {
		stdout, stderr, code := run(c.args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%q: exit code %d, %s%s", c.args, code, stdout, stderr)
		}
	}
}
