package object

import (
	"context"

	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage"
)

// PrefetchHeaders reads the headers at addrs in few batches: the first chunks of
// all, then their continuations, then those of the continuations. What is wrong
// with a header is left for Header to find.
func (f *File) PrefetchHeaders(ctx context.Context, addrs []uint64) error {
	if !f.prefetches || len(addrs) < 2 {
		return nil
	}
	missing := make([]uint64, 0, len(addrs))
	ranges := make([]storage.Range, 0, len(addrs))
	for _, addr := range addrs {
		if _, ok := meta.Peek[*Header](f.File, addr, headerKind); !ok && addr < f.End() {
			missing = append(missing, addr)
			ranges = append(ranges, storage.Range{Off: int64(addr), Len: headerGuess})
		}
	}
	if err := f.Prefetch(ctx, ranges); err != nil {
		return err
	}
	rest := make([]*assembly, 0, len(missing))
	for _, addr := range missing {
		if a, err := f.beginHeader(ctx, addr); err == nil {
			rest = append(rest, a)
		}
	}
	for len(rest) > 0 {
		var err error
		if rest, err = f.prefetchContinuations(ctx, rest); err != nil {
			return err
		}
	}
	return nil
}

// prefetchContinuations reads the next continuations of all headers, keeps the
// headers that are complete and returns the others.
func (f *File) prefetchContinuations(ctx context.Context, headers []*assembly) ([]*assembly, error) {
	lists := make([][]format.Continuation, len(headers))
	var ranges []storage.Range
	for i, a := range headers {
		list, err := a.pending()
		if err != nil {
			headers[i] = nil
		}
		lists[i] = list
		for _, n := range list {
			if n.Addr < f.End() && n.Length <= uint64(f.lim.MaxHeaderBytes) {
				ranges = append(ranges, storage.Range{Off: int64(n.Addr), Len: int64(n.Length)})
			}
		}
	}
	if err := f.Prefetch(ctx, ranges); err != nil {
		return nil, err
	}
	rest := headers[:0]
	for i, a := range headers {
		switch {
		case a == nil:
		case len(lists[i]) > 0:
			if a.follow(ctx, lists[i]) == nil {
				rest = append(rest, a)
			}
		default:
			_, _ = meta.Cached(ctx, f.File, a.h.Addr, headerKind, (*Header).size, a.finish)
		}
	}
	return rest, nil
}

// PrefetchContents reads in one batch the structures that the messages of
// headers name: trees and heaps of links and attributes, and the headers of
// committed datatypes.
func (f *File) PrefetchContents(ctx context.Context, headers []*Header) error {
	if !f.prefetches {
		return nil
	}
	var ranges []storage.Range
	add := func(addr uint64) {
		if addr < f.End() {
			ranges = append(ranges, storage.Range{Off: int64(addr), Len: headerGuess})
		}
	}
	for _, h := range headers {
		for i := range h.Messages {
			f.contents(&h.Messages[i], add)
		}
	}
	return f.Prefetch(ctx, ranges)
}

func (f *File) contents(m *format.Message, add func(addr uint64)) {
	z := f.Sizes()
	switch {
	case m.Shared():
		if s, err := format.DecodeShared(m.Cursor(), z); err == nil && !s.InHeap {
			add(s.Addr)
		}
	case m.Type == format.MsgSymbolTable:
		if s, err := format.DecodeSymbolTable(m.Cursor(), z); err == nil {
			add(s.BTree)
			add(s.Heap)
		}
	case m.Type == format.MsgLinkInfo:
		if l, err := format.DecodeLinkInfo(m.Cursor(), z); err == nil {
			add(l.Heap)
			add(l.NameTree)
		}
	case m.Type == format.MsgAttributeInfo:
		if a, err := format.DecodeAttributeInfo(m.Cursor(), z); err == nil {
			add(a.Heap)
			add(a.NameTree)
		}
	}
}
