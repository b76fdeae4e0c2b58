package core

import (
	"context"
	"errors"
	"path"
	"strings"

	"clawh5/core/h5err"
)

// origin stands for the directory of a file in Options.VirtualPrefix.
const origin = "${ORIGIN}"

// openVirtualSource opens the file that a mapping of a virtual dataset names.
func (f *File) openVirtualSource(ctx context.Context, name string) (*File, error) {
	if prefix := f.options.VirtualPrefix; prefix != "" && !path.IsAbs(name) {
		if beside, ok := strings.CutPrefix(prefix, origin); ok {
			prefix = strings.TrimLeft(beside, "/")
		}
		opened, err := f.openRelated(ctx, path.Join(prefix, name))
		if !errors.Is(err, h5err.NotFound) {
			return opened, err
		}
	}
	return f.openRelated(ctx, name)
}
