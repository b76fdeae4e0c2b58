package object

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage/memstore"
)

// corpusFiles returns the paths of one kind of file of the conformance corpus,
// and the folder they are relative to.
func corpusFiles(t *testing.T, kind string) (dir string, paths []string) {
	t.Helper()
	if dir = os.Getenv("CLAWH5_CORPUS"); dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	file, err := os.Open(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Skipf("the conformance corpus is not here: %v", err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row[7] == kind {
			paths = append(paths, row[0])
		}
	}
	if len(paths) == 0 {
		t.Fatalf("no %s files in %s", kind, dir)
	}
	return dir, paths
}

func openBytes(ctx context.Context, p []byte) (*File, error) {
	m, err := meta.Open(ctx, memstore.New(p), meta.Limits{})
	if err != nil {
		return nil, err
	}
	return Open(ctx, m, Limits{})
}

// survey reads everything that headers tell, of all objects that hard links
// lead to, and reports what cannot be read.
func survey(ctx context.Context, f *File, report func(path string, err error)) {
	type place struct {
		path string
		addr uint64
	}
	seen := map[uint64]bool{f.Root(): true}
	for todo := []place{{"/", f.Root()}}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		h, err := f.Header(ctx, at.addr)
		if err != nil {
			report(at.path, err)
			continue
		}
		links, err := describe(ctx, f, h)
		if err != nil {
			report(at.path, err)
		}
		for _, l := range links {
			if l.Type == format.HardLink && !seen[l.Addr] {
				seen[l.Addr] = true
				todo = append(todo, place{strings.TrimSuffix(at.path, "/") + "/" + l.Name, l.Addr})
			}
		}
	}
}

// describe reads one object and checks that the ways to look things up agree.
func describe(ctx context.Context, f *File, h *Header) ([]Link, error) {
	var all []error
	attributes, err := f.Attributes(ctx, h, true)
	all = append(all, err)
	if n, err := f.AttributeCount(ctx, h); err == nil && n != uint64(len(attributes)) {
		all = append(all, fmt.Errorf("%d attributes, the count is %d", len(attributes), n))
	}
	for i, a := range attributes {
		if a.Err != nil {
			all = append(all, fmt.Errorf("attribute %s: %w", a.Name, a.Err))
		}
		if i > 20 {
			continue
		}
		if b, err := f.Attribute(ctx, h, a.Name); err == nil && string(b.Data) != string(a.Data) || a.Err == nil && err != nil {
			all = append(all, fmt.Errorf("attribute %s is listed, but found as %v, %w", a.Name, b, err))
		}
	}
	switch h.Kind() {
	case KindDataset:
		_, err = f.Dataset(ctx, h)
	case KindDatatype:
		_, err = f.NamedDatatype(ctx, h)
	case KindGroup:
		var links []Link
		links, err = f.Links(ctx, h, false)
		if n, err := f.LinkCount(ctx, h); err == nil && n != uint64(len(links)) {
			all = append(all, fmt.Errorf("%d links, the count is %d", len(links), n))
		}
		for _, l := range links[:min(len(links), 20)] {
			if found, err := f.Link(ctx, h, l.Name); err != nil || found.Name != l.Name || found.Addr != l.Addr {
				all = append(all, fmt.Errorf("link %s is listed, but found as %v, %w", l.Name, found, err))
			}
		}
		return links, errors.Join(append(all, err)...)
	default:
		err = errors.New("no kind")
	}
	return nil, errors.Join(append(all, err)...)
}

// notDescribed are the objects of valid files that cannot be described: libhdf5
// 2.0 does not open them either.
var notDescribed = map[string]h5err.Kind{
	// A float of 65525 bytes with a fill value of 4.
	"hdf5/test/tmisc38a.h5 /Fletcher_float_data_be": h5err.Corrupt,
}

func TestEveryObjectOfTheCorpusIsDescribed(t *testing.T) {
	dir, paths := corpusFiles(t, "valid")
	ctx := context.Background()
	for _, path := range paths {
		p, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Error(err)
			continue
		}
		f, err := openBytes(ctx, p)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		survey(ctx, f, func(object string, err error) {
			if kind := notDescribed[path+" "+object]; kind == 0 || !errors.Is(err, kind) {
				t.Errorf("%s %s: %v", path, object, err)
			}
		})
	}
}

func TestHostileFilesGiveAnErrorSoonAndNeverPanic(t *testing.T) {
	dir, paths := corpusFiles(t, "hostile")
	for _, path := range paths {
		p, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Error(err)
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		if f, err := openBytes(ctx, p); err == nil {
			survey(ctx, f, func(object string, err error) {
				if k := h5err.KindOf(err); k == h5err.Timeout || k == h5err.Cancelled {
					t.Errorf("%s %s: does not end", path, object)
				}
			})
		}
		cancel()
	}
}
