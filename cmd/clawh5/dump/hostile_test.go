package dump

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"testing"
	"time"
)

// Files that are malformed on purpose end in output or in an error.
func TestMalformedFilesEnd(t *testing.T) {
	dir := filepath.Join(corpus(t), "hostile")
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var out, errors bytes.Buffer
		code := Run(ctx, []string{"-p", path}, &out, &errors)
		if ctx.Err() != nil {
			t.Errorf("%s takes more than a minute", path)
		}
		if code != exitSuccess && errors.Len() == 0 {
			t.Errorf("%s: exit code %d without a message", path, code)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%d files, %v", files, err)
	}
}
