package object

import (
	"context"

	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
)

// Kind is what an object is.
type Kind int

const (
	KindUnknown Kind = iota
	KindGroup
	KindDataset
	KindDatatype // committed
)

func (k Kind) String() string {
	return [...]string{"object of unknown kind", "group", "dataset", "committed datatype"}[k]
}

// Times are the times of an object, in seconds since 1970-01-01 UTC.
type Times struct {
	Access, Modified, Change, Birth int64
}

// Header is an object header, its chunks put together (spec IV.A.1). It is
// shared and must not be changed.
type Header struct {
	Addr     uint64
	Version  uint8
	RefCount uint32
	Times    *Times // nil if not stored
	Messages []format.Message

	// OrderTracked and OrderIndexed are about the creation order of attributes.
	OrderTracked, OrderIndexed bool

	present uint32 // bit t: a message of type t
	cost    int64
}

const (
	headerKind = "object header"

	// headerGuess is how much is read of a header whose size is not known yet.
	// libhdf5 gives most groups and datasets less.
	headerGuess = 512
)

// Header returns the object header at addr.
func (f *File) Header(ctx context.Context, addr uint64) (*Header, error) {
	return meta.Cached(ctx, f.File, addr, headerKind, (*Header).size,
		func(ctx context.Context) (*Header, error) {
			a, err := f.beginHeader(ctx, addr)
			if err != nil {
				return nil, err
			}
			return a.finish(ctx)
		})
}

func (h *Header) size() int64 { return h.cost + int64(len(h.Messages))*48 }

// Kind returns what the object is. As libhdf5 does, the messages that only a
// group has decide first.
func (h *Header) Kind() Kind {
	switch {
	case h.has(format.MsgSymbolTable) || h.has(format.MsgLinkInfo):
		return KindGroup
	case h.has(format.MsgDatatype) && h.has(format.MsgDataspace):
		return KindDataset
	case h.has(format.MsgDatatype):
		return KindDatatype
	}
	return KindUnknown
}

// Comment returns the comment of the object, or "".
func (h *Header) Comment() string {
	m := h.find(format.MsgComment)
	if m == nil {
		return ""
	}
	c, err := format.DecodeComment(m.Cursor(), format.Sizes{})
	if err != nil {
		return ""
	}
	return string(c)
}

// ModTime returns when the object was changed, and whether the file tells.
func (h *Header) ModTime() (int64, bool) {
	if h.Times != nil {
		return h.Times.Modified, true
	}
	for _, tell := range [...]struct {
		t      format.MessageType
		decode func(*cursor.Cursor, format.Sizes) (format.ModificationTime, error)
	}{
		{format.MsgModTime, format.DecodeModificationTime},
		{format.MsgModTimeOld, format.DecodeModificationTimeOld},
	} {
		if m := h.find(tell.t); m != nil {
			if t, err := tell.decode(m.Cursor(), format.Sizes{}); err == nil {
				return int64(t), true
			}
		}
	}
	return 0, false
}

func (h *Header) has(t format.MessageType) bool { return h.present&(1<<t) != 0 }

// find returns the first message of a type, or nil.
func (h *Header) find(t format.MessageType) *format.Message {
	if h.has(t) {
		for i := range h.Messages {
			if h.Messages[i].Type == t {
				return &h.Messages[i]
			}
		}
	}
	return nil
}
