package httpstore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"clawh5/storage"
	"clawh5/storage/httpstore"
	"clawh5/storage/rangeserver"
	"clawh5/storage/storagetest"
)

func try(s *httpstore.Store, off int64, n int) ([]byte, error) {
	p := make([]byte, n)
	err := s.ReadAt(context.Background(), p, off)
	return p, err
}

// impatient gives up at once.
func impatient() httpstore.Options {
	o := quick()
	o.Retries = -1
	return o
}

// TestLiesAreErrors changes the server's manners after the object was opened
// in good order, and before.
func TestLiesAreErrors(t *testing.T) {
	content := storagetest.Content(100_000)
	cases := map[string]struct {
		faults    rangeserver.Faults
		open, use error
	}{
		"no ranges":          {rangeserver.Faults{NoRange: true}, storage.ErrNoRanges, storage.ErrNoRanges},
		"encoded":            {rangeserver.Faults{GzipLie: true}, storage.ErrUnavailable, storage.ErrUnavailable},
		"wrong range":        {rangeserver.Faults{WrongRange: true}, storage.ErrUnavailable, storage.ErrUnavailable},
		"wrong header":       {rangeserver.Faults{WrongRangeLie: true}, storage.ErrUnavailable, storage.ErrUnavailable},
		"too long":           {rangeserver.Faults{LongBody: true}, storage.ErrUnavailable, storage.ErrUnavailable},
		"failing":            {rangeserver.Faults{FailEvery: 1}, storage.ErrUnavailable, storage.ErrUnavailable},
		"always cut":         {rangeserver.Faults{CutEvery: 1}, storage.ErrUnavailable, storage.ErrUnavailable},
		"resets":             {rangeserver.Faults{ResetEvery: 1}, storage.ErrUnavailable, storage.ErrUnavailable},
		"other etag, no 412": {rangeserver.Faults{ETagChangeAfter: 1, IgnoreIfMatch: true}, nil, storage.ErrChanged},
		"other etag":         {rangeserver.Faults{ETagChangeAfter: 1}, nil, storage.ErrChanged},
		"other date":         {rangeserver.Faults{ETagChangeAfter: 1, NoETag: true}, nil, storage.ErrChanged},
		"other weak etag":    {rangeserver.Faults{ETagChangeAfter: 1, WeakETag: true}, nil, storage.ErrChanged},
		"etag gone":          {rangeserver.Faults{NoETag: true}, nil, storage.ErrChanged},
		"silent":             {rangeserver.Faults{Stall: true}, storage.ErrTimeout, storage.ErrTimeout},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := impatient()
			o.Timeout = 300 * time.Millisecond
			bad := serve(t, content, c.faults)
			if c.open != nil {
				s, err := httpstore.Open(context.Background(), bad.URL+"/data", o)
				if err == nil {
					s.Close()
				}
				if !errors.Is(err, c.open) {
					t.Errorf("Open = %v, want %v", err, c.open)
				}
			}
			server := serve(t, content, rangeserver.Faults{NoETag: c.faults.NoETag && c.use == storage.ErrChanged && c.faults.ETagChangeAfter > 0, WeakETag: c.faults.WeakETag})
			s := open(t, server.URL+"/data", o)
			if c.faults.ETagChangeAfter > 0 {
				server.SetFaults(c.faults)
				if _, err := try(s, 5000, 100); err != nil {
					t.Errorf("read before the change: %v", err)
				}
			}
			f := c.faults
			server.SetFaults(f)
			if f.ETagChangeAfter > 0 {
				try(s, 5000, 100) // the last of the old version
			}
			if _, err := try(s, 5000, 100); !errors.Is(err, c.use) {
				t.Errorf("ReadAt = %v, want %v", err, c.use)
			}
		})
	}
}

func TestShrunkenObjectIsChanged(t *testing.T) {
	size := 10_000
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(strings.Repeat("x", size)))
	}))
	defer h.Close()
	s := open(t, h.URL, impatient())
	for _, size = range []int{9_000, 5_000, 20_000} {
		if _, err := try(s, 8_000, 100); !errors.Is(err, storage.ErrChanged) {
			t.Errorf("object of %d bytes instead of 10,000: %v, want ErrChanged", size, err)
		}
	}
}

func TestStatusesThatStayAreNotRepeated(t *testing.T) {
	for status, want := range map[int]error{
		401: storage.ErrPermission, 403: storage.ErrPermission, 404: storage.ErrNotFound, 410: storage.ErrNotFound,
		412: storage.ErrChanged, 400: storage.ErrUnavailable, 501: storage.ErrUnavailable, 204: storage.ErrUnavailable,
	} {
		var requests atomic.Int64
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			w.WriteHeader(status)
		}))
		_, err := httpstore.Open(context.Background(), h.URL+"/x?secret=1", quick())
		h.Close()
		var e *storage.Error
		if !errors.Is(err, want) || !errors.As(err, &e) || e.HTTPStatus != status {
			t.Errorf("status %d: %v, want %v with the status", status, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the query is in the message: %v", err)
		}
		if n := requests.Load(); n != 1 {
			t.Errorf("status %d: %d requests, want 1", status, n)
		}
	}
}

func TestRetriesAreCountedAndBounded(t *testing.T) {
	for _, status := range []int{408, 429, 500, 502, 503, 504} {
		var requests atomic.Int64
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			w.WriteHeader(status)
		}))
		o := quick()
		o.Retries = 3
		_, err := httpstore.Open(context.Background(), h.URL, o)
		h.Close()
		if !errors.Is(err, storage.ErrUnavailable) || requests.Load() != 4 {
			t.Errorf("status %d: %v after %d requests, want ErrUnavailable after 4", status, err, requests.Load())
		}
	}

	server := serve(t, storagetest.Content(10_000), rangeserver.Faults{})
	s := open(t, server.URL+"/data", quick())
	server.SetFaults(rangeserver.Faults{FailEvery: 2})
	for range 3 {
		if _, err := try(s, 5000, 10); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.Stats().Retries; n != 2 {
		t.Errorf("%d retries reported, want 2 (requests 2 and 4 failed)", n)
	}
}

func TestRetriesEndWithTheirTime(t *testing.T) {
	server := serve(t, storagetest.Content(10), rangeserver.Faults{FailEvery: 1})
	o := httpstore.Options{Retries: 1 << 30, Backoff: time.Millisecond, RetryTime: 50 * time.Millisecond}
	if _, err := httpstore.Open(context.Background(), server.URL+"/data", o); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Open = %v, want ErrUnavailable", err)
	}
}

func TestRetryAfterIsHonouredWithinBounds(t *testing.T) {
	server := serve(t, storagetest.Content(10_000), rangeserver.Faults{})
	s := open(t, server.URL+"/data", quick())
	server.SetFaults(rangeserver.Faults{FailEvery: 2, RetryAfter: "1"})
	try(s, 5000, 10)
	start := time.Now()
	if _, err := try(s, 5000, 10); err != nil || time.Since(start) < time.Second {
		t.Errorf("%v after %v, want success after a second", err, time.Since(start))
	}
	server.SetFaults(rangeserver.Faults{FailEvery: 1, RetryAfter: "86400"})
	if _, err := try(s, 5000, 10); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("asked to wait a day: %v, want ErrUnavailable", err)
	}
}

func TestCutBodyIsResumed(t *testing.T) {
	content := storagetest.Content(100_000)
	server := serve(t, content, rangeserver.Faults{})
	s := open(t, server.URL+"/data", quick())
	server.Reset()
	server.SetFaults(rangeserver.Faults{CutEvery: 1})
	o := quick()
	_ = o
	go func() {
		for server.Stats().Requests < 2 {
			time.Sleep(time.Millisecond)
		}
		server.SetFaults(rangeserver.Faults{})
	}()
	p, err := try(s, 0, len(content))
	if err != nil || string(p) != string(content) {
		t.Fatalf("ReadAt: %v", err)
	}
	log := server.Log()
	if len(log) < 2 || log[0].Range != "bytes=0-99999" || log[1].Range == log[0].Range {
		t.Errorf("ranges %q then %q: the second should begin where the first ended", log[0].Range, log[1].Range)
	}
}

func TestEveryLaterRequestPinsTheVersion(t *testing.T) {
	server := serve(t, storagetest.Content(10_000), rangeserver.Faults{})
	s := open(t, server.URL+"/data", quick())
	try(s, 5000, 10)
	try(s, 6000, 10)
	log := server.Log()
	if len(log) != 3 || log[0].Method != "GET" || log[0].Range != "bytes=0-4095" || log[0].Header.Get("If-Match") != "" {
		t.Fatalf("first requests %+v, want one ranged GET and no HEAD", log)
	}
	for _, r := range log[1:] {
		if r.Header.Get("If-Match") == "" || r.Header.Get("Accept-Encoding") != "identity" {
			t.Errorf("request %s has headers %v", r.Range, r.Header)
		}
	}
	if string(s.Head()) != string(storagetest.Content(10_000)[:4096]) || s.Head() != nil {
		t.Error("Head is not the first block, once")
	}
}

func TestEmptyObject(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"416": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Range", "bytes */0")
			w.WriteHeader(416)
		},
		"200": func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Length", "0") },
	}
	for name, f := range answers {
		h := httptest.NewServer(f)
		s := open(t, h.URL, impatient())
		if _, err := try(s, 0, 0); s.Size() != 0 || err != nil {
			t.Errorf("%s: size %d, %v", name, s.Size(), err)
		}
		h.Close()
	}
}

func TestFullDownloadHasALimit(t *testing.T) {
	server := serve(t, storagetest.Content(10_000), rangeserver.Faults{NoRange: true})
	for limit, want := range map[int64]error{10_000: nil, 9_999: storage.ErrTooLarge} {
		o := impatient()
		o.AllowFullDownload, o.MaxDownload = true, limit
		s, err := httpstore.Open(context.Background(), server.URL+"/data", o)
		if !errors.Is(err, want) {
			t.Errorf("limit %d: %v, want %v", limit, err, want)
		}
		if err == nil {
			s.Close()
		}
	}
	chunked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 100 {
			fmt.Fprint(w, strings.Repeat("x", 1000))
			w.(http.Flusher).Flush()
		}
	}))
	defer chunked.Close()
	o := impatient()
	o.AllowFullDownload, o.MaxDownload = true, 50_000
	if _, err := httpstore.Open(context.Background(), chunked.URL, o); !errors.Is(err, storage.ErrTooLarge) {
		t.Errorf("body of unknown length: %v, want ErrTooLarge", err)
	}
}

func TestAtMostSoManyRequestsAtOnce(t *testing.T) {
	content := storagetest.Content(100_000)
	server := serve(t, content, rangeserver.Faults{Drip: 2 * time.Millisecond, DripBytes: 1000})
	o := quick()
	o.MaxRequests = 3
	s := open(t, server.URL+"/data", o)
	spans := make([]storage.Span, 20)
	for i := range spans {
		spans[i] = storage.Span{Off: int64(i) * 5000, P: make([]byte, 5000)}
	}
	if err := s.ReadRanges(context.Background(), spans); err != nil {
		t.Fatal(err)
	}
	st := server.Stats()
	if st.MaxConcurrent != 3 || st.Connections > 4 {
		t.Errorf("%d requests at once over %d connections, want 3 over 3 or so", st.MaxConcurrent, st.Connections)
	}
}

func TestCancelReturnsWhileTheServerIsSilent(t *testing.T) {
	server := serve(t, storagetest.Content(100_000), rangeserver.Faults{})
	s := open(t, server.URL+"/data", quick())
	server.SetFaults(rangeserver.Faults{Stall: true})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	err := s.ReadAt(ctx, make([]byte, 1000), 10)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("ReadAt = %v, want DeadlineExceeded", err)
	}
}

func TestCloseEndsRequests(t *testing.T) {
	server := serve(t, storagetest.Content(100_000), rangeserver.Faults{})
	s := open(t, server.URL+"/data", quick())
	server.SetFaults(rangeserver.Faults{Stall: true})
	time.AfterFunc(30*time.Millisecond, func() { s.Close() })
	if _, err := try(s, 10, 1000); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("ReadAt while closing = %v, want ErrClosed", err)
	}
	if _, err := try(s, 10, 1000); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("ReadAt after Close = %v, want ErrClosed", err)
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	server := serve(t, nil, rangeserver.Faults{})
	url := server.URL
	server.Close()
	if _, err := httpstore.Open(context.Background(), url, quick()); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("Open = %v, want ErrUnavailable", err)
	}
	for _, bad := range []string{"", "http://", "ftp://host/x", "http://[::1/x", "/path"} {
		if _, err := httpstore.Open(context.Background(), bad, quick()); !errors.Is(err, storage.ErrUnsupported) {
			t.Errorf("Open(%q) = %v, want ErrUnsupported", bad, err)
		}
	}
}
