package blockcache

// streams recognises misses that follow each other. Several places of a file
// may be read in turn or by several goroutines at once, so each of a few
// recent runs has its own state.
type streams struct {
	runs [maxStreams]stream
	tick uint64
}

const maxStreams = 32

// stream is a run of misses: the block at which the next miss would continue
// it, and the number of blocks it fetched last.
type stream struct {
	next, window int64
	used         uint64
}

// An object up to smallObject times Options.WholeFile is small: there a miss
// that stands alone fetches smallWindow bytes, since the next one probably lies
// near. In a larger object it fetches one block. (Traces of libhdf5 that lists
// whole files, at 20 ms and 100 MB/s: 7 -> 5 requests in a file of 6 MB, while
// in one of 1 GB the same window would fetch six times the bytes in vain.)
const (
	smallObject = 4
	smallWindow = 512 << 10
)

// loneWindow is the number of blocks for a miss that stands alone.
func (o *Options) loneWindow(size int64) int64 {
	if size > smallObject*o.WholeFile {
		return 1
	}
	return max(min(smallWindow, o.MaxFetch)/o.BlockSize, 1)
}

// ahead says how many blocks to fetch for a miss at block first: lone where it
// stands alone, twice as many as the time before where it continues a run. A
// miss that skips less than the last window still continues it.
func (s *streams) ahead(first, lone, most int64) int64 {
	for i := range s.runs {
		r := &s.runs[i]
		if skip := first - r.next; r.window > 0 && skip >= 0 && skip < r.window {
			window := min(2*r.window, most)
			r.window = 0 // note will put it back
			return window
		}
	}
	return lone
}

// note records that a fetch of window blocks ended before block next.
func (s *streams) note(next, window int64) {
	oldest := &s.runs[0]
	for i := range s.runs {
		r := &s.runs[i]
		if r.window == 0 {
			oldest = r
			break
		}
		if r.used < oldest.used {
			oldest = r
		}
	}
	s.tick++
	*oldest = stream{next, window, s.tick}
}
