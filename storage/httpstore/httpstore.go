// Package httpstore reads an object behind an HTTP or HTTPS server by range
// requests.
//
// It believes only answers that are exactly what was asked: 206 with the very
// Content-Range, no content encoding, the full length, of the version of the
// object that was opened. The version is pinned by its strong ETag (If-Match,
// and compared on every answer) or else by Last-Modified, weak ETag and size;
// an object that changed is storage.ErrChanged.
//
// Failures that may pass are repeated (retry.go), and what had arrived of a
// body is kept. Redirects are followed without taking credentials to another
// host (request.go).
package httpstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"clawh5/storage"
)

// Store is an object behind a server. It is a Reader, RangeReader and
// StatsReporter.
type Store struct {
	o        Options
	origin   *url.URL
	header   http.Header // for the host of origin
	location string      // for messages: no credentials, no query
	slots    chan struct{}

	closing context.Context
	close   context.CancelFunc

	// Set by Open, constant afterwards.
	size     int64
	identity identity
	opened   bool
	whole    []byte // the object, where the server has no ranges and it was downloaded

	headMu sync.Mutex
	head   []byte

	resolvedMu sync.Mutex
	resolved   *target // where redirects led, nil: ask origin

	requests, fetched, retries atomic.Int64
}

// Open asks for the first block of the object at rawURL; the answer tells its
// size and version.
func Open(ctx context.Context, rawURL string, o Options) (*Store, error) {
	o.complete()
	u, err := url.Parse(rawURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &storage.Error{Op: "open", Err: fmt.Errorf("%w: not an http or https URL", storage.ErrUnsupported)}
	}
	s := &Store{o: o, header: cleanHeader(o.Header, u.User), slots: make(chan struct{}, o.MaxRequests)}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	s.origin = u
	s.location = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
	s.closing, s.close = context.WithCancel(context.Background())
	if err := s.first(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// first learns size and identity and fills head, or whole.
func (s *Store) first(ctx context.Context) error {
	r := s.newRetrier()
	for {
		n, err := s.tryFirst(ctx)
		if err == nil {
			return nil
		}
		if err = r.again(ctx, err); err != nil {
			return s.fail("open", 0, 0, err)
		}
		if s.opened { // the answer was good and its body was cut
			if s.identity == (identity{}) {
				n = 0
			}
			return s.fill(ctx, s.head[n:], int64(n), r)
		}
	}
}

// tryFirst makes the first request once. When it fails after the answer was
// accepted, opened is set and n bytes of head are right.
func (s *Store) tryFirst(ctx context.Context) (n int, err error) {
	x, err := s.begin(ctx, 0, s.o.FirstBlock)
	if err != nil {
		return 0, err
	}
	defer x.end()
	resp := x.resp
	if resp.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		if cr, ok := parseContentRange(resp.Header.Get("Content-Range")); ok && cr.unsatisfied && cr.total == 0 {
			s.accept(0, resp.Header)
			return 0, nil
		}
		return 0, &failure{status: resp.StatusCode, kind: storage.ErrUnavailable, detail: "first bytes of the object refused"}
	}
	if err := encoded(resp); err != nil {
		return 0, err
	}
	switch resp.StatusCode {
	case http.StatusPartialContent:
		return s.firstBlock(x)
	case http.StatusOK:
		return 0, s.download(x)
	}
	return 0, statusFailure(resp)
}

func (s *Store) firstBlock(x *exchange) (int, error) {
	cr, ok := parseContentRange(x.resp.Header.Get("Content-Range"))
	if !ok || cr.unsatisfied || cr.total < 1 || cr.first != 0 || cr.last != min(s.o.FirstBlock, cr.total)-1 {
		return 0, wrongRange(x.resp)
	}
	n := cr.last + 1
	if x.resp.ContentLength >= 0 && x.resp.ContentLength != n {
		return 0, wrongLength(x.resp)
	}
	s.accept(cr.total, x.resp.Header)
	s.head = make([]byte, n)
	return x.read(s.head)
}

// download takes the whole object where that is allowed.
func (s *Store) download(x *exchange) error {
	limit := min(s.o.MaxDownload, math.MaxInt-2*bytes.MinRead)
	length := x.resp.ContentLength
	switch {
	case length == 0:
		s.accept(0, x.resp.Header)
		return nil
	case !s.o.AllowFullDownload:
		return &failure{status: x.resp.StatusCode, kind: storage.ErrNoRanges,
			detail: "download the file, or allow a full download"}
	case length > limit:
		return tooLarge(length, limit)
	}
	x.extend(max(length, 0))
	var body bytes.Buffer
	if length > 0 {
		body.Grow(int(length) + bytes.MinRead) // so that the end of the body is seen without another growth
	}
	n, err := io.Copy(&body, io.LimitReader(x, limit+1))
	switch {
	case err != nil:
		return x.bodyFailure(err)
	case n > limit:
		return tooLarge(-1, limit)
	case length >= 0 && n != length:
		return x.bodyFailure(io.ErrUnexpectedEOF)
	}
	s.accept(n, x.resp.Header)
	s.whole, s.head = body.Bytes(), body.Bytes()
	return nil
}

func tooLarge(length, limit int64) error {
	size := "more"
	if length >= 0 {
		size = fmt.Sprint(length)
	}
	return &failure{status: http.StatusOK, kind: storage.ErrTooLarge,
		detail: fmt.Sprintf("server does not answer ranges, and the object has %s bytes, limit %d", size, limit)}
}

func (s *Store) accept(size int64, h http.Header) {
	s.size, s.identity, s.opened = size, identityOf(h), true
}

// ReadAt implements storage.Reader.
func (s *Store) ReadAt(ctx context.Context, p []byte, off int64) error {
	n := int64(len(p))
	if err := storage.CheckRange(s.location, s.size, off, n); err != nil {
		return err
	}
	if err := storage.ContextError(ctx, s.location, off, n); err != nil {
		return err
	}
	if s.closing.Err() != nil {
		return s.fail("read", off, n, storage.ErrClosed)
	}
	if n == 0 {
		return nil
	}
	if s.whole != nil {
		copy(p, s.whole[off:])
		return nil
	}
	return s.fill(ctx, p, off, s.newRetrier())
}

// fill reads p from off, with retries that begin where the last try ended.
func (s *Store) fill(ctx context.Context, p []byte, off int64, r *retrier) error {
	for done := 0; ; {
		n, err := s.try(ctx, p[done:], off+int64(done))
		if err == nil {
			return nil
		}
		if s.identity != (identity{}) { // else the rest might be of another version
			done += n
		}
		if err = r.again(ctx, err); err != nil {
			return s.fail("read", off, int64(len(p)), err)
		}
	}
}

// try makes one request for p; when it fails, the first n bytes are right.
func (s *Store) try(ctx context.Context, p []byte, off int64) (n int, err error) {
	x, err := s.begin(ctx, off, int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer x.end()
	if err := s.verify(x.resp, off, int64(len(p))); err != nil {
		return 0, err
	}
	return x.read(p)
}

// ReadRanges implements storage.RangeReader: every span is a request.
func (s *Store) ReadRanges(ctx context.Context, spans []storage.Span) error {
	return storage.Parallel(ctx, len(spans), s.o.MaxRequests, func(ctx context.Context, i int) error {
		return s.ReadAt(ctx, spans[i].P, spans[i].Off)
	})
}

// Head hands over the bytes that Open fetched from the beginning of the
// object; the second call returns nothing.
func (s *Store) Head() []byte {
	s.headMu.Lock()
	defer s.headMu.Unlock()
	head := s.head
	s.head = nil
	return head
}

// Whole is the object if it was downloaded, else nil. It does not change.
func (s *Store) Whole() []byte { return s.whole }

// Size implements storage.Reader.
func (s *Store) Size() int64 { return s.size }

// Identity implements storage.Reader; empty where the server gives neither an
// ETag nor a date.
func (s *Store) Identity() string { return s.identity.text(s.size) }

// Location is the URL without credentials and query.
func (s *Store) Location() string { return s.location }

// Close ends the requests under way with ErrClosed.
func (s *Store) Close() error {
	s.close()
	return nil
}

// Stats implements storage.StatsReporter: requests on the wire, redirects and
// retries included, and bytes of accepted bodies.
func (s *Store) Stats() storage.Stats {
	return storage.Stats{Requests: s.requests.Load(), BytesFetched: s.fetched.Load(), Retries: s.retries.Load()}
}

// fail makes the error that leaves the package.
func (s *Store) fail(op string, off, n int64, err error) error {
	e := &storage.Error{Location: s.location, Op: op, Off: off, Len: n, Err: err}
	var f *failure
	if errors.As(err, &f) {
		e.HTTPStatus = f.status
	}
	return e
}

// cleanHeader leaves out what this package sets itself, and turns the
// credentials of a URL into a header.
func cleanHeader(h http.Header, user *url.Userinfo) http.Header {
	out := http.Header{}
	for k, v := range h {
		switch k = http.CanonicalHeaderKey(k); {
		case k == "Range" || k == "Accept-Encoding" || k == "Host" || strings.HasPrefix(k, "If-"):
		default:
			out[k] = append(out[k], v...)
		}
	}
	if user != nil && out.Get("Authorization") == "" {
		password, _ := user.Password()
		r := http.Request{Header: out}
		r.SetBasicAuth(user.Username(), password)
	}
	return out
}
