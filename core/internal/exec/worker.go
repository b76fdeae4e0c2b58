package exec

import (
	"fmt"
	"sync"
	"time"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/meta"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
)

// worker is what one goroutine needs. Its buffers grow to what the largest unit
// takes and serve the next read too.
type worker struct {
	r      *run
	part   *plan.Part
	window sel.Window
	coords [sel.MaxRank]uint64
	scaled []uint64

	stored []byte // bytes as they lie in the file
	values []byte // decoded
	pieces [2][]byte
	filter filter.Scratch
	runs   []sel.Run
	stats  Stats
}

var workers = sync.Pool{New: func() any { return new(worker) }}

// keepBytes is the scratch that a worker may take back to the pool.
const keepBytes = 16 << 20

func (w *worker) begin(r *run) {
	w.r, w.part, w.stats = r, r.part, Stats{}
	if r.part.Grid != nil {
		w.scaled = w.coords[:len(r.part.Grid.Box())]
	}
}

// retire hands in what w counted and gives it back to the pool.
func (w *worker) retire() {
	r := w.r
	r.mu.Lock()
	r.stats.add(w.stats)
	r.mu.Unlock()
	w.r, w.part, w.window = nil, nil, sel.Window{}
	if cap(w.stored)+cap(w.values) > keepBytes {
		w.stored, w.values, w.filter = nil, nil, filter.Scratch{}
	}
	workers.Put(w)
}

func storageError(err error, structure string, off int64) error {
	return meta.StorageError(err, structure, off)
}

// room is buf with n bytes, grown if need be, by more than is asked for because
// stored sizes vary.
func room(buf *[]byte, n int64) []byte {
	if int64(cap(*buf)) < n {
		*buf = make([]byte, n+n/8)
	}
	return (*buf)[:n]
}

// drain does units until none is left.
func (w *worker) drain() error {
	for {
		if err := w.r.stopped(); err != nil {
			return err
		}
		u, ok := w.r.feed.take(w.scaled)
		if !ok {
			return nil
		}
		if err := w.do(u); err != nil {
			return err
		}
	}
}

func (w *worker) do(u unit) error {
	switch w.part.Kind {
	case plan.Fill:
		w.fillBlock(u.block)
		return nil
	case plan.Memory:
		clear(w.scaled)
		w.window.Set(w.part.Grid, w.scaled)
		w.placeAll(w.part.Bytes, 0)
		return nil
	case plan.Tiles:
		w.window.Set(w.part.Grid, w.scaled)
		return w.plain("contiguous data", w.part.TileOffset(w.scaled))
	}
	w.window.Set(w.part.Grid, w.scaled)
	if u.job == nil {
		w.fillBox()
		return nil
	}
	return w.chunk(u.job)
}

// chunk reads the stored chunk of the window.
func (w *worker) chunk(j *plan.Job) error {
	if w.filtered(j) {
		return w.decodeChunk(j, nil)
	}
	if err := w.checkPlain(j); err != nil {
		return err
	}
	return w.plain("chunk", j.Off)
}

// filtered reports whether the bytes of a chunk are not its values.
func (w *worker) filtered(j *plan.Job) bool {
	return w.part.Filtered && !w.r.opt.Filters.Empty(j.Mask)
}

// checkPlain checks the size of a chunk whose stored bytes are its values.
func (w *worker) checkPlain(j *plan.Job) error {
	if j.Size != w.r.chunkBytes {
		return h5err.At(h5err.Corrupt, "chunk", j.Off, fmt.Sprintf("%d bytes stored for %d bytes of values", j.Size, w.r.chunkBytes))
	}
	return nil
}

// direct is where in dst the values of the window's chunk lie together, if all
// of them are wanted and can be decoded there.
func (w *worker) direct() []byte {
	r := w.r
	if !r.identity && !r.inPlace || w.window.NumElements() != w.part.Grid.Volume() {
		return nil
	}
	run, ok := w.window.Single()
	if !ok {
		return nil
	}
	return r.dst[run.Out*r.out : (run.Out+run.Len)*r.out]
}

// decodeChunk places the values of a filtered chunk. stored are its bytes, or
// nil if they have to be read.
func (w *worker) decodeChunk(j *plan.Job, stored []byte) error {
	r := w.r
	if cache := r.opt.Cache; cache != nil {
		if e := cache.get(r.key(j)); e != nil {
			defer cache.release(e)
			w.stats.CacheHits++
			w.placeAll(e.data, 0)
			return nil
		}
	}
	if dst := w.direct(); dst != nil && !w.readAgain(j) {
		if err := w.decode(dst, j, stored); err != nil {
			return err
		}
		w.convertInPlace(dst)
		w.done()
		return nil
	}
	if r.keep {
		if done, err := w.decodeCached(j, stored); done {
			return err
		}
	}
	values := room(&w.values, r.chunkBytes)
	if err := w.decode(values, j, stored); err != nil {
		return err
	}
	w.placeAll(values, 0)
	return nil
}

// readAgain reports whether a wholly wanted chunk is better kept: it is one of a
// small read that is repeated. A scan, which does not come back, pays nothing.
func (w *worker) readAgain(j *plan.Job) bool {
	r := w.r
	return r.keep && int64(len(r.part.Jobs)) <= r.opt.Cache.limit/8/r.chunkBytes && r.opt.Cache.again(r.key(j))
}

// decodeCached decodes into the cache, or waits for who does; false if the
// cache has no room.
func (w *worker) decodeCached(j *plan.Job, stored []byte) (bool, error) {
	cache := w.r.opt.Cache
	e, load, err := cache.acquire(w.r.ctx, w.r.key(j), int(w.r.chunkBytes))
	if err != nil {
		return true, storageError(err, "chunk", j.Off)
	}
	if e == nil {
		return false, nil
	}
	defer cache.release(e)
	if !load {
		w.stats.CacheHits++
		w.placeAll(e.data, 0)
		return true, nil
	}
	w.stats.CacheMisses++
	ok := false
	defer func() { cache.loaded(e, ok) }() // also in a panic: others wait
	if err := w.decode(e.data, j, stored); err != nil {
		return true, err
	}
	ok = true
	w.placeAll(e.data, 0)
	return true, nil
}

// decode undoes the filters of a chunk into dst.
func (w *worker) decode(dst []byte, j *plan.Job, stored []byte) error {
	if stored == nil {
		var err error
		if stored, err = w.fetch("chunk", j.Off, j.Size, j.Size); err != nil {
			return err
		}
	}
	begun := time.Now()
	err := w.r.opt.Filters.Decode(dst, stored, j.Mask, &w.filter)
	w.stats.Decoding += time.Since(begun)
	if err != nil {
		return atOffset(err, j.Off)
	}
	w.stats.ChunksDecoded++
	return nil
}

// atOffset adds the place of a chunk to an error that has none.
func atOffset(err error, off int64) error {
	e, ok := err.(*h5err.Error)
	if !ok || e.Offset >= 0 {
		return err
	}
	c := *e
	c.Offset = off
	return &c
}

// done counts the elements of the window as finished.
func (w *worker) done() {
	if w.r.opt.Done != nil {
		w.r.opt.Done.Add(w.window.NumElements())
	}
}
