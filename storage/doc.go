// Package storage is the lowest layer: bytes by range, of objects that do not
// change while they are read.
//
// The root package holds the interfaces, their errors and a few pure helpers.
// Each store and each wrapper is a package of its own:
//
//	filestore    a local file through pread
//	memstore     bytes in memory
//	httpstore    an object behind an HTTP(S) server that answers range requests
//	blockcache   immutable blocks of any Reader, with read-ahead and prefetch
//	tracestore   counts and records what goes to a Reader
//	open         location (path or URL) -> the stack of the above that fits it
//	rangeserver  serves a directory with byte ranges, and with faults for tests
//	storagetest  the suite every store passes, and a wrapper that injects faults
//
// Nothing here knows what the bytes mean.
package storage
