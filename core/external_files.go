package core

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"clawh5/core/h5err"
	"clawh5/core/internal/exec"
	"clawh5/core/internal/meta"
	"clawh5/storage"
	"clawh5/storage/filestore"
	"clawh5/storage/open"
)

// How many files stay open for an opened file beside itself: sources of virtual
// datasets, and external raw files.
const (
	maxSourceFiles = 2048 // and sourceShare of what the process may have open
	maxFarSources  = 64   // on a server: each holds what was fetched when it was opened
	maxRawFiles    = 64
)

// sourceShare leaves descriptors for other files with sources, and for the host.
const sourceShare = 4

// openSources is how many sources stay open.
func openSources(remote bool) int {
	if remote {
		return maxFarSources
	}
	return max(1, min(maxSourceFiles, filestore.MaxOpen()/sourceShare))
}

// relatives is what an opened file shares with all files that it leads to: the
// caches are bounded together.
type relatives struct {
	sources *pool[*sourceFile]
	raw     *pool[*rawStore]
	chunks  *exec.ChunkCache
	numbers atomic.Uint64 // tell the chunks of the files apart

	mu     sync.Mutex
	spent  storage.Stats          // by sources that are closed
	selves map[uint64]*sourceFile // by number: files that virtual datasets of theirs lead back to
}

func newRelatives(o *Options, remote bool) *relatives {
	return &relatives{sources: newPool[*sourceFile](openSources(remote)), raw: newPool[*rawStore](maxRawFiles),
		chunks: exec.NewChunkCache(o.ChunkCacheBytes),
		selves: map[uint64]*sourceFile{}}
}

// stats is what sources and raw files have cost so far.
func (r *relatives) stats() storage.Stats {
	r.mu.Lock()
	sum := r.spent
	r.mu.Unlock()
	r.sources.each(func(s *sourceFile) { sum = sum.Add(s.file.store.Stats()) })
	r.raw.each(func(s *rawStore) { sum = sum.Add(s.Stats()) })
	return sum
}

// retire keeps the account of a store that is closed.
func (r *relatives) retire(s storage.Stats) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spent = r.spent.Add(s)
}

// rawStore is an external raw file.
type rawStore struct {
	*open.Store
	kin *relatives
}

func (s *rawStore) Close() error {
	s.kin.retire(s.Stats())
	return s.Store.Close()
}

func (r *relatives) Close() error { return errors.Join(r.sources.Close(), r.raw.Close()) }

// openNamed opens what the file calls name, where the policy allows that. An
// absolute path that leads nowhere is looked for in the file's directory by its
// last part, as libhdf5 does: files are moved together.
func (f *File) openNamed(ctx context.Context, name string) (*open.Store, error) {
	if f.options.External == RefuseExternal {
		return nil, newError(h5err.Permission,
			"the file leads to file %q; other files are opened only if the option that allows external files is set", name)
	}
	store, err := f.store.Sibling(ctx, name)
	if err == nil {
		return store, nil
	}
	if base := lastPart(name); base != "" && f.leadsNowhere(name, err) {
		if store, again := f.store.Sibling(ctx, base); again == nil {
			return store, nil
		}
	}
	return nil, meta.StorageError(err, "", h5err.NoOffset)
}

// lastPart returns the last component of an absolute path; empty for others.
func lastPart(name string) string {
	slashed := filepath.ToSlash(name)
	if !path.IsAbs(slashed) && !filepath.IsAbs(name) || strings.HasSuffix(slashed, "/") {
		return ""
	}
	return path.Base(slashed)
}

// leadsNowhere reports whether there is no file of an absolute name that was
// not opened because of err. A path of another machine says nothing about a
// server, unless it may be asked.
func (f *File) leadsNowhere(name string, err error) bool {
	if errors.Is(err, storage.ErrNotFound) {
		return true
	}
	if f.options.External == ExternalAnywhere || !errors.Is(err, storage.ErrPermission) {
		return false
	}
	if f.Remote() {
		return true
	}
	_, missing := os.Lstat(name)
	return errors.Is(missing, os.ErrNotExist)
}
