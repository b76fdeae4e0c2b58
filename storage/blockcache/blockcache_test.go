package blockcache_test

import (
	"testing"

	"clawh5/storage"
	"clawh5/storage/blockcache"
	"clawh5/storage/memstore"
	"clawh5/storage/storagetest"
)

func TestSuite(t *testing.T) {
	variants := map[string]blockcache.Options{
		"default":      {},
		"local":        {Local: true},
		"small blocks": {BlockSize: 512, WholeFile: -1, Gap: 1024, MaxFetch: 8192},
		"tiny memory":  {BlockSize: 512, WholeFile: -1, Capacity: 16 << 10},
		"blocks only":  {BlockSize: 4096, WholeFile: -1, Gap: -1, MaxFetch: 4096},
	}
	for name, o := range variants {
		t.Run(name, func(t *testing.T) {
			storagetest.Run(t, func(t *testing.T, content []byte) storage.Reader {
				return blockcache.New(memstore.New(content), o)
			})
		})
		t.Run(name+" with head", func(t *testing.T) {
			storagetest.Run(t, func(t *testing.T, content []byte) storage.Reader {
				o.Head = content[:min(len(content), 9000)]
				return blockcache.New(memstore.New(content), o)
			})
		})
	}
}
