package main

import (
	"bytes"
	"context"
	"debug/elf"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"clawh5/core"
)

// The exports can be called from C only, and cgo is not to be had in tests. So
// the tests of ctest/*.c and the examples are programs, linked with the library
// in the folder CLAWH5_BUILD, or with one that is built for the test.
var buildDir = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv("CLAWH5_BUILD"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.MkdirTemp("", "clawh5-build-")
	if err != nil {
		return "", err
	}
	tempDirs = append(tempDirs, dir)
	cmd := exec.Command("../scripts/build-library", dir)
	cmd.Stderr = os.Stderr
	return dir, cmd.Run()
})

var tempDirs []string

func TestMain(m *testing.M) {
	status := m.Run()
	for _, dir := range tempDirs {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// library returns the folder of the built library. Looking at the file makes
// a cached result of the test void when the library changes.
func library(t *testing.T) string {
	t.Helper()
	dir, err := buildDir()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "libclawh5.so")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// program compiles a source file with the flags that pkg-config tells and
// returns the executable.
func program(t *testing.T, source string, flags ...string) string {
	t.Helper()
	dir := library(t)
	for _, used := range []string{source, "ctest/check.h"} {
		if _, err := os.Stat(used); err != nil {
			t.Fatal(err)
		}
	}
	pkgConfig := exec.Command("pkg-config", "--cflags", "--libs", "clawh5")
	pkgConfig.Env = append(os.Environ(), "PKG_CONFIG_PATH="+filepath.Join(dir, "pkgconfig"))
	libs, err := pkgConfig.Output()
	if err != nil {
		t.Fatalf("pkg-config: %v", err)
	}
	compiler := "gcc"
	if strings.HasSuffix(source, ".cc") {
		compiler = "g++"
	}
	exe := filepath.Join(t.TempDir(), "program")
	args := append([]string{"-g", "-O1", "-Wall", "-Wextra", "-Werror", source, "-o", exe, "-Wl,-rpath," + dir}, flags...)
	out, err := exec.Command(compiler, append(args, strings.Fields(string(libs))...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", compiler, source, err, out)
	}
	return exe
}

// run executes a program, which must succeed, and returns its standard output.
func run(t *testing.T, exe string, args ...string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, exe, args...)
	// What is reachable from Go's memory alone looks lost to LeakSanitizer.
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout.Bytes(), stderr.Bytes())
	}
	return stdout.String()
}

const files = "../testdata/files/core"

// silentServer accepts requests and never answers.
func silentServer(t *testing.T) string {
	ended := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	}))
	t.Cleanup(func() {
		close(ended)
		s.Close()
	})
	return s.URL + "/file.h5"
}

func TestCPrograms(t *testing.T) {
	url := silentServer(t)
	for _, name := range []string{"basics", "datatypes", "read_as", "errors", "operations", "threads", "fork", "signals"} {
		for variant, flags := range map[string][]string{
			"plain":            {"-pthread"},
			"AddressSanitizer": {"-pthread", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"},
		} {
			t.Run(name+"/"+variant, func(t *testing.T) {
				run(t, program(t, "ctest/"+name+".c", flags...), files, url)
			})
		}
	}
}

func TestHeaderCompilesInStrictCAndCxx(t *testing.T) {
	run(t, program(t, "ctest/header.c", "-std=c99", "-pedantic"))
	run(t, program(t, "ctest/header.cc", "-std=c++11", "-pedantic"))
}

func TestExamples(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir(files)))
	defer server.Close()
	slice := program(t, "../examples/c/slice.c", "-std=c99")
	tree := program(t, "../examples/c/tree.cc", "-std=c++11")
	for _, location := range []string{files, server.URL} {
		file := location + "/layouts_earliest.h5"
		if got, want := run(t, slice, file, "/deflate", "5:2", "0:4"), "55 56 57 58\n66 67 68 69\n"; got != want {
			t.Errorf("slice of %s: %q, not %q", file, got, want)
		}
		if names := strings.Fields(run(t, slice, file)); !slices.IsSorted(names) || !slices.Contains(names, "unwritten") {
			t.Errorf("slice lists %q", names)
		}
		groups := run(t, tree, location+"/small_groups_latest.h5")
		for _, line := range []string{"/\n", "\n      c\n        one scalar, 4 bytes each\n", "\n  dangling -> nowhere\n", "\n  soft scalar"} {
			if !strings.Contains(groups, line) {
				t.Errorf("tree of %s has no %q:\n%s", location, line, groups)
			}
		}
	}
}

func TestOnlyTheHeadersFunctionsAreExported(t *testing.T) {
	so, err := elf.Open(filepath.Join(library(t), "libclawh5.so"))
	if err != nil {
		t.Fatal(err)
	}
	defer so.Close()
	symbols, err := so.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	var exported []string
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF {
			exported = append(exported, s.Name)
		}
	}
	var declared []string
	for _, m := range regexp.MustCompile(`(?m)^CLAWH5_API [^(]*?(clawh5_\w+)\(`).FindAllStringSubmatch(header(t), -1) {
		declared = append(declared, m[1])
	}
	slices.Sort(exported)
	slices.Sort(declared)
	if !slices.Equal(exported, declared) {
		t.Errorf("exported: %q\ndeclared: %q", exported, declared)
	}
}

func TestHeaderHasTheVersionOfTheLibrary(t *testing.T) {
	if !strings.Contains(header(t), `#define CLAWH5_VERSION "`+core.Version+`"`) {
		t.Errorf("the header's version is not %s", core.Version)
	}
}

func header(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("clawh5.h")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
