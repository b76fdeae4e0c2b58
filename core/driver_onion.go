package core

import (
	"context"
	"math"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/storage/open"
)

// LatestRevision asks for the newest revision of a file of the onion driver.
const LatestRevision = math.MaxUint64

// maxOnionGap bounds the bytes that neither the original nor a revision has:
// pages that were given out and never written.
const maxOnionGap = 64 << 20

// openRevision opens a revision of a file of the onion driver: the original with
// the pages of the revision in it.
func (f *File) openRevision(ctx context.Context) error {
	pages, err := f.member(ctx, f.store.Name()+".onion")
	if err == nil && pages == nil {
		err = newError(h5err.NotFound, "the file has no revisions: there is no %s.onion", f.store.Name())
	}
	if err != nil {
		return err
	}
	members, err := f.revisionMembers(ctx, pages)
	if err != nil {
		pages.Close()
		return err
	}
	return f.joinAll(ctx, members)
}

func (f *File) revisionMembers(ctx context.Context, pages *open.Store) ([]open.Member, error) {
	read := func(off, n uint64, structure string) (*cursor.Cursor, error) {
		if off > uint64(pages.Size()) || n > uint64(pages.Size())-off {
			return nil, h5err.At(h5err.Corrupt, structure, h5err.NoOffset, "it lies outside of the onion file")
		}
		if n > maxOnionGap {
			return nil, h5err.At(h5err.Limit, structure, int64(off), "it is larger than any revision needs")
		}
		p, err := pages.View(ctx, int64(off), int(n))
		return cursor.New(p, int64(off)), meta.StorageError(err, structure, int64(off))
	}
	c, err := read(0, format.OnionHeaderSize, "onion header")
	if err != nil {
		return nil, err
	}
	h, err := format.DecodeOnionHeader(c)
	if err != nil {
		return nil, err
	}
	if c, err = read(h.HistoryAddr, h.HistorySize, "onion history"); err != nil {
		return nil, err
	}
	revisions, err := format.DecodeOnionHistory(c)
	if err != nil {
		return nil, err
	}
	want := f.store.Revision()
	if want == LatestRevision {
		want = uint64(len(revisions))
	}
	switch {
	case want > uint64(len(revisions)):
		return nil, newError(h5err.NotFound, "revision %d, the file has %d", want, len(revisions))
	case want == 0:
		return []open.Member{{Store: f.store, Len: -1}, {Store: pages}}, nil
	}
	r := revisions[want-1]
	if c, err = read(r.Addr, r.Size, "onion revision record"); err != nil {
		return nil, err
	}
	record, err := format.DecodeOnionRecord(c, &h)
	if err != nil {
		return nil, err
	}
	m := mosaic{original: f.store, size: min(h.OriginEnd, uint64(f.store.Size()))}
	for _, p := range record.Entries {
		if p.Logical >= record.End {
			break
		}
		n := min(uint64(h.PageSize), record.End-p.Logical)
		if _, err := read(p.Physical, n, "onion page"); err != nil {
			return nil, err
		}
		if err := m.until(p.Logical); err != nil {
			return nil, err
		}
		m.add(pages, p.Physical, n)
	}
	err = m.until(record.End)
	// The original comes first also where no part of it is left.
	return append([]open.Member{{Store: f.store}}, m.members...), err
}

// mosaic is a file of pieces of others.
type mosaic struct {
	original *open.Store
	size     uint64 // bytes of it that count
	members  []open.Member
	end      uint64
}

func (m *mosaic) add(s *open.Store, off, n uint64) {
	if last := len(m.members) - 1; last >= 0 {
		if l := &m.members[last]; l.Store == s && uint64(l.Off+l.Len) == off {
			l.Len += int64(n)
			m.end += n
			return
		}
	}
	m.members = append(m.members, open.Member{Store: s, Off: int64(off), Len: int64(n)})
	m.end += n
}

// until adds what the original has up to an offset, and zeros behind its end.
func (m *mosaic) until(off uint64) error {
	if m.end < min(off, m.size) {
		m.add(m.original, m.end, min(off, m.size)-m.end)
	}
	if m.end >= off {
		return nil
	}
	if off-m.end > maxOnionGap {
		return newError(h5err.Limit, "%d bytes that no revision has written, the limit is %d", off-m.end, maxOnionGap)
	}
	m.add(open.Memory(make([]byte, off-m.end)), 0, off-m.end)
	return nil
}
