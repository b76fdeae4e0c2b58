package core

import "runtime"

// ExternalPolicy says which files a file may lead to: by external links, as
// sources of virtual datasets, and as external raw files. Schemes and hosts are
// never crossed.
type ExternalPolicy uint8

const (
	ExternalBelow    ExternalPolicy = iota // the directory of the file that leads there, and below
	ExternalAnywhere                       // any path of the same scheme and host
	RefuseExternal                         // none
)

// VirtualView says how far a virtual dataset with an unlimited dimension goes.
// The numbers are part of the C ABI.
type VirtualView uint8

const (
	LastAvailable VirtualView = 1 // to the end of the longest source; the default, also as 0
	FirstMissing  VirtualView = 2 // to where the first source ends
)

// Options of a file. The zero value has the defaults.
type Options struct {
	ChunkCacheBytes int64          // decoded chunks kept for repeated reads; default 64 MiB
	MemoryBudget    int64          // bytes a read may use beyond its destination; default 64 MiB
	MaxChunkBytes   int64          // largest decoded chunk; default 4 GiB
	Workers         int            // decoding goroutines of a read; default GOMAXPROCS
	MaxInFlight     int            // requests under way at once; default 16
	External        ExternalPolicy // other files that this one leads to
	ExpectIdentity  string         // Changed unless the file has this identity

	// MarkNull tells sequences and strings of variable length that are NULL from
	// empty ones: their slots have the offset NullOffset. Values cannot be
	// rendered then.
	MarkNull bool

	View      VirtualView // of virtual datasets with an unlimited dimension
	PrintfGap uint64      // missing sources in a row that do not end a virtual dataset, with LastAvailable

	// VirtualPrefix is a directory in which the files of virtual datasets are
	// looked for first, as libhdf5 does with HDF5_VDS_PREFIX. "${ORIGIN}" at its
	// beginning is the directory of the file with the dataset.
	VirtualPrefix string
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
