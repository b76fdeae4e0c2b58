package exec

import (
	"fmt"
	"math"
	"time"

	"clawh5/core/h5err"
	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
	"clawh5/storage"
)

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
