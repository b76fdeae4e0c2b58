package main

import (
	"sync"
	"testing"

	"clawh5/core/h5err"
)

func mustAdd(t *testing.T, table *table, e *entry) int64 {
	t.Helper()
	id, err := table.add(e)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func mustRemove(t *testing.T, table *table, id int64) *entry {
	t.Helper()
	e, err := table.remove(id, false)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestHandlesLeadToTheirEntries(t *testing.T) {
	var table table
	entries := map[int64]*entry{}
	for range 3 * segmentSlots {
		e := &entry{}
		id := mustAdd(t, &table, e)
		if id <= 0 || entries[id] != nil {
			t.Fatalf("handle %d is not new", id)
		}
		entries[id] = e
	}
	for id, e := range entries {
		if got, err := table.use(id); got != e || err != nil {
			t.Fatalf("handle %d: %v", id, err)
		}
	}
	if n := table.open.Load(); n != int64(len(entries)) {
		t.Errorf("%d handles are open, not %d", n, len(entries))
	}
}

func TestASlotUsedAgainHasAnotherHandle(t *testing.T) {
	var table table
	seen := map[int64]bool{}
	for range 1000 {
		id := mustAdd(t, &table, &entry{})
		if seen[id] {
			t.Fatalf("handle %d a second time", id)
		}
		seen[id] = true
		mustRemove(t, &table, id)
	}
	if n := len(table.generations); n != 1 {
		t.Errorf("%d slots for one open handle", n)
	}
	for id := range seen {
		if _, err := table.use(id); h5err.KindOf(err) != h5err.Handle {
			t.Fatalf("stale handle %d: %v", id, err)
		}
	}
}

func TestASlotOutOfGenerationsIsRetired(t *testing.T) {
	var table table
	mustRemove(t, &table, mustAdd(t, &table, &entry{}))
	table.generations[0] = maxGeneration - 1
	last := mustAdd(t, &table, &entry{})
	if last <= 0 {
		t.Fatalf("handle %d", last)
	}
	mustRemove(t, &table, last)
	mustAdd(t, &table, &entry{})
	if n := len(table.generations); n != 2 {
		t.Errorf("%d slots: the first was used again", n)
	}
}

func TestAnEntryInUseOutlivesItsHandle(t *testing.T) {
	var table table
	id := mustAdd(t, &table, &entry{})
	used, err := table.use(id)
	if err != nil {
		t.Fatal(err)
	}
	mustRemove(t, &table, id).release()
	if n := used.users.Load(); n != 1 {
		t.Errorf("%d users, not 1", n)
	}
	if _, err := table.use(id); err == nil {
		t.Error("a closed handle can be used")
	}
	if _, err := table.remove(id, false); err == nil {
		t.Error("a handle can be closed twice")
	}
}

func TestOperationsAndObjectsAreNotClosedByEachOthersCalls(t *testing.T) {
	var table table
	op, object := mustAdd(t, &table, &entry{op: &operation{}}), mustAdd(t, &table, &entry{})
	if _, err := table.remove(op, false); h5err.KindOf(err) != h5err.Handle {
		t.Errorf("an operation is closed: %v", err)
	}
	if _, err := table.remove(object, true); h5err.KindOf(err) != h5err.Handle {
		t.Errorf("an object is freed: %v", err)
	}
}

func TestHandlesFromManyGoroutines(t *testing.T) {
	var table table
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 500 {
				e := &entry{}
				id, err := table.add(e)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := table.use(id)
				if got != e || err != nil {
					t.Errorf("handle %d: %v", id, err)
					return
				}
				got.release()
				if _, err := table.remove(id, false); err != nil {
					t.Errorf("handle %d: %v", id, err)
				}
				if _, err := table.use(id); err == nil {
					t.Errorf("handle %d is still open", id)
				}
			}
		})
	}
	wg.Wait()
	if n := table.open.Load(); n != 0 {
		t.Errorf("%d handles are open", n)
	}
}
