package core

import "runtime"

// ExternalPolicy says which files an external link may lead to. Schemes and
// hosts are never crossed.
type ExternalPolicy uint8

const (
	RefuseExternal   ExternalPolicy = iota
	ExternalBelow                   // the directory of the opened file, and below
	ExternalAnywhere                // any path of the same scheme and host
)

// Options of a file. The zero value has the defaults.
type Options struct {
	ChunkCacheBytes int64          // decoded chunks kept for repeated reads; default 64 MiB
	MemoryBudget    int64          // bytes a read may use beyond its destination; default 64 MiB
	MaxChunkBytes   int64          // largest decoded chunk; default 4 GiB
	Workers         int            // decoding goroutines of a read; default GOMAXPROCS
	MaxInFlight     int            // requests under way at once; default 16
	External        ExternalPolicy // external links are refused by default
	ExpectIdentity  string         // Changed unless the file has this identity
}

const (
	defaultChunkCache  = 64 << 20
	defaultBudget      = 64 << 20
	defaultMaxChunk    = 4 << 30
	defaultMaxInFlight = 16
)

func (o Options) withDefaults() Options {
	orDefault(&o.ChunkCacheBytes, defaultChunkCache)
	orDefault(&o.MemoryBudget, defaultBudget)
	orDefault(&o.MaxChunkBytes, defaultMaxChunk)
	orDefault(&o.Workers, runtime.GOMAXPROCS(0))
	orDefault(&o.MaxInFlight, defaultMaxInFlight)
	return o
}

func orDefault[T int | int64](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}
