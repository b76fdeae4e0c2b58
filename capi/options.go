package main

// #include "export.h"
import "C"

import (
	"math"
	"net/http"
	"net/textproto"
	"strings"
	"time"
	"unsafe"

	"clawh5/core"
	"clawh5/storage/open"
)

const knownOpenFlags = C.CLAWH5_OPEN_FULL_DOWNLOAD | C.CLAWH5_OPEN_EXTERNAL_LINKS | C.CLAWH5_OPEN_EXTERNAL_ANYWHERE |
	C.CLAWH5_OPEN_NO_EXTERNAL

// openOptions copies a caller's options; NULL has the defaults.
func openOptions(p *C.clawh5_copen_options) (store open.Options, file core.Options, err error) {
	if p == nil {
		return store, file, nil
	}
	c, err := sized((*C.clawh5_open_options)(unsafe.Pointer(p)))
	if err != nil {
		return store, file, err
	}
	if unknown := c.flags &^ knownOpenFlags; unknown != 0 {
		return store, file, argument("flags %#x of the options are not known", uint32(unknown))
	}
	timeout := time.Duration(c.timeout_ms) * time.Millisecond
	store = open.Options{
		BlockSize:         bounded(c.block_size),
		CacheBytes:        bounded(c.cache_bytes),
		FirstBlock:        bounded(c.first_block),
		Retries:           bounded32(c.max_retries),
		RetryTime:         timeout,
		Timeout:           timeout,
		AllowFullDownload: c.flags&C.CLAWH5_OPEN_FULL_DOWNLOAD != 0,
		MaxDownload:       bounded(c.max_download),
	}
	file = core.Options{
		ChunkCacheBytes: bounded(c.chunk_cache_bytes),
		MemoryBudget:    bounded(c.memory_budget),
		MaxChunkBytes:   int64(c.max_chunk_mib) << 20,
		Workers:         bounded32(c.workers),
		MaxInFlight:     bounded32(c.max_requests),
	}
	if file.External, err = externalPolicy(c.flags); err != nil {
		return store, file, err
	}
	if c.virtual_view > C.CLAWH5_VIEW_FIRST_MISSING {
		return store, file, argument("virtual_view %d is not known", uint32(c.virtual_view))
	}
	file.View, file.PrintfGap = core.VirtualView(c.virtual_view), uint64(c.virtual_printf_gap)
	if c.expect_identity != nil {
		file.ExpectIdentity = C.GoString(c.expect_identity)
	}
	if c.driver != nil {
		store.Driver = C.GoString(c.driver)
	}
	store.Revision = uint64(c.revision)
	store.Headers, err = httpHeaders(c.headers)
	return store, file, err
}

// externalPolicy says which other files the flags of the options allow.
func externalPolicy(flags C.uint32_t) (core.ExternalPolicy, error) {
	switch flags & (C.CLAWH5_OPEN_EXTERNAL_ANYWHERE | C.CLAWH5_OPEN_NO_EXTERNAL) {
	case C.CLAWH5_OPEN_EXTERNAL_ANYWHERE:
		return core.ExternalAnywhere, nil
	case C.CLAWH5_OPEN_NO_EXTERNAL:
		return core.RefuseExternal, nil
	case C.CLAWH5_OPEN_EXTERNAL_ANYWHERE | C.CLAWH5_OPEN_NO_EXTERNAL:
		return 0, argument("the options allow external files anywhere, and none")
	}
	return core.ExternalBelow, nil
}

func bounded(v C.uint64_t) int64 { return int64(min(uint64(v), math.MaxInt64)) }

func bounded32(v C.uint32_t) int { return int(min(uint32(v), math.MaxInt32)) }

// httpHeaders copies a NULL-terminated list of "Name: value".
func httpHeaders(list **C.char) (http.Header, error) {
	if list == nil {
		return nil, nil
	}
	headers := http.Header{}
	for p := list; *p != nil; p = (**C.char)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(*p))) {
		name, value, ok := strings.Cut(C.GoString(*p), ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(name, " \t\r\n") || strings.ContainsAny(value, "\r\n") {
			return nil, argument("an HTTP header is not of the form \"Name: value\"")
		}
		headers.Add(textproto.CanonicalMIMEHeaderKey(name), value)
	}
	return headers, nil
}
