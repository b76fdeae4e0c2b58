package open

import (
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"clawh5/storage"
)

// Sibling opens the file that this object calls name: a path relative to its
// directory, with slashes. The file must lie in that directory or below,
// symbolic links followed, unless Options.AllowOutside; scheme and host are
// always those of this object.
func (s *Store) Sibling(ctx context.Context, name string) (*Store, error) {
	switch {
	case name == "" || strings.ContainsRune(name, 0):
		return nil, s.refuse(name, "not a file name")
	case s.url != nil:
		u, err := s.siblingURL(name)
		if err != nil {
			return nil, err
		}
		return Open(ctx, u.String(), s.siblingOptions())
	case s.path != "":
		p, err := s.siblingPath(name)
		if err != nil {
			return nil, err
		}
		return openFile(p, s.siblingOptions())
	}
	return nil, s.refuse(name, "this object has no directory")
}

func (s *Store) siblingOptions() Options {
	o := s.options
	o.Driver, o.Pattern, o.Revision = "", "", 0 // of this object alone
	return o
}

func (s *Store) refuse(name, why string) error {
	return &storage.Error{Location: s.location, Op: "open",
		Err: fmt.Errorf("%w: file %q that it names: %s", storage.ErrPermission, name, why)}
}

const outside = "outside the directory of the file that names it; it can be allowed"

func (s *Store) siblingURL(name string) (*url.URL, error) {
	if splitScheme(name) != "" {
		return nil, s.refuse(name, "a URL")
	}
	u := *s.url
	dir := path.Dir(u.Path)
	if path.IsAbs(name) {
		u.Path = path.Clean(name)
	} else {
		u.Path = path.Join(dir, name)
	}
	u.RawPath = "" // u.Path is the name itself, whatever it holds
	inside := strings.HasPrefix(u.Path, strings.TrimSuffix(dir, "/")+"/")
	if !inside && !s.options.AllowOutside {
		return nil, s.refuse(name, outside)
	}
	return &u, nil
}

func (s *Store) siblingPath(name string) (string, error) {
	if splitScheme(name) != "" {
		return "", s.refuse(name, "a URL")
	}
	dir := filepath.Dir(s.path)
	local := filepath.FromSlash(name)
	p := local
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, local)
	}
	if s.options.AllowOutside {
		return p, nil
	}
	rel, err := filepath.Rel(dir, p)
	if err != nil || !filepath.IsLocal(rel) {
		return "", s.refuse(name, outside)
	}
	realDir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", s.refuse(name, "its directory cannot be resolved")
	}
	if plain(realDir, rel) {
		return filepath.Join(realDir, rel), nil
	}
	realPath, err := filepath.EvalSymlinks(p)
	if err != nil {
		return p, nil // does not exist: opening it says so
	}
	if rel, err = filepath.Rel(realDir, realPath); err != nil || !filepath.IsLocal(rel) {
		return "", s.refuse(name, outside)
	}
	return realPath, nil
}

// plain reports whether there is such a file below dir and no symbolic link on
// the way to it. This is the usual case, and asks about few names: a dataset may
// have thousands of files.
func plain(dir, rel string) bool {
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		dir = filepath.Join(dir, part)
		if info, err := os.Lstat(dir); err != nil || info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			return false
		}
	}
	return true
}
