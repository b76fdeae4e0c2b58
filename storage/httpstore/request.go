package httpstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"clawh5/storage"
)

// target is a URL to ask, and whether the caller's headers may go there.
type target struct {
	url     *url.URL
	trusted bool
}

// exchange is one request and its answer. It holds a slot, and a watch that
// cancels the request when the server is silent for too long.
type exchange struct {
	s      *Store
	ctx    context.Context
	resp   *http.Response
	watch  *time.Timer
	cancel context.CancelCauseFunc
	limit  time.Time // for the whole exchange
	finish func()
}

// begin waits for a slot and asks for n bytes at off.
func (s *Store) begin(ctx context.Context, off, n int64) (*exchange, error) {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.closing.Done():
		return nil, storage.ErrClosed
	}
	x := &exchange{s: s}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	x.watch = time.AfterFunc(s.o.Timeout, func() { x.cancel(storage.ErrTimeout) })
	x.extend(n)
	unhook := context.AfterFunc(s.closing, func() { x.cancel(storage.ErrClosed) })
	x.finish = sync.OnceFunc(func() {
		if x.resp != nil {
			x.resp.Body.Close()
		}
		x.watch.Stop()
		unhook()
		x.cancel(nil)
		<-s.slots
	})
	resp, err := s.send(x.ctx, off, n)
	if err != nil {
		err = x.failure(err)
		x.finish()
		return nil, err
	}
	x.resp = resp
	return x, nil
}

// end releases what the exchange holds.
func (x *exchange) end() { x.finish() }

// extend sets the time limit for a body of n bytes.
func (x *exchange) extend(n int64) {
	seconds := min(n/slowestRate, 1<<30)
	x.limit = time.Now().Add(x.s.o.Timeout + time.Duration(seconds)*time.Second)
}

// Read reads the body; every byte that arrives sets back the watch.
func (x *exchange) Read(p []byte) (int, error) {
	n, err := x.resp.Body.Read(p)
	if n > 0 {
		x.s.fetched.Add(int64(n))
		x.watch.Reset(max(min(x.s.o.Timeout, time.Until(x.limit)), 0))
	}
	return n, err
}

// read fills p from a body that must be exactly as long. When it fails, the
// first n bytes are right.
func (x *exchange) read(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var m int
		m, err = x.Read(p[n:])
		n += m
	}
	if n < len(p) {
		return n, x.bodyFailure(err)
	}
	if err == nil { // the end must be seen for the connection to be used again
		var more [1]byte
		if m, _ := io.ReadFull(x.resp.Body, more[:]); m > 0 {
			return 0, wrongLength(x.resp)
		}
	}
	return n, nil
}

// failure says why the exchange broke off: because of the caller, of the
// watch, of Close, or of err.
func (x *exchange) failure(err error) error {
	cause := context.Cause(x.ctx)
	switch {
	case cause == nil:
		return err
	case errors.Is(cause, storage.ErrTimeout):
		return &failure{kind: storage.ErrTimeout, detail: "no answer, or too slow", retry: true}
	}
	return cause
}

func (x *exchange) bodyFailure(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return x.failure(&failure{status: x.resp.StatusCode, kind: storage.ErrUnavailable,
		detail: "body broke off: " + err.Error(), retry: true})
}

// send makes a GET and follows redirects. It begins where the last redirects
// led, and goes back to the origin when it is turned away there, as when a
// signed URL has expired.
func (s *Store) send(ctx context.Context, off, n int64) (*http.Response, error) {
	t, remembered := s.start()
	for hop := 0; ; {
		resp, err := s.get(ctx, t, off, n)
		if err != nil {
			s.remember(nil)
			return nil, s.networkFailure(err)
		}
		if remembered && turnedAway(resp.StatusCode) {
			drop(resp)
			s.remember(nil)
			t, remembered = s.start()
			continue
		}
		if !redirect(resp.StatusCode) {
			if hop > 0 && resp.StatusCode < 300 {
				s.remember(&t)
			}
			return resp, nil
		}
		drop(resp)
		if hop++; hop > maxRedirects {
			return nil, &failure{status: resp.StatusCode, kind: storage.ErrUnavailable,
				detail: fmt.Sprintf("more than %d redirects", maxRedirects)}
		}
		if t, err = s.follow(t, resp); err != nil {
			return nil, err
		}
	}
}

func (s *Store) get(ctx context.Context, t target, off, n int64) (*http.Response, error) {
	h := http.Header{}
	if t.trusted {
		h = s.header.Clone()
	}
	if h.Get("User-Agent") == "" {
		h.Set("User-Agent", s.o.UserAgent)
	}
	h.Set("Accept-Encoding", "identity")
	h.Set("Range", fmt.Sprintf("bytes=%d-%d", off, off+n-1))
	if s.opened && s.identity.etag != "" {
		h.Set("If-Match", s.identity.etag)
	}
	s.requests.Add(1)
	req := &http.Request{Method: http.MethodGet, URL: t.url, Host: t.url.Host, Header: h,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	return s.o.Transport.RoundTrip(req.WithContext(ctx))
}

func (s *Store) start() (t target, remembered bool) {
	s.resolvedMu.Lock()
	defer s.resolvedMu.Unlock()
	if s.resolved != nil {
		return *s.resolved, true
	}
	return target{s.origin, true}, false
}

func (s *Store) remember(t *target) {
	s.resolvedMu.Lock()
	s.resolved = t
	s.resolvedMu.Unlock()
}

// follow finds the target of a redirect. Headers of the caller stay behind for
// good as soon as one leads to another host.
func (s *Store) follow(from target, resp *http.Response) (target, error) {
	refuse := func(why string) (target, error) {
		return target{}, &failure{status: resp.StatusCode, kind: storage.ErrPermission, detail: "redirect " + why}
	}
	to, err := from.url.Parse(resp.Header.Get("Location"))
	switch {
	case err != nil || resp.Header.Get("Location") == "" || to.Host == "":
		return refuse("without a valid target")
	case to.Scheme != "http" && to.Scheme != "https":
		return refuse(fmt.Sprintf("to another kind of URL (%q)", to.Scheme))
	case from.url.Scheme == "https" && to.Scheme == "http":
		return refuse("from https to http")
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	return target{to, from.trusted && sameHost(from.url, to)}, nil
}

// sameHost reports that b is the server of a, also after it moved from http to
// https on their usual ports.
func sameHost(a, b *url.URL) bool {
	if !strings.EqualFold(a.Hostname(), b.Hostname()) {
		return false
	}
	upgrade := port(a) == "80" && port(b) == "443" && a.Scheme == "http" && b.Scheme == "https"
	return port(a) == port(b) || upgrade
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

func redirect(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

func turnedAway(status int) bool {
	switch status {
	case 401, 403, 404, 410:
		return true
	}
	return false
}

// drop ends an answer whose body is of no use, and keeps the connection if the
// body is short.
func drop(resp *http.Response) {
	io.CopyN(io.Discard, resp.Body, 4<<10) //nolint:errcheck // what arrives does not matter
	resp.Body.Close()
}
