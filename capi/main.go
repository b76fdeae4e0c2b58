// Package main is libclawh5: package core behind the functions of clawh5.h.
//
//	go build -buildmode=c-shared -o libclawh5.so ./capi
//
// A call takes this way:
//
//	clawh5_x    shim.c: refuses in a forked child, where entering Go would hang
//	goclawh5_x  Go: looks the handle up, calls core, maps the error
//
// shim.c sees the prototypes of both, and does not compile unless they agree.
// exports.map keeps everything but clawh5_* out of the dynamic symbol table.
//
// Memory of the caller is used during the call only, or, for the destination
// of a started read, until the operation is done.
package main

func main() {}
