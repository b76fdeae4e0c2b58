package exec

import (
	"fmt"
	"math"
	"sync"
	"time"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/meta"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
	"clawh5/storage"
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

// plain reads the window of a box whose values lie at off: straight to where
// they belong if they are one piece there, else through scratch.
func (w *worker) plain(what string, off int64) error {
	r := w.r
	if run, ok := w.window.Single(); ok && (r.identity || r.inPlace) {
		return w.plainPiece(what, off, run)
	}
	err := w.part.Extents(&w.window, &w.runs, func(e plan.Extent) error {
		if err := r.stopped(); err != nil {
			return err
		}
		var asked int64
		for _, run := range e.Runs {
			asked += run.N * run.Len * r.in
		}
		src, err := w.fetch(what, off+e.First*r.in, (e.End-e.First)*r.in, asked)
		if err != nil {
			return err
		}
		for _, run := range e.Runs {
			w.place(src, e.First, run)
		}
		return nil
	})
	w.done()
	return err
}

// cacheBlock is how much is read before it is converted in place: little enough
// to lie in a core's cache.
const cacheBlock = 512 << 10

// plainPiece reads one contiguous piece into dst.
func (w *worker) plainPiece(what string, off int64, run sel.Run) error {
	r := w.r
	off += run.Box * r.in
	dst := r.dst[run.Out*r.out : (run.Out+run.Len)*r.out]
	most := int64(len(dst))
	if !r.identity && !w.part.Remote {
		most = max(1, cacheBlock/r.in) * r.in
	}
	for len(dst) > 0 {
		block := dst[:min(int64(len(dst)), most)]
		if err := r.stopped(); err != nil {
			return err
		}
		if err := w.readInto(what, block, off); err != nil {
			return err
		}
		w.stats.BytesAsked += int64(len(block))
		w.convertInPlace(block)
		dst, off = dst[len(block):], off+int64(len(block))
	}
	w.done()
	return nil
}

// convertInPlace converts values that were read into the destination.
func (w *worker) convertInPlace(b []byte) {
	if !w.r.identity {
		w.r.opt.Conv.Run(b, b, len(b)/int(w.r.out))
	}
}

// readInto fills p, from memory where the store holds the bytes.
func (w *worker) readInto(what string, p []byte, off int64) error {
	if w.part.Held != nil {
		if view, ok := w.part.Held.TryView(off, len(p)); ok {
			copy(p, view)
			return nil
		}
	}
	begun := time.Now()
	err := w.readStore(p, off)
	w.stats.Waiting += time.Since(begun)
	if err != nil {
		return storageError(err, what, off)
	}
	w.stats.BytesFetched += int64(len(p))
	return nil
}

// readStore reads from the store, over several connections what is longer than
// a request should be.
func (w *worker) readStore(p []byte, off int64) error {
	r := w.r
	if !w.part.Remote || len(p) <= storage.MergeMax {
		w.stats.Requests++
		return w.part.Store.ReadAt(r.ctx, p, off)
	}
	pieces := storage.SplitRange(storage.Range{Off: off, Len: int64(len(p))}, storage.MergeMax)
	w.stats.Requests += int64(len(pieces))
	spans := make([]storage.Span, len(pieces))
	for i, piece := range pieces {
		spans[i] = storage.Span{Off: piece.Off, P: p[piece.Off-off:][:piece.Len]}
	}
	return storage.ReadRanges(r.ctx, w.part.Store, spans, r.opt.MaxInFlight)
}

// fetch gives n bytes of the store, lent or in w's scratch.
func (w *worker) fetch(what string, off, n, asked int64) ([]byte, error) {
	if n > math.MaxInt {
		return nil, h5err.At(h5err.Limit, what, off, fmt.Sprintf("%d bytes on a 32-bit platform", n))
	}
	w.stats.BytesAsked += asked
	if w.part.Held != nil {
		if view, ok := w.part.Held.TryView(off, int(n)); ok {
			return view, nil
		}
	}
	if v, ok := w.part.Store.(storage.Viewer); ok {
		view, err := v.View(w.r.ctx, off, int(n))
		return view, storageError(err, what, off)
	}
	buf := room(&w.stored, n)
	return buf, w.readInto(what, buf, off)
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
	if dst := w.direct(); dst != nil {
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
