package h5ls

import (
	"context"
	"io"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// maxHostile is the size of the largest file that is tried.
const maxHostile = 1 << 20

// TestEndsOnHostileFiles lists all that malformed files hold: it has to come to
// an end, without a panic.
func TestEndsOnHostileFiles(t *testing.T) {
	dir := corpus(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tried := 0
	for _, row := range rows(t, filepath.Join(dir, "MANIFEST.tsv")) {
		if size, err := strconv.Atoi(row["bytes"]); row["kind"] != "hostile" || err != nil || size > maxHostile {
			continue
		}
		Run(ctx, []string{"-rvad", "--follow-symlinks", filepath.Join(dir, row["path"])}, io.Discard, io.Discard)
		if ctx.Err() != nil {
			t.Fatalf("%s takes too long", row["path"])
		}
		tried++
	}
	if tried == 0 {
		t.Error("there is no hostile file")
	}
}
