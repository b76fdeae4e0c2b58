package rangeserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clawh5/storage/rangeserver"
)

const text = "0123456789"

func serve(t *testing.T, o rangeserver.Options) *rangeserver.Running {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "served")
	for name, s := range map[string]string{"served/f": text, "served/empty": "", "served/sub/<x>": "x", "secret": "no"} {
		p := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o600); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Symlink("../secret", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	s, err := rangeserver.NewDir(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func ask(t *testing.T, method, url string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

func TestRanges(t *testing.T) {
	s := serve(t, rangeserver.Options{})
	for _, c := range []struct {
		path, rg     string
		status       int
		body, range_ string
	}{
		{"/f", "", 200, text, ""},
		{"/f", "bytes=0-0", 206, "0", "bytes 0-0/10"},
		{"/f", "bytes=3-5", 206, "345", "bytes 3-5/10"},
		{"/f", "bytes=3-", 206, "3456789", "bytes 3-9/10"},
		{"/f", "bytes=8-100", 206, "89", "bytes 8-9/10"},
		{"/f", "bytes=-3", 206, "789", "bytes 7-9/10"},
		{"/f", "bytes=-30", 206, text, "bytes 0-9/10"},
		{"/f", "bytes=10-", 416, "", "bytes */10"},
		{"/f", "bytes=-0", 416, "", "bytes */10"},
		{"/f", "bytes=99999999999999999999-", 200, text, ""},
		{"/f", "bytes=5-3", 200, text, ""},
		{"/f", "bytes=0-1,3-4", 200, text, ""},
		{"/f", "lines=0-1", 200, text, ""},
		{"/f", "bytes=x", 200, text, ""},
		{"/empty", "bytes=0-5", 416, "", "bytes */0"},
		{"/empty", "", 200, "", ""},
	} {
		resp, body := ask(t, "GET", s.URL+c.path, "Range", c.rg)
		if resp.StatusCode != c.status || c.status < 300 && body != c.body || resp.Header.Get("Content-Range") != c.range_ {
			t.Errorf("%s %q: %d %q %q, want %d %q %q", c.path, c.rg, resp.StatusCode, body,
				resp.Header.Get("Content-Range"), c.status, c.body, c.range_)
		}
	}
}

func TestConditions(t *testing.T) {
	s := serve(t, rangeserver.Options{})
	resp, _ := ask(t, "HEAD", s.URL+"/f")
	tag := resp.Header.Get("ETag")
	if !strings.HasPrefix(tag, `"`) || resp.ContentLength != 10 || resp.Header.Get("Last-Modified") == "" {
		t.Fatalf("HEAD: %v", resp.Header)
	}
	for _, c := range []struct {
		name, value string
		status      int
	}{
		{"If-Match", tag, 206}, {"If-Match", `"x", ` + tag, 206}, {"If-Match", "*", 206}, {"If-Match", `"x"`, 412},
		{"If-Match", "W/" + tag, 412}, {"If-None-Match", tag, 304}, {"If-Range", tag, 206}, {"If-Range", `"x"`, 200},
	} {
		if resp, _ := ask(t, "GET", s.URL+"/f", "Range", "bytes=1-2", c.name, c.value); resp.StatusCode != c.status {
			t.Errorf("%s: %s: status %d, want %d", c.name, c.value, resp.StatusCode, c.status)
		}
	}
}

func TestNothingOutsideIsServed(t *testing.T) {
	s := serve(t, rangeserver.Options{})
	for _, p := range []string{"/../secret", "/sub/../../secret", "/%2e%2e/secret", "/sub/..%2f..%2fsecret", "/link", "/nothing", "/sub%00", "/..%5csecret"} {
		resp, body := ask(t, "GET", s.URL+p)
		if resp.StatusCode < 400 || strings.Contains(body, "no\n") && body == "no" {
			t.Errorf("%s: %d %q", p, resp.StatusCode, body)
		}
	}
	if resp, _ := ask(t, "POST", s.URL+"/f"); resp.StatusCode != 405 {
		t.Errorf("POST: %d, want 405", resp.StatusCode)
	}
}

func TestListing(t *testing.T) {
	s := serve(t, rangeserver.Options{})
	_, body := ask(t, "GET", s.URL+"/")
	if !strings.Contains(body, `<a href="./f">f</a> 10`) || !strings.Contains(body, `<a href="./sub/">sub/</a>`) {
		t.Errorf("listing %s", body)
	}
	if resp, _ := ask(t, "GET", s.URL+"/sub"); resp.StatusCode != 301 || resp.Header.Get("Location") != "/sub/" {
		t.Errorf("directory without slash: %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	if _, body := ask(t, "GET", s.URL+"/sub/"); !strings.Contains(body, `<a href="./%3Cx%3E">&lt;x&gt;</a>`) {
		t.Errorf("listing of odd names %s", body)
	}
}

func TestAccountOfRequests(t *testing.T) {
	s := serve(t, rangeserver.Options{Faults: rangeserver.Faults{FailEvery: 3}})
	ask(t, "GET", s.URL+"/f", "Range", "bytes=2-4")
	ask(t, "HEAD", s.URL+"/f")
	if resp, _ := ask(t, "GET", s.URL+"/f"); resp.StatusCode != 503 {
		t.Errorf("third request: %d, want 503", resp.StatusCode)
	}
	_, body := ask(t, "GET", s.URL+"/__stats")
	var st rangeserver.Stats
	if err := json.Unmarshal([]byte(body), &st); err != nil {
		t.Fatal(err)
	}
	if st.Requests != 3 || st.Heads != 1 || st.Ranged != 1 || st.Failed != 1 || st.MaxConcurrent != 1 || st.Connections < 1 {
		t.Errorf("stats %s", body)
	}
	_, body = ask(t, "GET", s.URL+"/__log")
	var log []rangeserver.Request
	if err := json.Unmarshal([]byte(body), &log); err != nil || len(log) != 3 {
		t.Fatalf("log %s: %v", body, err)
	}
	if l := log[0]; l.Range != "bytes=2-4" || l.Status != 206 || l.Bytes != 3 || l.Path != "/f" || l.Method != "GET" {
		t.Errorf("log begins with %+v", l)
	}
	ask(t, "POST", s.URL+"/__reset")
	if st := s.Stats(); st.Requests != 0 || len(s.Log()) != 0 {
		t.Errorf("after /__reset: %+v", st)
	}
	for i := range 3 {
		if resp, _ := ask(t, "GET", s.URL+"/f"); (resp.StatusCode == 503) != (i == 2) {
			t.Errorf("request %d after /__reset: %d", i+1, resp.StatusCode)
		}
	}
}
