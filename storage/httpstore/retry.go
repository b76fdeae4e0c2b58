package httpstore

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"clawh5/storage"
)

// failure is why one request failed.
type failure struct {
	status int
	kind   error
	detail string
	retry  bool          // it may go better next time
	after  time.Duration // the server asks to wait so long
}

func (f *failure) Error() string {
	if f.detail == "" {
		return f.kind.Error()
	}
	return fmt.Sprintf("%v: %s", f.kind, f.detail)
}

func (f *failure) Unwrap() error { return f.kind }

// statusFailure is the failure that a status means.
func statusFailure(resp *http.Response) error {
	f := &failure{status: resp.StatusCode, kind: storage.ErrUnavailable, detail: http.StatusText(resp.StatusCode)}
	switch resp.StatusCode {
	case 401, 403, 407, 451:
		f.kind = storage.ErrPermission
	case 404, 410:
		f.kind = storage.ErrNotFound
	case 412:
		f.kind, f.detail = storage.ErrChanged, ""
	case 408, 429, 500, 502, 503, 504:
		f.retry = true
		f.after = retryAfter(resp.Header.Get("Retry-After"), time.Now())
	}
	return f
}

// retryAfter parses the header of that name: seconds or a date.
func retryAfter(s string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(s, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if date, err := http.ParseTime(s); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// networkFailure is the failure of a request that got no answer. A name that
// does not exist and a certificate that is wrong stay so; a port where nobody
// listens may be a server that restarts, but not when the object has not even
// been opened.
func (s *Store) networkFailure(err error) error {
	f := &failure{kind: storage.ErrUnavailable, detail: err.Error(), retry: true}
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound, errors.As(err, &certificate):
		f.retry = false
	case errors.Is(err, syscall.ECONNREFUSED):
		f.retry = s.opened
	}
	return f
}

// retrier decides about the retries of one read.
type retrier struct {
	s        *Store
	left     int
	backoff  time.Duration
	deadline time.Time
}

func (s *Store) newRetrier() *retrier {
	return &retrier{s: s, left: s.o.Retries, backoff: s.o.Backoff, deadline: time.Now().Add(s.o.RetryTime)}
}

// again waits until the next try is due and returns nil, or returns the error
// with which the read ends.
func (r *retrier) again(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var f *failure
	if !errors.As(err, &f) || !f.retry || r.left == 0 || f.after > maxRetryAfter {
		return err
	}
	wait := r.backoff/2 + rand.N(r.backoff/2+1)
	wait = max(wait, f.after)
	if time.Now().Add(wait).After(r.deadline) {
		return err
	}
	r.left--
	r.backoff = min(2*r.backoff, maxBackoff)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		r.s.retries.Add(1)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-r.s.closing.Done():
		return storage.ErrClosed
	}
}
