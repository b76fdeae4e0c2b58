package open

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"

	"clawh5/storage"
)

// Member is a part of one of several objects that make up one.
type Member struct {
	Store *Store
	Off   int64 // where the part begins
	Len   int64 // how many bytes count, if there are as many; negative: all
}

// Join makes one Store of the bytes of members, one behind the other. It closes
// them with itself. A Store may come several times.
func Join(members []Member) (*Store, error) {
	j, known := &joined{}, map[*Store]bool{}
	sum := sha256.New()
	for _, m := range members {
		n := m.Store.Size() - m.Off
		if m.Off < 0 || n < 0 {
			return nil, storage.CheckRange(m.Store.Location(), m.Store.Size(), m.Off, 1)
		}
		if m.Len >= 0 {
			n = min(n, m.Len)
		}
		if n > math.MaxInt64-j.size {
			return nil, &storage.Error{Location: m.Store.Location(), Op: "open",
				Err: fmt.Errorf("%w: all members together are larger than any file", storage.ErrOutOfRange)}
		}
		fmt.Fprintf(sum, "%d %d %s\n", m.Off, n, m.Store.Identity())
		if n > 0 {
			j.parts = append(j.parts, part{j.size, n, m.Off, m.Store})
		}
		if !known[m.Store] {
			known[m.Store] = true
			j.members = append(j.members, m.Store)
		}
		j.size += n
	}
	j.identity = joinedIdentity + hex.EncodeToString(sum.Sum(nil)[:16])
	first := members[0].Store
	return &Store{meta: j, direct: &direct{inner: directJoined{j}}, source: j,
		location: first.location, path: first.path, url: first.url, options: first.options, joined: j}, nil
}

const joinedIdentity = "joined:"

// IsJoinedIdentity reports whether an identity is that of a joined store.
func IsJoinedIdentity(identity string) bool { return strings.HasPrefix(identity, joinedIdentity) }

// part is the part of the whole that a member has.
type part struct {
	off, n int64 // in the whole
	at     int64 // in the store
	store  *Store
}

// joined is metadata that reads through the caches of the members.
type joined struct {
	parts    []part // that are not empty, in their order
	members  []*Store
	size     int64
	identity string
}

// find returns the index of the part with the byte at off; behind the last one
// if there is none.
func (j *joined) find(off int64) int {
	return sort.Search(len(j.parts), func(i int) bool { return j.parts[i].off+j.parts[i].n > off })
}

// each calls f for the stretches of [off, off+n) in the members; done counts
// the bytes before.
func (j *joined) each(off, n int64, f func(p *part, at, n, done int64) error) error {
	if err := storage.CheckRange(j.members[0].Location(), j.size, off, n); err != nil {
		return err
	}
	first := j.find(off)
	for done, i := int64(0), first; done < n; i++ {
		p := &j.parts[i]
		at := off + done - p.off
		most := min(p.n-at, n-done)
		if err := f(p, p.at+at, most, done); err != nil {
			return err
		}
		done += most
	}
	return nil
}

func (j *joined) ReadAt(ctx context.Context, buf []byte, off int64) error {
	return j.each(off, int64(len(buf)), func(p *part, at, n, done int64) error {
		return p.store.ReadAt(ctx, buf[done:done+n], at)
	})
}

func (j *joined) ReadRanges(ctx context.Context, spans []storage.Span) error {
	return j.readRanges(ctx, spans, func(s *Store) storage.RangeReader { return s })
}

// readRanges gives each member its spans in one batch.
func (j *joined) readRanges(ctx context.Context, spans []storage.Span, way func(*Store) storage.RangeReader) error {
	byStore := map[*Store][]storage.Span{}
	for _, s := range spans {
		err := j.each(s.Off, int64(len(s.P)), func(p *part, at, n, done int64) error {
			byStore[p.store] = append(byStore[p.store], storage.Span{Off: at, P: s.P[done : done+n]})
			return nil
		})
		if err != nil {
			return err
		}
	}
	for store, own := range byStore {
		if err := way(store).ReadRanges(ctx, own); err != nil {
			return err
		}
	}
	return nil
}

// within returns the part that has all of a range, nil if there is none.
func (j *joined) within(off, n int64) *part {
	if i := j.find(off); off >= 0 && i < len(j.parts) {
		if p := &j.parts[i]; n <= p.off+p.n-off {
			return p
		}
	}
	return nil
}

func (j *joined) View(ctx context.Context, off int64, n int) ([]byte, error) {
	if err := storage.CheckRange(j.members[0].Location(), j.size, off, int64(n)); err != nil {
		return nil, err
	}
	if p := j.within(off, int64(n)); p != nil {
		return p.store.View(ctx, p.at+off-p.off, n)
	}
	buf := make([]byte, n)
	return buf, j.ReadAt(ctx, buf, off)
}

func (j *joined) TryView(off int64, n int) ([]byte, bool) {
	p := j.within(off, int64(n))
	if p == nil || n < 0 {
		return nil, false
	}
	return p.store.TryView(p.at+off-p.off, n)
}

func (j *joined) Contains(off, n int64) bool {
	return j.each(off, n, func(p *part, at, n, _ int64) error {
		if !p.store.Contains(at, n) {
			return storage.ErrUnavailable
		}
		return nil
	}) == nil
}

func (j *joined) Prefetch(ctx context.Context, ranges []storage.Range) error {
	byStore := map[*Store][]storage.Range{}
	for _, r := range ranges {
		if r.Off < 0 || r.Len <= 0 || r.Off >= j.size {
			continue
		}
		j.each(r.Off, min(r.Len, j.size-r.Off), func(p *part, at, n, _ int64) error {
			byStore[p.store] = append(byStore[p.store], storage.Range{Off: at, Len: n})
			return nil
		})
	}
	for store, own := range byStore {
		if err := store.Prefetch(ctx, own); err != nil {
			return err
		}
	}
	return nil
}

// SetPageSize does nothing: the pages of the whole are not those of a member.
func (j *joined) SetPageSize(int64) {}

func (j *joined) Size() int64      { return j.size }
func (j *joined) Identity() string { return j.identity }

func (j *joined) Stats() storage.Stats {
	var sum storage.Stats
	for _, s := range j.members {
		sum = sum.Add(s.Stats())
	}
	return sum
}

func (j *joined) Close() error {
	var err error
	for _, s := range j.members {
		err = errors.Join(err, s.Close())
	}
	return err
}

// directJoined reads past the caches of the members.
type directJoined struct{ *joined }

func (d directJoined) ReadAt(ctx context.Context, buf []byte, off int64) error {
	return d.each(off, int64(len(buf)), func(p *part, at, n, done int64) error {
		return p.store.direct.ReadAt(ctx, buf[done:done+n], at)
	})
}

func (d directJoined) ReadRanges(ctx context.Context, spans []storage.Span) error {
	return d.readRanges(ctx, spans, func(s *Store) storage.RangeReader { return s.direct })
}

// Members returns the locations of the objects that the store is made of; none
// for a single one.
func (s *Store) Members() []string {
	if s.joined == nil {
		return nil
	}
	locations := make([]string, len(s.joined.members))
	for i, m := range s.joined.members {
		locations[i] = m.Location()
	}
	return locations
}
