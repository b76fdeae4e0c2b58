package core

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"clawh5/core/h5err"
	"clawh5/core/internal/cursor"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/core/internal/plan"
	"clawh5/storage/open"
)

// rawPlace is where the raw data of a multi file lies in its joined store.
type rawPlace struct {
	meta.Part
	missing string // name of the member, if it is not there
}

// extensionIsAway tells that a superblock's extension is not in the superblock's
// file, as it may be in a multi file: its driver information is out of reach.
func (f *File) extensionIsAway() bool {
	ext := f.objects.Superblock().Extension
	return ext != format.Undefined && ext >= uint64(f.store.Size()) && strings.HasSuffix(f.store.Name(), "-s.h5")
}

// joinDefaultMulti opens a multi file whose driver information is out of reach as
// libhdf5 does where it is not told otherwise.
func (f *File) joinDefaultMulti(ctx context.Context) error {
	info := format.DefaultMultiInfo()
	if err := f.joinMembers(ctx, &info); err != nil {
		return err
	}
	d := f.objects.Driver()
	if d.Driver != format.MultiDriver {
		return newError(h5err.Corrupt, "the superblock leads to another file, and that does not say of which driver the files are")
	}
	told, err := decodeMulti(d.Data)
	if err != nil {
		return err
	}
	same := slices.EqualFunc(told.Members, info.Members, func(a, b format.MultiMember) bool {
		return a.Usage == b.Usage && a.Addr == b.Addr && a.Name == b.Name
	})
	if !same {
		return newError(h5err.Unsupported, "a file of the multi driver whose driver information is not in the member with the superblock, and whose members are not those that are usual")
	}
	return nil
}

func decodeMulti(data []byte) (format.MultiInfo, error) {
	return format.DecodeMultiInfo(cursor.New(data, h5err.NoOffset))
}

func (f *File) joinMulti(ctx context.Context, data []byte) error {
	if f.store.Name() == "" {
		return newError(h5err.Unsupported, "the file is one of several of the split or multi driver, and its name is not known")
	}
	info, err := decodeMulti(data)
	if err != nil {
		return err
	}
	return f.joinMembers(ctx, &info)
}

// joinMembers joins the members of a multi file, of which the store is the first.
// One that is not there matters only when something of it is read.
func (f *File) joinMembers(ctx context.Context, info *format.MultiInfo) error {
	name := f.store.Name()
	before, after, _ := strings.Cut(info.Members[0].Name, "%s")
	base, fits := strings.CutPrefix(name, before)
	if base, fits = strings.CutSuffix(base, after); !fits || !strings.HasPrefix(name, before) {
		return newError(h5err.Unsupported, "the file is one of several of the split or multi driver, and its name is not like %q", info.Members[0].Name)
	}
	var members []open.Member
	var parts []meta.Part
	var missing []string
	at := int64(0)
	for i := range info.Members {
		m := &info.Members[i]
		memberName := strings.Replace(m.Name, "%s", base, 1)
		s, err := f.store, error(nil)
		if i > 0 {
			s, err = f.member(ctx, memberName)
		}
		if err == nil && s != nil && uint64(s.Size()) < m.Used {
			err = newError(h5err.Corrupt, "the member %q is truncated: it has %d bytes of %d", memberName, s.Size(), m.Used)
			members = append(members, open.Member{Store: s})
		}
		if err != nil {
			closeMembers(members[min(1, len(members)):])
			return err
		}
		place := rawPlace{Part: meta.Part{Addr: m.Addr}, missing: memberName}
		if s == nil && m.Used > 0 {
			missing = append(missing, memberName)
		}
		if s != nil {
			place = rawPlace{Part: meta.Part{Addr: m.Addr, Len: uint64(s.Size()), Off: at}}
			members = append(members, open.Member{Store: s, Len: -1})
			at += s.Size()
		}
		if place.Len > 0 {
			parts = append(parts, place.Part)
		}
		if i == info.Raw {
			f.raw = &place
		}
	}
	slices.SortFunc(parts, func(a, b meta.Part) int { return cmp.Compare(a.Addr, b.Addr) })
	if err := checkParts(parts); err != nil {
		closeMembers(members[1:])
		return err
	}
	f.missing = missing
	return f.joinAll(ctx, members, parts...)
}

func checkParts(parts []meta.Part) error {
	for i, p := range parts {
		if p.Addr+p.Len < p.Addr || i > 0 && p.Addr-parts[i-1].Addr < parts[i-1].Len {
			return newError(h5err.Corrupt, "members of the file overlap at address %#x", p.Addr)
		}
	}
	return nil
}

// locateRaw tells the source of a dataset of a multi file where raw data lies:
// in one member.
func (f *File) locateRaw(s *plan.Source) error {
	switch r := f.raw; {
	case r == nil:
	case r.missing != "":
		return newError(h5err.NotFound, "the member %q of the file, which has the raw data, is missing", r.missing)
	default:
		// Addresses count from the superblock, those of members from the start.
		base := uint64(f.objects.Base())
		skip := min(base-min(base, r.Addr), r.Len)
		s.Origin, s.Base, s.End = r.Addr+skip-base, r.Off+int64(skip), r.Addr+r.Len-base
	}
	return nil
}
