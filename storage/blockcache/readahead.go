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

// ahead says how many blocks to fetch for a miss at block first: one where the
// miss stands alone, twice as many as the time before where it continues a
// run. A miss that skips less than the last window still continues it.
func (s *streams) ahead(first, most int64) int64 {
	for i := range s.runs {
		r := &s.runs[i]
		if skip := first - r.next; r.window > 0 && skip >= 0 && skip < r.window {
			window := min(2*r.window, most)
			r.window = 0 // note will put it back
			return window
		}
	}
	return 1
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
