// Package object tells what lies at an address: it assembles object headers and
// reads links, attributes and the facts of datasets from their messages.
//
//	file.go       File: superblock extension, shared message table, root
//	header.go     Header: kind, times, comment
//	assembly.go   its first chunk and continuations put together
//	prefetch.go   headers, and what hangs on them, of many objects in few batches
//	message.go    messages of a header, shared ones resolved
//	link.go       links of all three group forms: list, count, look up
//	path.go       paths through hard, soft and external links
//	attribute.go  attributes, in the header or dense
//	dataset.go    type, space, layout, filters, fill value of a dataset
//
// Nothing here reads raw data. Headers are cached decoded; the bodies of their
// messages are decoded when they are asked for, because a listing needs a few
// of each header only.
package object
