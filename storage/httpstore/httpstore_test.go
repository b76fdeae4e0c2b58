package httpstore_test

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"clawh5/storage"
	"clawh5/storage/httpstore"
	"clawh5/storage/rangeserver"
	"clawh5/storage/storagetest"
)

// serve serves content as /data.
func serve(t *testing.T, content []byte, f rangeserver.Faults) *rangeserver.Running {
	t.Helper()
	files := fstest.MapFS{"data": {Data: content, ModTime: time.Unix(1e9, 0)}}
	r, err := rangeserver.New(files, rangeserver.Options{Faults: f}).Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// quick are options with little patience.
func quick() httpstore.Options {
	return httpstore.Options{Backoff: time.Millisecond, FirstBlock: 4096, Retries: 20}
}

func open(t *testing.T, url string, o httpstore.Options) *httpstore.Store {
	t.Helper()
	s, err := httpstore.Open(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSuite(t *testing.T) {
	servers := map[string]rangeserver.Faults{
		"sound":             {},
		"no version at all": {NoETag: true, NoLastModified: true},
		"cut bodies":        {CutEvery: 3},
		"resets":            {ResetEvery: 3},
		"failing and cut":   {CutEvery: 3, FailEvery: 4, NoETag: true},
	}
	for name, f := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storagetest.Run(t, func(t *testing.T, content []byte) storage.Reader {
				return open(t, serve(t, content, f).URL+"/data", quick())
			})
		})
	}
	t.Run("full download", func(t *testing.T) {
		t.Parallel()
		storagetest.Run(t, func(t *testing.T, content []byte) storage.Reader {
			o := quick()
			o.AllowFullDownload = true
			return open(t, serve(t, content, rangeserver.Faults{NoRange: true, CutEvery: 2}).URL+"/data", o)
		})
	})
}
