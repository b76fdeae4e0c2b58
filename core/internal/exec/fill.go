package exec

import "clawh5/core/internal/sel"

const (
	fillBlock    = 4 << 20 // bytes of the destination that are filled at a time
	patternBytes = 4096
)

// fillPattern is many copies of one element; nil if it is all zeros.
func fillPattern(elem []byte) []byte {
	zero := true
	for _, b := range elem {
		zero = zero && b == 0
	}
	if zero {
		return nil
	}
	pattern := make([]byte, 0, max(patternBytes, len(elem)))
	for len(pattern)+len(elem) <= cap(pattern) {
		pattern = append(pattern, elem...)
	}
	return pattern
}

// fillFrom fills b with the pattern, beginning at its byte phase.
func fillFrom(b, pattern []byte, phase int) {
	if len(pattern) == 0 {
		clear(b)
		return
	}
	n := copy(b, pattern[phase:])
	for n < len(b) {
		n += copy(b[n:], pattern)
	}
}

// fillBlock fills a block of a destination of which nothing is stored.
func (w *worker) fillBlock(i int64) {
	r := w.r
	lo := i * fillBlock
	b := r.dst[lo:min(lo+fillBlock, int64(len(r.dst)))]
	phase := 0
	if len(r.pattern) > 0 {
		phase = int(lo % int64(len(r.pattern)))
	}
	fillFrom(b, r.pattern, phase)
	if r.opt.Done != nil {
		r.opt.Done.Add((lo+int64(len(b)))/r.out - lo/r.out)
	}
}

// fillBox fills the window.
func (w *worker) fillBox() {
	r := w.r
	w.window.Runs(func(run sel.Run) {
		for i := range run.N {
			at := (run.Out + i*run.OutStep) * r.out
			fillFrom(r.dst[at:at+run.Len*r.out], r.pattern, 0)
		}
	})
	w.done()
}
