package object

import (
	"bytes"
	"context"
	"fmt"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
)

// assembly is a header whose continuations are not all read.
type assembly struct {
	f      *File
	h      *Header
	prefix format.ObjectHeader
	next   int // messages before it have been looked at for continuations
	seen   []uint64
}

// beginHeader reads the first chunk of the header at addr.
func (f *File) beginHeader(ctx context.Context, addr uint64) (*assembly, error) {
	c, err := f.CursorUpTo(ctx, addr, headerGuess, headerKind)
	if err != nil {
		return nil, err
	}
	buf := c.Rest()
	c = cursor.New(buf, f.Offset(addr))
	a := &assembly{f: f}
	if a.prefix, err = format.DecodeObjectHeader(c); err != nil {
		return nil, err
	}
	a.h = newHeader(addr, &a.prefix)
	size, ok := a.prefix.FirstChunkBytes()
	if !ok || size > uint64(f.lim.MaxHeaderBytes) {
		return nil, a.tooLarge()
	}
	if size <= uint64(len(buf)) {
		// A copy, so that the cached header keeps neither the rest of buf nor
		// a whole block of the store alive.
		c = cursor.New(bytes.Clone(buf[:size]), f.Offset(addr))
	} else if c, err = f.copied(ctx, addr, int(size)); err != nil {
		return nil, err
	}
	a.h.cost = int64(size)
	a.h.Messages, err = a.prefix.FirstChunkMessages(c, make([]format.Message, 0, expectedMessages(&a.prefix)))
	if err != nil {
		return nil, err
	}
	return a, a.check()
}

// expectedMessages returns a number of messages to make room for. Version 1
// tells how many there are; a chunk holds one in 8 bytes at most, mostly in 32.
func expectedMessages(p *format.ObjectHeader) int {
	n := 12
	if p.Version == 1 {
		n = int(p.NumMessages)
	}
	return min(n, int(p.ChunkSize/8)+1)
}

// copied returns a cursor over n bytes at addr that the caller owns.
func (f *File) copied(ctx context.Context, addr uint64, n int) (*cursor.Cursor, error) {
	c, err := f.Cursor(ctx, addr, n, headerKind)
	if err != nil {
		return nil, err
	}
	return cursor.New(bytes.Clone(c.Rest()), f.Offset(addr)), nil
}

func newHeader(addr uint64, p *format.ObjectHeader) *Header {
	h := &Header{
		Addr: addr, Version: p.Version, RefCount: p.RefCount,
		OrderTracked: p.TracksAttributeOrder(), OrderIndexed: p.IndexesAttributeOrder(),
	}
	if p.HasTimes {
		h.Times = &Times{int64(p.Access), int64(p.Modified), int64(p.Change), int64(p.Birth)}
	}
	return h
}

// pending returns the continuations that have not been followed.
func (a *assembly) pending() ([]format.Continuation, error) {
	var list []format.Continuation
	for ; a.next < len(a.h.Messages); a.next++ {
		m := &a.h.Messages[a.next]
		if m.Type != format.MsgContinuation {
			continue
		}
		n, err := format.DecodeContinuation(m.Cursor(), a.f.Sizes())
		if err != nil {
			return nil, err
		}
		for _, addr := range a.seen {
			if addr == n.Addr {
				return nil, h5err.At(h5err.Corrupt, headerKind, m.Offset, "two continuations lead to the same block")
			}
		}
		a.seen = append(a.seen, n.Addr)
		list = append(list, n)
	}
	return list, nil
}

// follow reads the continuations that pending has returned.
func (a *assembly) follow(ctx context.Context, list []format.Continuation) error {
	for _, n := range list {
		if n.Length > uint64(a.f.lim.MaxHeaderBytes-a.h.cost) {
			return a.tooLarge()
		}
		c, err := a.f.copied(ctx, n.Addr, int(n.Length))
		if err != nil {
			return err
		}
		a.h.cost += int64(n.Length)
		if a.h.Messages, err = a.prefix.ContinuationMessages(c, a.h.Messages); err != nil {
			return err
		}
		if err := a.check(); err != nil {
			return err
		}
	}
	return nil
}

func (a *assembly) check() error {
	if len(a.h.Messages) > a.f.lim.MaxMessages {
		return h5err.At(h5err.Limit, headerKind, a.f.Offset(a.h.Addr),
			fmt.Sprintf("more than %d messages", a.f.lim.MaxMessages))
	}
	return nil
}

func (a *assembly) tooLarge() error {
	return h5err.At(h5err.Limit, headerKind, a.f.Offset(a.h.Addr),
		fmt.Sprintf("a header of more than %d bytes", a.f.lim.MaxHeaderBytes))
}

// finish follows all continuations and drops what has served.
func (a *assembly) finish(ctx context.Context) (*Header, error) {
	for {
		list, err := a.pending()
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			break
		}
		if err := a.follow(ctx, list); err != nil {
			return nil, err
		}
	}
	h := a.h
	kept := h.Messages[:0]
	for _, m := range h.Messages {
		if !m.Type.Known() {
			if m.Flags&format.FlagFailUnknown != 0 {
				return nil, h5err.At(h5err.Unsupported, headerKind, m.Offset,
					fmt.Sprintf("a message of unknown type %#x, without which the object must not be read", uint16(m.Type)))
			}
		} else if m.Type != format.MsgNil && m.Type != format.MsgContinuation {
			h.present |= 1 << m.Type
			kept = append(kept, m)
		}
	}
	clear(h.Messages[len(kept):])
	h.Messages = kept
	return h, a.refCount()
}

// refCount reads the reference count of version 2 headers, which is a message.
func (a *assembly) refCount() error {
	m := a.h.find(format.MsgRefCount)
	if m == nil || a.h.Version == 1 {
		return nil
	}
	n, err := format.DecodeReferenceCount(m.Cursor(), a.f.Sizes())
	a.h.RefCount = uint32(n)
	return err
}
