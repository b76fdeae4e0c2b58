package storagetest_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"clawh5/storage"
	"clawh5/storage/memstore"
	"clawh5/storage/storagetest"
)

func TestFaultyFailsOrGivesTheBytesAndRepeatsItself(t *testing.T) {
	content := storagetest.Content(5000)
	run := func(seed uint64) (failed []int) {
		r := storagetest.Faulty(memstore.New(content), storagetest.Faults{Seed: seed, FailEvery: 4, Pieces: 1})
		for i := range 100 {
			p := make([]byte, 40)
			switch err := r.ReadAt(context.Background(), p, int64(i*40)); {
			case errors.Is(err, storage.ErrUnavailable):
				failed = append(failed, i)
			case err != nil || !bytes.Equal(p, content[i*40:][:40]):
				t.Fatalf("read %d: %v, or wrong bytes", i, err)
			}
		}
		return failed
	}
	a, b, c := run(1), run(1), run(2)
	if len(a) == 0 || len(a) == 100 || !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("failures %v, again %v, other seed %v", a, b, c)
	}
}
