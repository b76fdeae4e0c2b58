package httpstore

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"
)

func TestParseContentRange(t *testing.T) {
	for s, want := range map[string]contentRange{
		"bytes 0-0/1":                   {0, 0, 1, false},
		"bytes 5-9/10":                  {5, 9, 10, false},
		"bytes 5-9/*":                   {5, 9, -1, false},
		"Bytes 5-9/10":                  {5, 9, 10, false},
		"bytes */10":                    {0, 0, 10, true},
		"bytes */0":                     {0, 0, 0, true},
		"bytes 0-9223372036854775806/*": {0, 9223372036854775806, -1, false},
	} {
		if got, ok := parseContentRange(s); !ok || got != want {
			t.Errorf("%q: %+v, %v; want %+v", s, got, ok, want)
		}
	}
	for _, s := range []string{
		"", "bytes", "bytes ", "bytes 1-2", "bytes 2-1/5", "bytes 0-5/5", "bytes -1-2/5", "bytes 1--2/5", "bytes +1-2/5",
		"bytes 1-2/-5", "bytes */*", "bytes 1-/5", "bytes -/5", "items 0-1/2", "bytes=0-1/2", "bytes 0x1-2/5",
		"bytes 0-9223372036854775808/*", "bytes 0-9223372036854775807/*", "bytes 0-1/99999999999999999999",
	} {
		if got, ok := parseContentRange(s); ok {
			t.Errorf("%q: %+v, want a refusal", s, got)
		}
	}
}

func FuzzParseContentRange(f *testing.F) {
	for _, s := range []string{"bytes 5-9/10", "bytes 5-9/*", "bytes */10"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cr, ok := parseContentRange(s)
		if !ok || cr.unsatisfied {
			return
		}
		if cr.first < 0 || cr.last < cr.first || cr.total >= 0 && cr.total <= cr.last {
			t.Fatalf("%q: %+v", s, cr)
		}
		again := fmt.Sprintf("bytes %d-%d/%d", cr.first, cr.last, cr.total)
		if cr.total < 0 {
			again = fmt.Sprintf("bytes %d-%d/*", cr.first, cr.last)
		}
		if back, ok := parseContentRange(again); !ok || back != cr {
			t.Fatalf("%q: %+v, and %q: %+v", s, cr, again, back)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for s, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-7": 0, "x": 0, "1.5": 0, "99999999999": 0,
		"Tue, 01 Jan 2030 00:01:00 GMT": time.Minute, "Mon, 31 Dec 2029 00:00:00 GMT": 0,
	} {
		if got := retryAfter(s, now); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

func TestSameHost(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"http://h/a", "http://H/b", true}, {"http://h/", "http://h:80/", true}, {"https://h/", "https://h:443/", true},
		{"http://h/", "https://h/", true}, {"http://h:8080/", "https://h/", false}, {"http://h/", "https://h:8443/", false},
		{"http://h/", "http://x.h/", false}, {"http://x.h/", "http://h/", false}, {"http://h:1/", "http://h:2/", false},
	} {
		a, _ := url.Parse(c.a)
		b, _ := url.Parse(c.b)
		if got := sameHost(a, b); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestNoRedirectFromHTTPSToHTTP(t *testing.T) {
	from, _ := url.Parse("https://h/a")
	resp := &http.Response{StatusCode: 302, Header: http.Header{"Location": {"http://h/a"}}}
	if _, err := new(Store).follow(target{from, true}, resp); err == nil {
		t.Error("followed")
	}
}
