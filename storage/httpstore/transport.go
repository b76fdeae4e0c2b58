//go:build !js

package httpstore

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// sharedTransport serves all stores, so that files of one host share their
// connections. It speaks HTTP/1.1 only: parallel connections carry more than
// the streams of one.
var sharedTransport http.RoundTripper = &http.Transport{
	Proxy:                  http.ProxyFromEnvironment,
	DialContext:            (&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
	TLSHandshakeTimeout:    15 * time.Second,
	MaxIdleConns:           256,
	MaxIdleConnsPerHost:    64,
	IdleConnTimeout:        90 * time.Second,
	MaxResponseHeaderBytes: 256 << 10,
	DisableCompression:     true,
	ReadBufferSize:         16 << 10,
	TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
}
