package core

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
	"clawh5/core/internal/object"
	"clawh5/storage"
	"clawh5/storage/open"
)

// HDF5's family, split and multi drivers keep a file in several ones:
//
//	family   name00000.h5, name00001.h5, ...: pieces of one size
//	split    name-m.h5, name-r.h5: metadata, raw data
//	multi    name-s.h5, name-b.h5, ...: a file for each kind of information
//	onion    name, name.onion: the original, and the pages that revisions replaced
//
// The driver information of the first one says so, except for families of old
// libraries: there the first one is shorter than its superblock says. Revisions
// must be asked for.

// The drivers that Options.Driver of a store can name, and those that mean one
// file as it lies there.
const (
	familyDriver = "family"
	splitDriver  = "split"
	multiDriver  = "multi"
	onionDriver  = "onion"
)

var plainDrivers = []string{"sec2", "stdio", "core", "direct", "log", "windows", "ros3"}

// firstOf returns a store of the file at location, or of the first of several
// that location is the name of: a printf pattern, or what the names begin with.
func firstOf(ctx context.Context, location string, so open.Options) (*open.Store, error) {
	var candidates []string
	switch so.Driver {
	case "":
		candidates = []string{location, firstMember(location), location + "-m.h5", location + "-s.h5"}
	case familyDriver:
		candidates = []string{firstMember(location), location, firstMember(defaultPattern(location))}
	case splitDriver:
		candidates = []string{location + "-m.h5", location + ".meta", location}
	case multiDriver:
		candidates = []string{location + "-s.h5", location}
	default:
		if so.Driver != onionDriver && !slices.Contains(plainDrivers, so.Driver) {
			return nil, badArgument("driver %q is unknown", so.Driver)
		}
		candidates = []string{location}
	}
	if p := location[strings.LastIndexAny(location, "/\\")+1:]; firstMember(p) != "" {
		so.Pattern = p
	}
	var first error
	for _, c := range candidates {
		if c == "" || so.Driver == "" && c != location && strings.Contains(location, "://") {
			continue
		}
		store, err := open.Open(ctx, c, so)
		if err == nil {
			return store, nil
		}
		if first == nil || c == location {
			first = err
		}
		if !errors.Is(err, storage.ErrNotFound) {
			break
		}
	}
	return nil, meta.StorageError(first, "", h5err.NoOffset)
}

var verb = regexp.MustCompile(`%0?[0-9]*[dui]`)

// firstMember returns the name of the first member of a family whose names a
// pattern gives; empty if it is no pattern.
func firstMember(pattern string) string {
	if strings.Count(pattern, "%") != 1 || !verb.MatchString(pattern) {
		return ""
	}
	return memberName(pattern, 0)
}

func memberName(pattern string, i int) string {
	return verb.ReplaceAllStringFunc(pattern, func(v string) string {
		return fmt.Sprintf(v[:len(v)-1]+"d", i)
	})
}

// defaultPattern is the pattern that libhdf5 makes of a name without one.
func defaultPattern(name string) string {
	at := strings.Index(name, ".h5")
	if at < 0 {
		at = strings.LastIndexByte(name, '.')
	}
	if at < 0 {
		at = len(name)
	}
	return name[:at] + "-%06d" + name[at:]
}

// openObjects opens f.store, after it was joined with the other files where it
// is the first of several.
func (f *File) openObjects(ctx context.Context) error {
	if f.store.Driver() == onionDriver {
		return f.openRevision(ctx)
	}
	o, err := openObjects(ctx, f.store)
	f.objects = o
	if o == nil || slices.Contains(plainDrivers, f.store.Driver()) {
		return err
	}
	switch d := o.Driver(); {
	case d.Driver == format.MultiDriver:
		return f.joinMulti(ctx, d.Data)
	case err != nil && f.extensionIsAway():
		return f.joinDefaultMulti(ctx)
	case o.CheckEnd() != nil || d.Driver == format.FamilyDriver && o.StoredEnd() > uint64(f.store.Size()):
		return f.joinFamily(ctx, d, err)
	}
	return err
}

func openObjects(ctx context.Context, store *open.Store, parts ...meta.Part) (*object.File, error) {
	m, err := meta.Open(ctx, store, meta.Limits{}, parts...)
	if err != nil {
		return nil, err
	}
	m.SetUnfilter(unfilter)
	return object.Open(ctx, m, object.Limits{})
}

// member opens another member; nil if there is no such file.
func (f *File) member(ctx context.Context, name string) (*open.Store, error) {
	s, err := f.store.Sibling(ctx, name)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	return s, meta.StorageError(err, "", h5err.NoOffset)
}

func closeMembers(members []open.Member) {
	for _, m := range members {
		m.Store.Close()
	}
}

// joinAll makes f's store one of its own and the others, and opens that. The
// others are closed where it fails.
func (f *File) joinAll(ctx context.Context, members []open.Member, parts ...meta.Part) error {
	store, err := open.Join(members)
	if err != nil {
		closeMembers(members[1:])
		return meta.StorageError(err, "", h5err.NoOffset)
	}
	f.store = store
	f.objects, err = openObjects(ctx, store, parts...)
	return err
}
