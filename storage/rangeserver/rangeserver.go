// Package rangeserver serves files with byte ranges over HTTP/1.1, as slow and
// as unreliable as wanted: to try a remote file on one machine, and for tests.
//
// It answers GET and HEAD, one range a request (several ranges are answered
// with the whole file, as the standard allows), If-Match, If-Range and
// If-None-Match, and lists directories. Three paths are its own:
//
//	/__stats   counters as JSON
//	/__log     the requests as JSON
//	/__reset   forgets both and restarts the counts of faults
package rangeserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"time"
)

// Options says how the server behaves. The zero value is fast and correct.
type Options struct {
	Latency   time.Duration // before the first byte of every answer
	Bandwidth int64         // bytes a second on each connection, 0: no limit
	Log       io.Writer     // a line for every request; nil: none
	LogSize   int           // requests kept for /__log, 10,000

	Faults
}

// Faults are lies and failures. Counts begin at /__reset; "every N" hits the
// Nth request, the 2Nth and so on.
type Faults struct {
	FailEvery       int    // answers 503
	RetryAfter      string // header of those
	CutEvery        int    // sends half of the body and closes the connection
	ResetEvery      int    // closes the connection without an answer
	ETagChangeAfter int    // ETag and Last-Modified are others after N requests
	NoRange         bool   // ignores Range: 200 and the whole file
	NoETag          bool
	NoLastModified  bool
	WeakETag        bool
	IgnoreIfMatch   bool
	GzipLie         bool          // says that the body is gzip
	WrongRange      bool          // sends the neighbouring bytes and says so
	WrongRangeLie   bool          // sends the bytes asked for and says that they are others
	LongBody        bool          // chunked, with a byte too many
	Drip            time.Duration // sleeps so long after every DripBytes
	DripBytes       int           // 1
	Stall           bool          // answers with headers, then is silent
}

// Server is an http.Handler for the files of a directory.
type Server struct {
	fsys  fs.FS
	o     atomic.Pointer[Options]
	count atomic.Int64 // requests since the last reset, for faults
	record
}

// New serves the files of fsys, which must be seekable.
func New(fsys fs.FS, o Options) *Server {
	if o.LogSize == 0 {
		o.LogSize = 10000
	}
	s := &Server{fsys: fsys}
	s.o.Store(&o)
	s.record.reset()
	return s
}

// NewDir serves the directory dir. Symbolic links that lead out of it are not
// followed.
func NewDir(dir string, o Options) (*Server, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return New(root.FS(), o), nil
}

// SetFaults changes the faults for requests that come from now on, and
// restarts their counts.
func (s *Server) SetFaults(f Faults) {
	o := *s.o.Load()
	o.Faults = f
	s.o.Store(&o)
	s.count.Store(0)
}

// Running is a Server that listens.
type Running struct {
	*Server
	URL  string // without a slash at the end
	http *http.Server
	done chan struct{} // closed when err is set
	err  error
}

// Start listens on addr ("127.0.0.1:0" for any free port) and serves until
// Close.
func (s *Server) Start(addr string) (*Running, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	r := &Running{Server: s, URL: "http://" + l.Addr().String(), done: make(chan struct{})}
	r.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute, ConnState: s.connState}
	go func() {
		r.err = r.http.Serve(l)
		close(r.done)
	}()
	return r, nil
}

// Close stops at once.
func (r *Running) Close() error {
	err := r.http.Close()
	<-r.done
	return err
}

// Wait returns when the server has stopped: because of ctx, after the requests
// under way (nil), or because of Close or a failure (its error).
func (r *Running) Wait(ctx context.Context) error {
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := r.http.Shutdown(grace); err != nil {
		r.http.Close()
	}
	if <-r.done; !errors.Is(r.err, http.ErrServerClosed) {
		return r.err
	}
	return nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/__stats":
		writeJSON(w, s.Stats())
		return
	case "/__log":
		writeJSON(w, s.Log())
		return
	case "/__reset":
		s.Reset()
		return
	}
	o := s.o.Load()
	entry := s.enter(r)
	a := &answer{ResponseWriter: w, o: o, n: int(s.count.Add(1)), ctx: r.Context()}
	defer func() {
		s.leave(o, entry, a) // also when a fault aborts the connection
	}()
	if !sleep(a.ctx, o.Latency) {
		return
	}
	s.serve(a, r)
}

func (s *Server) serve(a *answer, r *http.Request) {
	switch {
	case every(a.o.ResetEvery, a.n):
		a.fault = "reset"
		panic(http.ErrAbortHandler)
	case every(a.o.FailEvery, a.n):
		a.fault = "failed"
		if a.o.RetryAfter != "" {
			a.Header().Set("Retry-After", a.o.RetryAfter)
		}
		http.Error(a, "injected failure", http.StatusServiceUnavailable)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		a.Header().Set("Allow", "GET, HEAD")
		http.Error(a, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name, ok := fileName(r.URL.Path)
	if !ok {
		http.Error(a, "not a path below this server", http.StatusBadRequest)
		return
	}
	f, err := s.fsys.Open(name)
	if err != nil {
		refuse(a, err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		refuse(a, err)
	case info.IsDir():
		s.list(a, r, name)
	case !info.Mode().IsRegular():
		http.Error(a, "not a regular file", http.StatusForbidden)
	default:
		a.serveFile(r, f, info)
	}
}

// fileName is the name in the file system; false for a path that would leave
// it.
func fileName(urlPath string) (string, bool) {
	for part := range strings.SplitSeq(urlPath, "/") {
		if part == ".." {
			return "", false
		}
	}
	name := strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	if name == "" {
		name = "."
	}
	return name, fs.ValidPath(name) && !strings.ContainsAny(name, "\\\x00")
}

func refuse(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, fs.ErrPermission):
		http.Error(w, "forbidden", http.StatusForbidden)
	default:
		http.Error(w, "not found", http.StatusNotFound)
	}
}

func (s *Server) list(w http.ResponseWriter, r *http.Request, name string) {
	entries, err := fs.ReadDir(s.fsys, name)
	if err != nil {
		refuse(w, err)
		return
	}
	if !strings.HasSuffix(r.URL.Path, "/") {
		http.Redirect(w, r, r.URL.Path+"/", http.StatusMovedPermanently)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html>\n<meta charset=utf-8>\n<ul>\n")
	for _, e := range entries {
		fmt.Fprint(w, listItem(e))
	}
	fmt.Fprint(w, "</ul>\n")
}

func every(n, i int) bool { return n > 0 && i%n == 0 }

// sleep waits, or returns false when ctx ends before.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
