package core

import (
	"bytes"
	"path/filepath"
	"sync"
	"testing"

	"clawh5/storage/open"
)

// Readers of a virtual dataset share its sources; a Close while they read ends
// them with an error or lets them finish, and what was read is right.
func TestVirtualDatasetsAreReadWhileTheirFileIsClosed(t *testing.T) {
	path := filepath.Join("..", "testdata", "files", "virtual", "mapped.h5")
	names := []string{"rows", "columns", "reshaped", "nested", "interleaved"}
	read := func(f *File, name string) ([]byte, error) {
		o, err := f.Root().Open(background, name)
		if err != nil {
			return nil, err
		}
		d, err := o.Dataset(background)
		if err != nil {
			return nil, err
		}
		v, err := d.ReadValues(background, All(), d.Space().Dims)
		if err != nil {
			return nil, err
		}
		return v.Bytes(), nil
	}
	want := map[string][]byte{}
	f, err := OpenLocation(background, path, open.Options{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if want[name], err = read(f, name); err != nil {
			t.Fatal(name, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for round := range 8 {
		f, err := OpenLocation(background, path, open.Options{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		begun := make(chan struct{}, 64)
		for i := range 8 {
			wg.Go(func() {
				for k := range 8 {
					name := names[(i+k)%len(names)]
					got, err := read(f, name)
					if err == nil && !bytes.Equal(got, want[name]) {
						t.Errorf("%s: other values than alone", name)
					}
					begun <- struct{}{}
				}
			})
		}
		for range 4 * round {
			<-begun
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
	}
}
