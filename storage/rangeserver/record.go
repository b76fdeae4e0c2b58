package rangeserver

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Request is one request that was answered.
type Request struct {
	AtMillis float64     `json:"at_ms"` // when it came, since the last reset
	Method   string      `json:"method"`
	Path     string      `json:"path"`
	Range    string      `json:"range"`
	Status   int         `json:"status"` // 0: none was sent
	Bytes    int64       `json:"bytes"`  // of the body
	Millis   float64     `json:"ms"`
	Fault    string      `json:"fault,omitempty"`
	Header   http.Header `json:"-"`
}

// Stats counts requests since the last reset.
type Stats struct {
	Requests      int64   `json:"requests"`
	Heads         int64   `json:"heads"`
	Ranged        int64   `json:"ranged"`
	Bytes         int64   `json:"bytes"`
	Failed        int64   `json:"failed"` // by an injected fault
	MaxConcurrent int64   `json:"max_concurrent"`
	Connections   int64   `json:"connections"`
	ElapsedMillis float64 `json:"elapsed_ms"`
}

// record keeps account of the requests.
type record struct {
	mu     sync.Mutex
	begun  time.Time
	flying int64
	stats  Stats
	log    []Request
}

func (s *record) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun, s.stats, s.log = time.Now(), Stats{}, nil
}

// Reset forgets what was counted and restarts the counts of faults.
func (s *Server) Reset() {
	s.record.reset()
	s.count.Store(0)
}

// Stats returns the counters.
func (s *record) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.stats
	out.ElapsedMillis = millis(time.Since(s.begun))
	return out
}

// Log returns the requests in the order in which their answers ended.
func (s *record) Log() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request{}, s.log...)
}

func (s *record) enter(r *http.Request) *Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying++
	s.stats.MaxConcurrent = max(s.stats.MaxConcurrent, s.flying)
	return &Request{AtMillis: millis(time.Since(s.begun)), Method: r.Method, Path: r.URL.Path,
		Range: r.Header.Get("Range"), Header: r.Header.Clone()}
}

func (s *record) leave(o *Options, e *Request, a *answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying--
	e.Status, e.Bytes, e.Fault = a.status, a.bytes, a.fault
	e.Millis = millis(time.Since(s.begun)) - e.AtMillis
	s.stats.Requests++
	s.stats.Bytes += e.Bytes
	if e.Method == http.MethodHead {
		s.stats.Heads++
	}
	if e.Range != "" {
		s.stats.Ranged++
	}
	if e.Fault != "" {
		s.stats.Failed++
	}
	if len(s.log) < o.LogSize {
		s.log = append(s.log, *e)
	}
	if o.Log != nil {
		fmt.Fprintf(o.Log, "%s %s %s %d %d %.1fms %s\n", e.Method, e.Path, e.Range, e.Status, e.Bytes, e.Millis, e.Fault)
	}
}

func (s *record) connState(_ net.Conn, state http.ConnState) {
	if state == http.StateNew {
		s.mu.Lock()
		s.stats.Connections++
		s.mu.Unlock()
	}
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func writeJSON[T any](w http.ResponseWriter, v T) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) //nolint:errcheck // the client is gone
}
