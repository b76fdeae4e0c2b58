package core

import (
	"context"
	"errors"
	"sync"

	"clawh5/core/h5err"
)

// maxKnownSources is how many datasets of a file are kept for virtual ones.
const maxKnownSources = 4096

// openSource opens a source of a virtual dataset; nil if the file or the dataset
// is missing. release has to be called unless there is an error.
func (d *Dataset) openSource(ctx context.Context, file, dataset string) (src *Dataset, release func(), err error) {
	if err := countSources(ctx, 1); err != nil {
		return nil, nil, err
	}
	release = func() {}
	var f *sourceFile
	if file == "." {
		f = d.file.kin.own(d.file)
	} else {
		pool := d.file.kin.sources
		e, err := pool.acquire(ctx, d.file.key(file), func() (*sourceFile, error) {
			opened, err := d.file.openVirtualSource(ctx, file)
			return &sourceFile{file: opened}, err
		})
		if errors.Is(err, h5err.NotFound) {
			return nil, release, nil
		}
		if err != nil {
			return nil, nil, sourceError(err, file, dataset)
		}
		f, release = e.value, func() { pool.release(e) }
	}
	if src, err = f.dataset(ctx, dataset); err != nil && !errors.Is(err, h5err.NotFound) {
		release()
		return nil, nil, sourceError(err, file, dataset)
	}
	return src, release, nil
}

// sourceError says which source it was.
func sourceError(err error, file, dataset string) error {
	if err == nil {
		return nil
	}
	var own *h5err.Error
	if !errors.As(err, &own) {
		return err
	}
	e := *own
	e.Err = &inSource{file, dataset, own.Err}
	return &e
}

type inSource struct {
	file, dataset string
	err           error
}

func (s *inSource) Error() string {
	return "source " + s.dataset + " of file " + s.file + ": " + s.err.Error()
}

func (s *inSource) Unwrap() error { return s.err }

// sourceFile is a file with sources of virtual datasets, and those that have
// been opened.
type sourceFile struct {
	file *File
	mu   sync.Mutex
	sets map[string]*Dataset
}

func (s *sourceFile) Close() error {
	s.file.kin.retire(s.file.store.Stats())
	return s.file.Close()
}

// dataset returns the dataset at a path of the file.
func (s *sourceFile) dataset(ctx context.Context, path string) (*Dataset, error) {
	s.mu.Lock()
	d := s.sets[path]
	s.mu.Unlock()
	if d != nil {
		return d, nil
	}
	o, err := s.file.root.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if d, err = o.Dataset(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sets == nil || len(s.sets) >= maxKnownSources {
		s.sets = map[string]*Dataset{}
	}
	s.sets[path] = d
	return d, nil
}

// own returns f as a file with sources of its own virtual datasets.
func (r *relatives) own(f *File) *sourceFile {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.selves[f.number]
	if s == nil {
		if len(r.selves) >= maxSourceFiles {
			clear(r.selves)
		}
		s = &sourceFile{file: f}
		r.selves[f.number] = s
	}
	return s
}

// sourcesAtOnce is how many sources are opened or read side by side.
func (d *Dataset) sourcesAtOnce() int {
	if d.file.Remote() {
		return d.file.options.MaxInFlight
	}
	return d.file.options.Workers
}
