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

// revisionMembers returns the pieces of the revision that is asked for.
func (f *File) revisionMembers(ctx context.Context, pages *open.Store) ([]open.Member, error) {
	onion := pageFile{pages}
	c, err := onion.read(ctx, 0, format.OnionHeaderSize, "onion header")
	if err != nil {
		return nil, err
	}
	h, err := format.DecodeOnionHeader(c)
	if err != nil {
		return nil, err
	}
	if c, err = onion.read(ctx, h.HistoryAddr, h.HistorySize, "onion history"); err != nil {
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
	if c, err = onion.read(ctx, r.Addr, r.Size, "onion revision record"); err != nil {
		return nil, err
	}
	record, err := format.DecodeOnionRecord(c, &h)
	if err != nil {
		return nil, err
	}
	m := mosaic{original: f.store, size: min(h.OriginEnd, uint64(f.store.Size()))}
	err = m.addPages(onion, &record, uint64(h.PageSize))
	// The original comes first also where no part of it is left.
	return append([]open.Member{{Store: f.store}}, m.members...), err
}

// pageFile is the file with the pages.
type pageFile struct{ store *open.Store }

// check refuses a structure that does not lie in the file.
func (o pageFile) check(off, n uint64, structure string) error {
	if size := uint64(o.store.Size()); off > size || n > size-off {
		return h5err.At(h5err.Corrupt, structure, h5err.NoOffset, "it lies outside of the onion file")
	}
	return nil
}

func (o pageFile) read(ctx context.Context, off, n uint64, structure string) (*cursor.Cursor, error) {
	if err := o.check(off, n, structure); err != nil {
		return nil, err
	}
	if n > maxOnionGap {
		return nil, h5err.At(h5err.Limit, structure, int64(off), "it is larger than any revision needs")
	}
	p, err := o.store.View(ctx, int64(off), int(n))
	return cursor.New(p, int64(off)), meta.StorageError(err, structure, int64(off))
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

// addPages adds the pages of a revision, and around them what the original has.
func (m *mosaic) addPages(onion pageFile, record *format.OnionRecord, pageSize uint64) error {
	for _, p := range record.Entries {
		if p.Logical >= record.End {
			break
		}
		n := min(pageSize, record.End-p.Logical)
		if err := onion.check(p.Physical, n, "onion page"); err != nil {
			return err
		}
		if err := m.until(p.Logical); err != nil {
			return err
		}
		m.add(onion.store, p.Physical, n)
	}
	return m.until(record.End)
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
