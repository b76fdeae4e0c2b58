package core_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "clawh5"

// codecs undo one compression each; filter puts them behind the numbers of HDF5.
var codecs = []string{
	"core/internal/filter/inflate", "core/internal/filter/jpeg", "core/internal/filter/jpegls", "core/internal/filter/sperr",
	"core/internal/filter/sz", "core/internal/filter/zfp",
}

// layers has all packages from the bytes up. A package imports packages of
// earlier lines only, never one of its own line. The stores come late because
// only core opens one: below it everything works on the interfaces of storage.
var layers = [][]string{
	{"storage", "core/h5err"},
	{"core/internal/cursor", "core/internal/sel", "core/internal/filter/codec"},
	{"core/internal/format"},
	{"core/internal/meta", "core/internal/datatype"},
	append([]string{"core/internal/object", "core/internal/chunk"}, codecs...),
	{"core/internal/plan", "core/internal/filter", "core/internal/convert", "core/internal/ddl"},
	{"core/internal/exec", "core/internal/variable", "core/internal/filter/filtertest"},
	{"storage/filestore", "storage/memstore", "storage/httpstore", "storage/storagetest", "storage/rangeserver"},
	{"storage/blockcache", "storage/tracestore"},
	{"storage/open"},
	{"core"},
	{"capi", "cmd/clawh5/render", "cmd/clawh5/tooltest"},
	{"cmd/clawh5/dump"},
	{"cmd/clawh5/h5ls"},
	{"cmd/clawh5/command"},
	{"cmd/clawh5"},
}

// pure packages turn bytes into bytes or values: they know no store.
var pure = append([]string{
	"core/internal/cursor", "core/internal/sel", "core/internal/format", "core/internal/datatype", "core/internal/ddl",
	"core/internal/filter", "core/internal/filter/codec", "core/internal/convert",
}, codecs...)

// generic packages know no HDF5.
func generic(pkg string) bool { return pkg == "storage" || strings.HasPrefix(pkg, "storage/") }

func TestPackagesImportOnlyEarlierLayers(t *testing.T) {
	line := map[string]int{}
	for i, packages := range layers {
		for _, p := range packages {
			line[p] = i + 1
		}
	}
	imports := importsOfModule(t)
	for pkg, imported := range imports {
		if line[pkg] == 0 {
			t.Errorf("%s has no line in the layer table", pkg)
			continue
		}
		for _, p := range imported {
			switch {
			case line[p] >= line[pkg]:
				t.Errorf("%s imports %s, which is not on an earlier line", pkg, p)
			case slices.Contains(pure, pkg) && generic(p):
				t.Errorf("%s imports %s, but is to work on bytes alone", pkg, p)
			case generic(pkg) && !generic(p):
				t.Errorf("%s imports %s, but is to know nothing of HDF5", pkg, p)
			case strings.HasSuffix(p, "test"):
				t.Errorf("%s imports %s, which is for tests", pkg, p)
			}
		}
	}
	for pkg := range line {
		if imports[pkg] == nil {
			t.Errorf("the layer table has %s, which is not there", pkg)
		}
	}
}

// importsOfModule returns, for each package of the module, the packages of the
// module that its files import, tests aside. It parses the files rather than
// asking the go command, so that cached test results notice a change, and so
// that files for other systems count.
func importsOfModule(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	root := ".."
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if skipped(rel, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		list, err := moduleImports(file)
		pkg := path.Dir(rel)
		imports[pkg] = append(list, imports[pkg]...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

// skipped directories hold no package of the module.
func skipped(rel, name string) bool {
	return rel == "build" || rel == "python" || name == "testdata" ||
		len(name) > 1 && (name[0] == '.' && name != ".." || name[0] == '_')
}

func moduleImports(file string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	list := []string{}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if p, ok := strings.CutPrefix(p, module+"/"); ok {
			list = append(list, p)
		}
	}
	return list, nil
}
