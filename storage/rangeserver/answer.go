package rangeserver

import (
	"context"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// answer writes one response and counts it.
type answer struct {
	http.ResponseWriter
	o      *Options
	ctx    context.Context
	n      int // number of the request, for faults
	status int
	bytes  int64
	fault  string
}

func (a *answer) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// byteRange is [first, first+n) of a file.
type byteRange struct{ first, n int64 }

func (a *answer) serveFile(r *http.Request, f fs.File, info fs.FileInfo) {
	body, ok := f.(io.ReadSeeker)
	if !ok {
		http.Error(a, "file cannot be read by range", http.StatusInternalServerError)
		return
	}
	size := info.Size()
	tag, modified := a.version(info)
	h := a.Header()
	h.Set("Content-Type", "application/octet-stream")
	if !a.o.NoRange {
		h.Set("Accept-Ranges", "bytes")
	}
	if !a.o.NoETag {
		h.Set("ETag", tag)
	}
	if !a.o.NoLastModified {
		h.Set("Last-Modified", modified)
	}
	if a.o.GzipLie {
		h.Set("Content-Encoding", "gzip")
	}
	if m := r.Header.Get("If-Match"); m != "" && !a.o.IgnoreIfMatch && !matches(m, tag) {
		http.Error(a, "changed", http.StatusPreconditionFailed)
		return
	}
	if m := r.Header.Get("If-None-Match"); m != "" && matches(m, tag) {
		a.WriteHeader(http.StatusNotModified)
		return
	}
	rg, ranged, ok := parseRange(r.Header.Get("Range"), size)
	if ir := r.Header.Get("If-Range"); a.o.NoRange || ir != "" && ir != tag && ir != modified {
		rg, ranged, ok = byteRange{0, size}, false, true
	}
	if !ok {
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		h.Del("ETag")
		http.Error(a, "no such range", http.StatusRequestedRangeNotSatisfiable)
		return
	}
	a.sendRange(r, body, rg, ranged, size)
}

// version is the ETag and the date of a file, as they are after the requests
// so far.
func (a *answer) version(info fs.FileInfo) (tag, modified string) {
	t := info.ModTime()
	if n := a.o.ETagChangeAfter; n > 0 && a.n > n {
		t = t.Add(time.Hour)
	}
	tag = fmt.Sprintf(`"%x-%x"`, info.Size(), t.UnixNano())
	if a.o.WeakETag {
		tag = "W/" + tag
	}
	return tag, t.UTC().Format(http.TimeFormat)
}

// matches reports that a list of ETags names tag, or anything.
func matches(list, tag string) bool {
	for t := range strings.SplitSeq(list, ",") {
		if t = strings.TrimSpace(t); t == "*" || t == tag && !strings.HasPrefix(t, "W/") {
			return true
		}
	}
	return false
}

// parseRange reads a Range header. Without one, with one it does not
// understand or with several ranges it is the whole file, as the standard has
// it; not ok means that no byte of the file is asked for.
func parseRange(header string, size int64) (r byteRange, ranged, ok bool) {
	whole := byteRange{0, size}
	spec, found := strings.CutPrefix(header, "bytes=")
	if !found || strings.Contains(spec, ",") {
		return whole, false, true
	}
	from, to, found := strings.Cut(strings.TrimSpace(spec), "-")
	if !found {
		return whole, false, true
	}
	if from == "" {
		n, err := strconv.ParseUint(to, 10, 63)
		if err != nil {
			return whole, false, true
		}
		n = min(n, uint64(size))
		return byteRange{size - int64(n), int64(n)}, true, n > 0
	}
	first, err := strconv.ParseUint(from, 10, 63)
	if err != nil {
		return whole, false, true
	}
	last := uint64(max(size-1, 0))
	if to != "" {
		v, err := strconv.ParseUint(to, 10, 63)
		if err != nil || v < first {
			return whole, false, true
		}
		last = min(last, v)
	}
	if first >= uint64(size) {
		return byteRange{}, true, false
	}
	return byteRange{int64(first), int64(last - first + 1)}, true, true
}

func (a *answer) sendRange(r *http.Request, body io.ReadSeeker, rg byteRange, ranged bool, size int64) {
	h := a.Header()
	if a.o.WrongRange && ranged && rg.first+rg.n < size {
		rg.first++
	}
	status := http.StatusOK
	if ranged {
		status = http.StatusPartialContent
		said := rg
		if a.o.WrongRangeLie && said.first+said.n < size {
			said.first++
		}
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", said.first, said.first+said.n-1, size))
	}
	if !a.o.LongBody {
		h.Set("Content-Length", strconv.FormatInt(rg.n, 10))
	}
	a.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	if a.o.Stall {
		a.flush()
		<-a.ctx.Done()
		return
	}
	if _, err := body.Seek(rg.first, io.SeekStart); err != nil {
		panic(http.ErrAbortHandler)
	}
	n := rg.n
	if every(a.o.CutEvery, a.n) {
		a.fault = "cut"
		n /= 2
	}
	if !a.copyPaced(body, n) || a.fault == "cut" {
		a.flush()
		panic(http.ErrAbortHandler)
	}
	if a.o.LongBody {
		a.Write([]byte{0}) //nolint:errcheck // the fault is the point
	}
}

func (a *answer) flush() {
	if f, ok := a.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// copyPaced sends n bytes at the bandwidth of the options.
func (a *answer) copyPaced(body io.Reader, n int64) bool {
	piece, pause := int64(256<<10), time.Duration(0)
	if a.o.Bandwidth > 0 {
		piece = min(max(a.o.Bandwidth/500, 4<<10), piece)
	}
	if a.o.Drip > 0 {
		piece, pause = int64(max(a.o.DripBytes, 1)), a.o.Drip
	}
	start := time.Now()
	for sent := int64(0); sent < n; {
		m, err := io.CopyN(a, body, min(piece, n-sent))
		sent += m
		if err != nil {
			return false
		}
		if a.o.Bandwidth > 0 {
			due := time.Duration(float64(sent) / float64(a.o.Bandwidth) * float64(time.Second))
			pause = max(pause, due-time.Since(start))
		}
		if pause > 0 {
			a.flush()
			if !sleep(a.ctx, pause) {
				return false
			}
			pause = a.o.Drip
		}
	}
	return true
}

func listItem(e fs.DirEntry) string {
	name := e.Name()
	if e.IsDir() {
		name += "/"
	}
	size := ""
	if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
		size = fmt.Sprintf(" %d", info.Size())
	}
	link := (&url.URL{Path: "./" + name}).String()
	return fmt.Sprintf("<li><a href=\"%s\">%s</a>%s\n", html.EscapeString(link), html.EscapeString(name), size)
}
