package httpstore

import "net/http"

// sharedTransport goes through the fetch function of the JavaScript host,
// which a Transport does as long as it has no way of its own to dial.
var sharedTransport http.RoundTripper = &http.Transport{}
