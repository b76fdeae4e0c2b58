// Package chunk finds the chunks of a dataset: which of them exist, where their
// bytes lie, and which filters they went through.
//
//	index.go         Index, Open
//	grid.go          chunk coordinates, boxes of them, numbering
//	btree1.go        version 1 B-tree
//	btree2.go        version 2 B-tree
//	array.go         what fixed and extensible array have in common
//	fixed_array.go   fixed array
//	ext_array.go     extensible array
//	implicit.go      implicit index
//	single.go        single chunk
//
// Coordinates are scaled: in units of chunks. No index is ever read as a whole
// for a part of it, and decoded nodes are kept in the file's cache.
package chunk
