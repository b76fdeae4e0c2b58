// Package meta fetches and walks the metadata of a file by address: it knows
// where a structure's bytes are and how they hang together, and leaves what one
// structure's bytes mean to format and what an object is to object.
//
//	file.go           File: superblock, bytes at an address, prefetch
//	cache.go          decoded structures by address, one load each
//	local_heap.go     names of old-style groups
//	symbol_table.go   old-style groups: version 1 B-tree of symbol table nodes
//	btree_v2.go       version 2 B-trees: walk, range, lookup
//	fractal_heap.go   heap ID -> bytes; fractal_heap_{huge,prefetch}.go
//	global_heap.go    global heap ID -> bytes
//	sohm.go           table of shared object header messages
//
// Addresses are relative to the place where the superblock was found; cursors
// and errors carry absolute offsets. Trees are walked a level at a time: the
// nodes of the next level are named to the store in one batch before the first
// of them is decoded. Levels must fall by one from parent to child and visits
// are counted, so that no file keeps a walk from ending.
package meta
