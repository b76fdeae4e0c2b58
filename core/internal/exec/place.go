package exec

import (
	"encoding/binary"

	"clawh5/core/internal/sel"
)

// placeAll places every run of the window. src holds the values of the box from
// element base.
func (w *worker) placeAll(src []byte, base int64) {
	w.window.Runs(func(run sel.Run) { w.place(src, base, run) })
	w.done()
}

// place copies or converts the pieces of a run.
func (w *worker) place(src []byte, base int64, run sel.Run) {
	r := w.r
	src = src[(run.Box-base)*r.in:]
	dst := r.dst[run.Out*r.out:]
	n, step, outStep := int(run.N), int(run.BoxStep*r.in), int(run.OutStep*r.out)
	switch {
	case r.identity:
		copyPieces(dst, src, int(run.Len*r.in), n, outStep, step)
	case n == 1 || run.Len >= longPiece:
		for i := range n {
			r.opt.Conv.Run(dst[i*outStep:], src[i*step:], int(run.Len))
		}
	default:
		w.convertPieces(dst, src, int(run.Len), n, outStep, step)
	}
}

// Pieces of fewer elements than longPiece are collected before a conversion,
// pieceBlock elements at a time.
const (
	longPiece  = 32
	pieceBlock = 4096
)

// convertPieces converts n short pieces of length elements.
func (w *worker) convertPieces(dst, src []byte, length, n, outStep, step int) {
	r := w.r
	in, out := length*int(r.in), length*int(r.out)
	for n > 0 {
		k := min(n, max(1, pieceBlock/length))
		a := room(&w.pieces[0], int64(k*in))
		copyPieces(a, src, in, k, in, step)
		if outStep == out {
			r.opt.Conv.Run(dst, a, k*length)
		} else {
			b := room(&w.pieces[1], int64(k*out))
			r.opt.Conv.Run(b, a, k*length)
			copyPieces(dst, b, out, k, outStep, out)
		}
		if n -= k; n > 0 {
			dst, src = dst[k*outStep:], src[k*step:]
		}
	}
}

// copyPieces copies n pieces of size bytes that lie step apart in src to
// outStep apart in dst.
func copyPieces(dst, src []byte, size, n, outStep, step int) {
	if n == 1 {
		copy(dst[:size], src)
		return
	}
	switch size {
	case 1:
		for i := range n {
			dst[i*outStep] = src[i*step]
		}
	case 2:
		for i := range n {
			binary.NativeEndian.PutUint16(dst[i*outStep:], binary.NativeEndian.Uint16(src[i*step:]))
		}
	case 4:
		for i := range n {
			binary.NativeEndian.PutUint32(dst[i*outStep:], binary.NativeEndian.Uint32(src[i*step:]))
		}
	case 8:
		for i := range n {
			binary.NativeEndian.PutUint64(dst[i*outStep:], binary.NativeEndian.Uint64(src[i*step:]))
		}
	default:
		for i := range n {
			copy(dst[i*outStep:i*outStep+size], src[i*step:i*step+size])
		}
	}
}
