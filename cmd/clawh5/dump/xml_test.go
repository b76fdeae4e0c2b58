package dump

import (
	"bytes"
	"strings"
	"testing"

	"clawh5/cmd/clawh5/tooltest"
)

// TestXMLIsThatOfHDF5sTool compares with what h5dump of HDF5 1.10.8 wrote:
// testdata/make/make_tool_output.sh.
func TestXMLIsThatOfHDF5sTool(t *testing.T) {
	tooltest.Golden(t, "testdata/xml", ".xml", func(t *testing.T, stem string) string {
		var out, errs bytes.Buffer
		if code := Run(t.Context(), []string{"--xml", tooltest.Fixture(t, stem+".h5")}, &out, &errs); code != exitSuccess {
			t.Errorf("exit code %d: %s", code, errs.String())
		}
		return out.String()
	})
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
		file := tooltest.Fixture(t, "small_groups_latest.h5")
		code := Run(t.Context(), append(strings.Fields(c.args), file), &out, &errs)
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
		file := tooltest.Fixture(t, "small_groups_latest.h5")
		code := Run(t.Context(), append(strings.Fields(args), file), &out, &errs)
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
