package dump

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestXMLIsThatOfHDF5sTool compares with what h5dump of HDF5 1.10.8 wrote:
// testdata/make/make_tool_output.sh.
func TestXMLIsThatOfHDF5sTool(t *testing.T) {
	outputs, err := filepath.Glob("testdata/xml/*.xml")
	if err != nil || len(outputs) == 0 {
		t.Fatalf("no expected output: %v", err)
	}
	for _, output := range outputs {
		name := strings.TrimSuffix(filepath.Base(output), ".xml")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(output)
			if err != nil {
				t.Fatal(err)
			}
			found, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "files", "*", name+".h5"))
			if err != nil || len(found) != 1 {
				t.Fatalf("%d files are called %s.h5", len(found), name)
			}
			var out, errs bytes.Buffer
			if code := Run(context.Background(), []string{"--xml", found[0]}, &out, &errs); code != exitSuccess {
				t.Errorf("exit code %d: %s", code, errs.String())
			}
			got, wanted := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
			for i := range wanted {
				if i >= len(got) || got[i] != wanted[i] {
					t.Fatalf("line %d:\n got  %q\n want %q", i+1, got[min(i, len(got)-1)], wanted[i])
				}
			}
			if len(got) != len(wanted) {
				t.Errorf("%d lines, not %d", len(got), len(wanted))
			}
		})
	}
}

func TestXMLBeginsAsItsGrammarIsChosen(t *testing.T) {
	const declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	const instance = `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`
	for _, c := range []struct{ args, want string }{
		{"--xml", `<hdf5:HDF5-File xmlns:hdf5="http://hdfgroup.org/HDF5/XML/schema/HDF5-File.xsd" ` + instance +
			` xsi:schemaLocation="http://hdfgroup.org/HDF5/XML/schema/HDF5-File http://www.hdfgroup.org/HDF5/XML/schema/HDF5-File.xsd">` + "\n<hdf5:RootGroup "},
		{"--use-dtd", "<!DOCTYPE HDF5-File PUBLIC \"HDF5-File.dtd\" \"http://www.hdfgroup.org/HDF5/XML/DTD/HDF5-File.dtd\">\n<HDF5-File>\n<RootGroup "},
		{"-u --xml-dtd=my.dtd", "<!DOCTYPE HDF5-File PUBLIC \"HDF5-File.dtd\" \"my.dtd\">\n<HDF5-File>\n<RootGroup "},
		{"--xml --xml-ns=:", `<HDF5-File ` + instance + ` xsi:noNamespaceSchemaLocation="http://www.hdfgroup.org/HDF5/XML/schema/HDF5-File.xsd">` + "\n<RootGroup "},
		{"--xml --xml-ns=: --xml-dtd=my.xsd", `<HDF5-File ` + instance + ` xsi:noNamespaceSchemaLocation="my.xsd">` + "\n<RootGroup "},
		{"--xml --xml-ns=x:", `<x:HDF5-File xmlns:x="http://hdfgroup.org/HDF5/XML/schema/HDF5-File.xsd" ` + instance},
	} {
		var out, errs bytes.Buffer
		file := filepath.Join("..", "..", "..", "testdata", "files", "core", "small_groups_latest.h5")
		code := Run(context.Background(), append(strings.Fields(c.args), file), &out, &errs)
		if got := out.String(); code != exitSuccess || !strings.HasPrefix(got, declaration+c.want) {
			t.Errorf("%s: exit code %d, %s\n%.300s", c.args, code, errs.String(), got)
		}
	}
}

func TestXMLRefusesOptionsThatItHasNoFormFor(t *testing.T) {
	for args, want := range map[string]string{
		"--xml -d x":          `option "to display selected objects" not available for XML`,
		"--xml -B":            `option "--boot-block" not available for XML`,
		"--xml -i":            `option "--object-ids" not available for XML`,
		"--xml -r":            `option "--string" not available for XML`,
		"--xml --xml-dtd=u.x": "Cannot set Schema URL for a qualified namespace--use -X or -U option with -D",
	} {
		var out, errs bytes.Buffer
		file := filepath.Join("..", "..", "..", "testdata", "files", "core", "small_groups_latest.h5")
		code := Run(context.Background(), append(strings.Fields(args), file), &out, &errs)
		if code != exitFailure || !strings.Contains(errs.String(), "h5dump error: "+want) {
			t.Errorf("%s: exit code %d, %q", args, code, errs.String())
		}
	}
}

func TestXMLEscapes(t *testing.T) {
	const raw = `a<b>&"c'\`
	if got, want := escapeName(raw), `a&lt;b&gt;&amp;&quot;c&apos;\`; got != want {
		t.Errorf("a name: %s, not %s", got, want)
	}
	if got, want := escapeText(raw), `a&lt;b&gt;&amp;\"c&apos;\\`; got != want {
		t.Errorf("a text: %s, not %s", got, want)
	}
}
