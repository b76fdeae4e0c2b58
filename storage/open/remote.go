package open

import (
	"context"
	"net/url"
	"time"

	"clawh5/storage/blockcache"
	"clawh5/storage/httpstore"
	"clawh5/storage/memstore"
)

func openHTTP(ctx context.Context, location string, o Options) (*Store, error) {
	start := time.Now()
	h, err := httpstore.Open(ctx, location, httpstore.Options{
		Header: o.Headers, UserAgent: o.UserAgent, FirstBlock: o.FirstBlock, MaxRequests: o.MaxRequests,
		Retries: o.Retries, RetryTime: o.RetryTime, Timeout: o.Timeout,
		AllowFullDownload: o.AllowFullDownload, MaxDownload: o.MaxDownload,
	})
	if err != nil {
		return nil, err
	}
	head := h.Head()
	var s *Store
	if whole := h.Whole(); whole != nil {
		s = newStore(h, o, blockcache.Options{Local: true})
		s.meta = downloaded{memory{memstore.New(whole)}, h}
	} else {
		s = newStore(h, o, blockcache.Options{Head: head})
	}
	s.trace.Record(0, int64(len(head)), start)
	s.location = h.Location()
	s.url, err = url.Parse(location)
	return s, err
}

// downloaded is an object that came whole: its bytes lie in memory, its
// identity is that of the server's object.
type downloaded struct {
	memory
	store *httpstore.Store
}

func (d downloaded) Identity() string { return d.store.Identity() }

func (d downloaded) Close() error {
	d.memory.Close()
	return d.store.Close()
}
