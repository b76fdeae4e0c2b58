package core

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clawh5/core/h5err"
	"clawh5/storage"
	"clawh5/storage/memstore"
	"clawh5/storage/open"
	"clawh5/storage/storagetest"
)

// readAll reads everything that is in a file, and returns how many things were
// read and the first failure that is not the file's or a limit's.
func readAll(ctx context.Context, f *File) (read int, err error) {
	text, _, e := f.Root().AppendDescription(ctx, nil, "/", DescribeTree|DescribeLinks|DescribeAttributes|DescribeValues)
	if e != nil {
		return 0, honest(e)
	}
	var addresses []uint64
	for _, part := range strings.Split(string(text), `"address":`)[1:] {
		var a uint64
		for _, c := range part {
			if c < '0' || c > '9' {
				break
			}
			a = a*10 + uint64(c-'0')
		}
		addresses = append(addresses, a)
	}
	for _, a := range addresses {
		o, e := f.ObjectAt(ctx, a)
		if e == nil && o.Kind() == DatasetKind {
			e = readDataset(ctx, o)
		}
		if e = honest(e); e != nil {
			return read, e
		}
		read++
	}
	return read, nil
}

// mostElements keeps a damaged dataspace from asking for terabytes.
const mostElements = 1 << 16

func readDataset(ctx context.Context, o *Object) error {
	d, err := o.Dataset(ctx)
	if err != nil || d.Rank() < 0 {
		return err
	}
	n := uint64(1)
	for _, dim := range d.Dims() {
		if dim > mostElements || n*dim > mostElements {
			return nil
		}
		n *= dim
	}
	if n*d.TypeInfo().Size > 1<<24 {
		return nil
	}
	v, err := d.ReadValues(ctx, All(), d.Dims())
	if err == nil {
		v.AppendJSON(nil)
	}
	return err
}

// honest returns err if it is neither success nor an error that blames the file,
// what this library can do, or a limit.
func honest(err error) error {
	switch h5err.KindOf(err) {
	case 0, h5err.Corrupt, h5err.Unsupported, h5err.NotHDF5, h5err.Limit, h5err.Type, h5err.NotFound,
		h5err.Permission: // an image in memory has no other files
		return nil
	}
	return err
}

// tryImage opens and reads a damaged file.
func tryImage(t *testing.T, what string, at int, image []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(background, 2*time.Second)
	defer cancel()
	f, err := OpenMemory(ctx, image, Options{Workers: 1})
	if err == nil {
		_, err = readAll(ctx, f)
		f.Close()
	}
	if err = honest(err); err != nil {
		t.Fatalf("%s %d: %v", what, at, err)
	}
}

func damagedFiles(t *testing.T) []string {
	all, err := filepath.Glob(files + "*.h5")
	if err != nil || len(all) == 0 {
		t.Fatal("no files", err)
	}
	return all
}

// Every truncation would take minutes; a step that shares no factor with the
// alignment of structures meets all kinds of places.
const damageStep = 37

// mostFlips bounds the images of one file; FuzzOpen tries the rest.
const mostFlips = 120

func TestTruncatedFilesGiveErrors(t *testing.T) {
	for _, path := range damagedFiles(t) {
		image, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(image); n += damageStep {
			if f, err := OpenMemory(background, image[:n:n], Options{}); err == nil {
				f.Close()
				t.Fatalf("%s: %d of %d bytes were opened", path, n, len(image))
			} else if honest(err) != nil {
				t.Fatalf("%s: %d of %d bytes: %v", path, n, len(image), err)
			}
		}
	}
}

func TestFlippedBytesGiveErrorsOrValues(t *testing.T) {
	for _, path := range damagedFiles(t) {
		image, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, uint64(len(image))))
		for i := 0; i < len(image); i += max(damageStep, len(image)/mostFlips|1) {
			damaged := append([]byte(nil), image...)
			damaged[i] ^= byte(1 + rng.IntN(255))
			tryImage(t, path+" byte", i, damaged)
		}
	}
}

// A store that fails now and then gives errors or the right bytes, never others.
func TestFailingStoresGiveErrorsOrTheRightValues(t *testing.T) {
	image, err := os.ReadFile(files + "layouts_earliest.h5")
	if err != nil {
		t.Fatal(err)
	}
	want := make([]byte, 7*11*4)
	whole, err := OpenMemory(background, image, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := testDataset(t, whole, "shuffled").Read(background, All(), MemoryFile, want, nil); err != nil {
		t.Fatal(err)
	}
	succeeded := 0
	for seed := range uint64(200) {
		r := storagetest.Faulty(memstore.New(image), storagetest.Faults{Seed: seed, FailEvery: 6})
		got, err := readThrough(r, "shuffled", len(want))
		switch {
		case err == nil && string(got) != string(want):
			t.Fatalf("seed %d: other values", seed)
		case err == nil:
			succeeded++
		case !errors.Is(err, h5err.Unavailable):
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if succeeded == 0 || succeeded == 200 {
		t.Errorf("%d of 200 reads succeeded: the faults do not test both ways", succeeded)
	}
}

func readThrough(r storage.Reader, path string, n int) ([]byte, error) {
	f, err := Open(background, open.Wrap(r, "faulty", open.Options{}), Options{})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	o, err := f.Root().Open(background, path)
	if err != nil {
		return nil, err
	}
	d, err := o.Dataset(background)
	if err != nil {
		return nil, err
	}
	dst := make([]byte, n)
	return dst, d.Read(background, All(), MemoryFile, dst, nil)
}
