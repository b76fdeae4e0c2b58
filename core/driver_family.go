package core

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/storage/open"
)

// family is what is known of the files of a family before they are opened.
type family struct {
	size int64 // of a member
	end  int64 // of the whole, as its superblock says
	sure bool  // else nothing but names and sizes speaks for a family: they must fit exactly
}

// joinFamily joins the members of a family. alone is what is wrong with the
// first one alone.
func (f *File) joinFamily(ctx context.Context, d format.DriverInfo, alone error) error {
	end := f.objects.StoredEnd()
	if end > math.MaxInt64 {
		return alone
	}
	set := family{size: f.store.Size(), end: int64(end), sure: f.store.Driver() == familyDriver}
	if d.Driver == format.FamilyDriver {
		info, err := format.DecodeFamilyInfo(cursor.New(d.Data, h5err.NoOffset))
		if err != nil {
			return err
		}
		set.size, set.sure = int64(min(info.MemberSize, math.MaxInt64)), true
	}
	for _, pattern := range familyPatterns(f.store) {
		members, err := f.familyMembers(ctx, pattern, set)
		if err == nil {
			err = set.check(ctx, members)
		}
		switch {
		case err == nil:
			return f.joinAll(ctx, members)
		case set.sure && len(members) > 1:
			alone = err
		}
		closeMembers(members[1:])
	}
	return alone
}

// familyPatterns returns the patterns that the name of the first member may be of.
func familyPatterns(s *open.Store) []string {
	name := s.Name()
	if p := s.Pattern(); firstMember(p) == name && name != "" {
		return []string{p}
	}
	var patterns []string
	for _, zeros := range slices.Backward(digits.FindAllStringIndex(name, -1)) {
		if run := name[zeros[0]:zeros[1]]; strings.Trim(run, "0") == "" && !strings.Contains(name, "%") {
			patterns = append(patterns, name[:zeros[0]]+"%0"+strconv.Itoa(len(run))+"d"+name[zeros[1]:])
		}
	}
	return patterns
}

var digits = regexp.MustCompile(`[0-9]+`)

// familyMembers opens the members up to the end of the file.
func (f *File) familyMembers(ctx context.Context, pattern string, set family) ([]open.Member, error) {
	members := []open.Member{{Store: f.store, Len: set.size}}
	for i := 1; int64(i) <= (set.end-1)/set.size; i++ {
		s, err := f.member(ctx, memberName(pattern, i))
		if s == nil || err != nil {
			return members, err
		}
		members = append(members, open.Member{Store: s, Len: set.size})
	}
	return members, nil
}

// check tells whether members make up the whole file.
func (set family) check(ctx context.Context, members []open.Member) error {
	total := int64(0)
	for i, m := range members {
		n := m.Store.Size()
		if n < set.size && i < len(members)-1 || n > set.size && !set.sure {
			return newError(h5err.Corrupt, "%s has %d bytes, the members of its family have %d", m.Store.Location(), n, set.size)
		}
		if i > 0 && !set.sure && beginsFile(ctx, m.Store) {
			return newError(h5err.Corrupt, "%s is a file of its own", m.Store.Location())
		}
		total += min(n, set.size)
	}
	if total < set.end || total > set.end && !set.sure {
		return newError(h5err.Corrupt, "a member of the family is missing or short: %d members have %d bytes, the superblock says %d",
			len(members), total, set.end)
	}
	return nil
}

// beginsFile reports whether a store begins as HDF5 files do, or cannot be read.
func beginsFile(ctx context.Context, s *open.Store) bool {
	v, err := s.View(ctx, 0, int(min(s.Size(), int64(len(format.SuperblockSignature)))))
	return err != nil || string(v) == format.SuperblockSignature
}
