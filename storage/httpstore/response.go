package httpstore

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"clawh5/storage"
)

// identity is what a server says about the version of an object.
type identity struct {
	etag     string // strong
	weak     string // weak ETag, where there is no strong one
	modified string
}

func identityOf(h http.Header) identity {
	id := identity{modified: h.Get("Last-Modified")}
	if tag := h.Get("Etag"); strings.HasPrefix(tag, "W/") {
		id.weak = tag
	} else {
		id.etag = tag
	}
	return id
}

func (id identity) text(size int64) string {
	switch {
	case id.etag != "":
		return fmt.Sprintf("etag:%s-%d", id.etag, size)
	case id != identity{}:
		return fmt.Sprintf("http:%s%s-%d", id.weak, id.modified, size)
	}
	return ""
}

// matches reports that an answer is of the version of id. A strong ETag
// decides alone: mirrors of one version may differ in their dates.
func (id identity) matches(h http.Header) bool {
	got := identityOf(h)
	if id.etag != "" {
		return got.etag == id.etag
	}
	return got == id
}

// contentRange is the header of that name: bytes first-last/total, or bytes
// */total where the range was not satisfied; total is -1 if unknown.
type contentRange struct {
	first, last, total int64
	unsatisfied        bool
}

func parseContentRange(s string) (contentRange, bool) {
	unit, rest, _ := strings.Cut(s, " ")
	part, total, ok := strings.Cut(strings.TrimSpace(rest), "/")
	if !ok || !strings.EqualFold(unit, "bytes") {
		return contentRange{}, false
	}
	cr := contentRange{total: -1, unsatisfied: part == "*"}
	if total != "*" {
		if cr.total, ok = decimal(total); !ok {
			return contentRange{}, false
		}
	}
	if cr.unsatisfied {
		return cr, cr.total >= 0
	}
	first, last, ok := strings.Cut(part, "-")
	var ok1, ok2 bool
	cr.first, ok1 = decimal(first)
	cr.last, ok2 = decimal(last)
	inside := cr.first <= cr.last && cr.last < math.MaxInt64 && (cr.total < 0 || cr.last < cr.total)
	return cr, ok && ok1 && ok2 && inside
}

// decimal parses digits and nothing else.
func decimal(s string) (int64, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	v, err := strconv.ParseInt(s, 10, 64)
	return v, err == nil
}

// verify accepts exactly the answer to a request for n bytes at off of the
// object that was opened.
func (s *Store) verify(resp *http.Response, off, n int64) error {
	changed := &failure{status: resp.StatusCode, kind: storage.ErrChanged}
	cr, ok := parseContentRange(resp.Header.Get("Content-Range"))
	switch resp.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK:
		if !s.identity.matches(resp.Header) {
			return changed
		}
		return &failure{status: resp.StatusCode, kind: storage.ErrNoRanges, detail: "it did when the object was opened"}
	case http.StatusRequestedRangeNotSatisfiable:
		if ok && cr.total >= 0 && cr.total != s.size {
			return changed
		}
		return &failure{status: resp.StatusCode, kind: storage.ErrUnavailable, detail: "range inside the object refused"}
	default:
		return statusFailure(resp)
	}
	switch {
	case !s.identity.matches(resp.Header):
		return changed
	case encoded(resp) != nil:
		return encoded(resp)
	case !ok || cr.unsatisfied:
		return wrongRange(resp)
	case cr.total >= 0 && cr.total != s.size:
		return changed
	case cr.first != off || cr.last != off+n-1 || cr.total < 0 && s.identity.etag == "":
		return wrongRange(resp)
	case resp.ContentLength >= 0 && resp.ContentLength != n:
		return wrongLength(resp)
	}
	return nil
}

// encoded refuses a body that is not the bytes themselves.
func encoded(resp *http.Response) error {
	e := resp.Header.Get("Content-Encoding")
	if e == "" || strings.EqualFold(e, "identity") || resp.StatusCode >= 300 {
		return nil
	}
	return &failure{status: resp.StatusCode, kind: storage.ErrUnavailable,
		detail: fmt.Sprintf("server sends encoded bytes (%q) though it was asked not to", e)}
}

func wrongRange(resp *http.Response) error {
	return &failure{status: resp.StatusCode, kind: storage.ErrUnavailable,
		detail: fmt.Sprintf("server answered another range (%q)", resp.Header.Get("Content-Range"))}
}

func wrongLength(resp *http.Response) error {
	return &failure{status: resp.StatusCode, kind: storage.ErrUnavailable,
		detail: "body is not as long as its range"}
}
