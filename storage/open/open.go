// Package open turns a location, a path or a URL, into a Store: the bytes of
// the object, a cache for its metadata, a way past the cache for its data, and
// an account of what was fetched.
//
//	   Store: View, TryView, Prefetch, ReadAt
//	     │                   Store.Direct: raw data
//	blockcache                    │
//	     └───── tracestore ───────┘      counts what goes out
//	                │
//	  filestore, httpstore, memstore
package open

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"clawh5/storage"
	"clawh5/storage/blockcache"
	"clawh5/storage/filestore"
	"clawh5/storage/memstore"
)

// Options says how an object is opened. Zero values mean the defaults.
type Options struct {
	BlockSize  int64 // of the cache; 64 KiB
	CacheBytes int64 // capacity of the cache; 64 MiB

	// For http and https.
	FirstBlock        int64         // bytes fetched when the object is opened; 1 MiB
	MaxRequests       int           // at once; 16
	Headers           http.Header   // sent to the host of the location, to no other
	UserAgent         string        //
	Retries           int           // of one read after failures; 5, negative: none
	RetryTime         time.Duration // within which the last retry begins; 60 s
	Timeout           time.Duration // without a byte of the answer; 30 s
	AllowFullDownload bool          // where the server does not answer range requests
	MaxDownload       int64         // of a full download; 256 MiB

	// Driver says how the bytes of the object lie in files, by the names of
	// HDF5's drivers: "family", "split", "multi", "onion", "sec2" (one file). What is
	// opened does not look at it: those who know what the bytes are do.
	Driver string
	// Revision is the one that is wanted of an object with revisions (driver
	// "onion"): 0 is the original.
	Revision uint64
	// Pattern is the printf pattern of the file names of a family.
	Pattern string

	// AllowOutside lets Sibling leave the directory of the object.
	AllowOutside bool
}

// Open opens the object at location: a path, or a URL of scheme file, http or
// https. Everything that does not begin with a scheme of two letters or more
// and "://" is a path.
func Open(ctx context.Context, location string, o Options) (*Store, error) {
	scheme := splitScheme(location)
	switch scheme {
	case "":
		return openFile(location, o)
	case "file":
		path, err := filePath(location)
		if err != nil {
			return nil, err
		}
		return openFile(path, o)
	case "http", "https":
		return openHTTP(ctx, location, o)
	case "s3":
		return nil, unsupported(scheme, "not supported yet; an https URL of the object can be opened")
	}
	return nil, unsupported(scheme, "not a kind of location this library knows (paths, file, http, https)")
}

func unsupported(scheme, why string) error {
	return &storage.Error{Location: scheme + "://…", Op: "open",
		Err: fmt.Errorf("%w: URL scheme %q is %s", storage.ErrUnsupported, scheme, why)}
}

// splitScheme finds the scheme of a URL in lower case; empty for a path, also
// for "C:\x" and "a:b".
func splitScheme(location string) string {
	scheme, _, ok := strings.Cut(location, "://")
	if !ok || len(scheme) < 2 {
		return ""
	}
	for i, r := range strings.ToLower(scheme) {
		letter := r >= 'a' && r <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return ""
		}
	}
	return strings.ToLower(scheme)
}

// filePath is the path of a file URL.
func filePath(location string) (string, error) {
	u, err := url.Parse(location)
	if err != nil || u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		return "", &storage.Error{Location: location, Op: "open",
			Err: fmt.Errorf("%w: a file URL names a file of this machine: file:///path", storage.ErrUnsupported)}
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // file:///C:/x
	}
	return filepath.FromSlash(path), nil
}

func openFile(path string, o Options) (*Store, error) {
	f, err := filestore.Open(path)
	if err != nil {
		return nil, err
	}
	s := newStore(f, o, blockcache.Options{Local: true})
	s.location, s.path = f.Path(), f.Path()
	return s, nil
}

// Memory is a Store of bytes in memory, which must not change while it or a
// View of it is in use.
func Memory(b []byte) *Store {
	m := memstore.New(b)
	return &Store{meta: memory{m}, direct: &direct{inner: m}, source: m, location: "memory"}
}

// Wrap is a Store of any Reader, which it closes with itself: for stores that
// come from elsewhere, and to put a faulty one below a whole program.
func Wrap(r storage.Reader, location string, o Options) *Store {
	s := newStore(r, o, blockcache.Options{})
	s.location = location
	return s
}
