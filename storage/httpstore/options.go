package httpstore

import (
	"net/http"
	"time"
)

// Options configures a Store. Zero values mean the defaults.
type Options struct {
	// Header is sent with every request to the host of the URL and to no
	// other. Range, conditional and encoding headers in it are ignored.
	Header    http.Header
	UserAgent string

	FirstBlock  int64 // bytes asked for by Open, 1 MiB
	MaxRequests int   // at once, 16

	Retries   int           // of one read after failures, 5; negative: none
	RetryTime time.Duration // no retry begins later than this after the read, 60 s
	Backoff   time.Duration // before the first retry, 100 ms; doubles, with jitter
	Timeout   time.Duration // without a byte from the server, 30 s

	// AllowFullDownload lets Open take the whole object into memory, up to
	// MaxDownload bytes (256 MiB), where the server does not answer ranges.
	AllowFullDownload bool
	MaxDownload       int64

	// Transport replaces the one that all stores share.
	Transport http.RoundTripper
}

const (
	defaultFirstBlock  = 1 << 20
	defaultMaxRequests = 16
	defaultRetries     = 5
	defaultRetryTime   = time.Minute
	defaultBackoff     = 100 * time.Millisecond
	defaultTimeout     = 30 * time.Second
	defaultMaxDownload = 256 << 20
	defaultUserAgent   = "clawh5"

	maxFirstBlock = 64 << 20
	maxRedirects  = 5
	maxBackoff    = 10 * time.Second
	maxRetryAfter = 30 * time.Second

	// slowestRate bounds a request that drips: it may take Timeout and its
	// length at this rate. What had arrived is kept for the retry.
	slowestRate = 16 << 10
)

func orDefault[T int | int64 | time.Duration](v *T, def T) {
	if *v == 0 {
		*v = def
	}
	*v = max(*v, 0)
}

func (o *Options) complete() {
	orDefault(&o.FirstBlock, defaultFirstBlock)
	orDefault(&o.MaxRequests, defaultMaxRequests)
	orDefault(&o.Retries, defaultRetries)
	orDefault(&o.RetryTime, defaultRetryTime)
	orDefault(&o.Backoff, defaultBackoff)
	orDefault(&o.Timeout, defaultTimeout)
	orDefault(&o.MaxDownload, defaultMaxDownload)
	o.FirstBlock = min(max(o.FirstBlock, 1), maxFirstBlock)
	o.MaxRequests = max(o.MaxRequests, 1)
	if o.UserAgent == "" {
		o.UserAgent = defaultUserAgent
	}
	if o.Transport == nil {
		o.Transport = sharedTransport
	}
}
