package main

import (
	"sync"
	"sync/atomic"

	"clawh5/core"
	"clawh5/core/h5err"
)

// A handle is the number of a slot, counted from 1, below the generation of
// what the slot holds:
//
//	bits 0-31  slot + 1      bits 32-62  generation, from 1
//
// A slot that is used again has the next generation, so an old number never
// reaches the new owner. Looking up takes no lock: reads of small slices spend
// a good part of their time here.
const (
	segmentSlots  = 256
	maxSegments   = 1 << 16
	maxGeneration = 1<<31 - 1
)

type segment [segmentSlots]atomic.Pointer[entry]

// entry is what a handle stands for. Exactly one of object, op and datatype is
// set.
type entry struct {
	id       int64
	users    atomic.Int64 // calls under way, and one while the handle is open
	file     *core.File   // which the entry holds open
	isFile   bool         // a file handle; object is the root group
	object   *core.Object
	op       *operation
	datatype atomic.Pointer[core.Datatype] // changed by replacing it
	kept     atomic.Pointer[keptText]
}

// release ends one use of e. The last one lets go of the file.
func (e *entry) release() error {
	if e.users.Add(-1) == 0 && e.file != nil {
		return e.file.Close()
	}
	return nil
}

type table struct {
	segments atomic.Pointer[[]*segment]
	open     atomic.Int64

	mu          sync.Mutex // for what follows, and for storing to segments
	generations []uint32   // of each slot: the one that it has or had last
	free        []uint32
}

var handles table

var errHandle = h5err.New(h5err.Handle, "no such handle is open")

func (t *table) slot(i uint32) *atomic.Pointer[entry] {
	return &(*t.segments.Load())[i/segmentSlots][i%segmentSlots]
}

// add opens a handle for e.
func (t *table) add(e *entry) (int64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, err := t.freeSlot()
	if err != nil {
		return 0, err
	}
	t.generations[i]++
	e.id = int64(t.generations[i])<<32 | int64(i+1)
	e.users.Store(1)
	t.open.Add(1)
	t.slot(i).Store(e)
	return e.id, nil
}

func (t *table) freeSlot() (uint32, error) {
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		return i, nil
	}
	i := len(t.generations)
	if i%segmentSlots == 0 {
		var segments []*segment
		if old := t.segments.Load(); old != nil {
			segments = *old
		}
		if len(segments) == maxSegments {
			return 0, h5err.New(h5err.Limit, "too many open handles")
		}
		segments = append(segments[:len(segments):len(segments)], new(segment))
		t.segments.Store(&segments)
	}
	t.generations = append(t.generations, 0)
	return uint32(i), nil
}

// find returns the entry of an open handle and its slot.
func (t *table) find(id int64) (*entry, *atomic.Pointer[entry]) {
	i := uint32(id) - 1
	segments := t.segments.Load()
	if id <= 0 || segments == nil || i/segmentSlots >= uint32(len(*segments)) {
		return nil, nil
	}
	slot := &(*segments)[i/segmentSlots][i%segmentSlots]
	if e := slot.Load(); e != nil && e.id == id {
		return e, slot
	}
	return nil, nil
}

// use returns the entry of an open handle, which stays usable until its
// release even if the handle is closed meanwhile.
func (t *table) use(id int64) (*entry, error) {
	e, _ := t.find(id)
	if e == nil {
		return nil, errHandle
	}
	for n := e.users.Load(); n > 0; n = e.users.Load() {
		if e.users.CompareAndSwap(n, n+1) {
			return e, nil
		}
	}
	return nil, errHandle
}

// remove closes a handle, an operation's or another, and returns its entry,
// still in use by the caller.
func (t *table) remove(id int64, operation bool) (*entry, error) {
	e, slot := t.find(id)
	if e == nil || (e.op != nil) != operation {
		return nil, errHandle
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slot.CompareAndSwap(e, nil) {
		return nil, errHandle
	}
	t.open.Add(-1)
	if i := uint32(id) - 1; t.generations[i] < maxGeneration {
		t.free = append(t.free, i)
	}
	return e, nil
}

// useObject is use for an object handle; a file handle stands for its root group.
func useObject(id int64) (*entry, error) {
	e, err := handles.use(id)
	if err == nil && e.object == nil {
		e.release()
		return nil, h5err.New(h5err.Handle, "the handle is of an operation or a datatype, not of an object")
	}
	return e, err
}

// useFile is use for a file handle.
func useFile(id int64) (*entry, error) {
	e, err := handles.use(id)
	if err == nil && !e.isFile {
		e.release()
		return nil, h5err.New(h5err.Handle, "the handle is not of a file")
	}
	return e, err
}

// useDatatype is use for the handle of a datatype.
func useDatatype(id int64) (*entry, error) {
	e, err := handles.use(id)
	if err == nil && e.datatype.Load() == nil {
		e.release()
		return nil, h5err.New(h5err.Handle, "the handle is not of a datatype")
	}
	return e, err
}

// datatypeOf returns the datatype that a handle has now.
func datatypeOf(id int64) (core.Datatype, error) {
	e, err := useDatatype(id)
	if err != nil {
		return core.Datatype{}, err
	}
	defer e.release()
	return *e.datatype.Load(), nil
}

// useOp is use for the handle of an operation.
func useOp(id int64) (*entry, error) {
	e, err := handles.use(id)
	if err == nil && e.op == nil {
		e.release()
		return nil, h5err.New(h5err.Handle, "the handle is not of an operation")
	}
	return e, err
}

// fileEntry is the entry of a file that was just opened, which it takes over.
func fileEntry(f *core.File) *entry {
	return &entry{file: f, isFile: true, object: f.Root()}
}

// datatypeEntry is the entry of a datatype.
func datatypeEntry(t core.Datatype) *entry {
	e := &entry{}
	e.datatype.Store(&t)
	return e
}

// objectEntry is the entry of an object found through e.
func (e *entry) objectEntry(o *core.Object) *entry {
	e.file.Retain()
	return &entry{file: e.file, object: o}
}

// publish opens a handle for a new entry, or lets go of what the entry holds.
func publish(e *entry) (int64, error) {
	id, err := handles.add(e)
	if err != nil && e.file != nil {
		e.file.Close()
	}
	return id, err
}
