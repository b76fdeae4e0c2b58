package httpstore_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"clawh5/storage"
	"clawh5/storage/httpstore"
)

// recorder is a server that keeps the headers of its requests.
type recorder struct {
	*httptest.Server
	mu      sync.Mutex
	headers []http.Header
}

func record(t *testing.T, f http.HandlerFunc) *recorder {
	r := &recorder{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		r.headers = append(r.headers, q.Header.Clone())
		r.mu.Unlock()
		f(w, q)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *recorder) seen() []http.Header {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]http.Header(nil), r.headers...)
}

func object(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("ETag", `"v1"`)
	http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader(strings.Repeat("0123456789", 1000)))
}

var secrets = []string{"Authorization", "Cookie", "X-Token"}

func withSecrets() httpstore.Options {
	o := impatient()
	o.Header = http.Header{"Cookie": {"c=1"}, "X-Token": {"t"}, "Range": {"bytes=1-2"}, "if-match": {"x"}}
	return o
}

func TestCredentialsStayWithTheirHost(t *testing.T) {
	other := record(t, object)
	var origin *recorder
	origin = record(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/a":
			http.Redirect(w, r, "/b", http.StatusFound)
		default:
			http.Redirect(w, r, other.URL+"/c", http.StatusTemporaryRedirect)
		}
	})
	s := open(t, strings.Replace(origin.URL, "http://", "http://user:pw@", 1)+"/a", withSecrets())
	if p, err := try(s, 5000, 3); err != nil || string(p) != "012" {
		t.Fatalf("ReadAt = %q, %v", p, err)
	}
	if len(origin.seen()) != 2 || len(other.seen()) != 2 {
		t.Fatalf("%d and %d requests, want 2 (redirects are remembered) and 2", len(origin.seen()), len(other.seen()))
	}
	for _, name := range secrets {
		for _, h := range origin.seen() {
			if h.Get(name) == "" {
				t.Errorf("the host of the URL did not get %s", name)
			}
		}
		for _, h := range other.seen() {
			if h.Get(name) != "" {
				t.Errorf("another host got %s", name)
			}
		}
	}
	if strings.Contains(s.Location(), "pw") {
		t.Errorf("Location %q has the password", s.Location())
	}
}

func TestCredentialsDoNotComeBackThroughAnotherHost(t *testing.T) {
	var origin, other *recorder
	origin = record(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/a" {
			http.Redirect(w, r, other.URL, http.StatusFound)
			return
		}
		object(w, r)
	})
	other = record(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, origin.URL+"/chosen-by-other", http.StatusFound)
	})
	open(t, origin.URL+"/a", withSecrets())
	if h := origin.seen()[1]; h.Get("Cookie") != "" {
		t.Error("the second request has the cookie")
	}
}

func TestRedirectsAreBoundedAndKeepTheirScheme(t *testing.T) {
	cases := map[string]struct {
		location string
		want     error
	}{
		"loop":       {"/again", storage.ErrUnavailable},
		"file":       {"file:///etc/passwd", storage.ErrPermission},
		"ftp":        {"ftp://host/x", storage.ErrPermission},
		"no target":  {"", storage.ErrPermission},
		"not an URL": {"http://[", storage.ErrPermission},
	}
	for name, c := range cases {
		r := record(t, func(w http.ResponseWriter, r *http.Request) {
			if c.location != "" {
				w.Header().Set("Location", c.location)
			}
			w.WriteHeader(http.StatusFound)
		})
		if _, err := httpstore.Open(context.Background(), r.URL, quick()); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if n := len(r.seen()); n > 6 {
			t.Errorf("%s: %d requests, want at most 6", name, n)
		}
	}
}

func TestFiveRedirectsAreFollowed(t *testing.T) {
	r := record(t, func(w http.ResponseWriter, r *http.Request) {
		if n := len(r.URL.Path); n < 6 {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusMovedPermanently)
			return
		}
		object(w, r)
	})
	open(t, r.URL+"/", impatient())
}

func TestExpiredTargetIsAskedForAgain(t *testing.T) {
	expired := false
	target := record(t, func(w http.ResponseWriter, r *http.Request) {
		if expired && r.URL.RawQuery == "sig=1" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		object(w, r)
	})
	origin := record(t, func(w http.ResponseWriter, r *http.Request) {
		sig := "1"
		if expired {
			sig = "2"
		}
		http.Redirect(w, r, target.URL+"/?sig="+sig, http.StatusFound)
	})
	s := open(t, origin.URL, impatient())
	expired = true
	for range 2 {
		if _, err := try(s, 5000, 10); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(origin.seen()); n != 2 {
		t.Errorf("origin asked %d times, want 2", n)
	}
}
