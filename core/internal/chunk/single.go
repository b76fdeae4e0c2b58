package chunk

import (
	"context"

	"clawh5/core/internal/format"
	"clawh5/core/internal/meta"
)

// single is the index of a dataset of one chunk: the layout message itself.
type single struct {
	dataset
	size uint64
	mask uint32
}

func newSingle(d dataset, l *format.Layout) *single {
	s := &single{d, l.SingleSize, l.SingleMask}
	if d.filtered && !l.SingleFiltered {
		s.size, s.mask = d.bytes, unfiltered
	}
	return s
}

func (s *single) Within(_ context.Context, lo, hi []uint64, yield func(Chunk) error) error {
	if err := s.checkRank(lo, hi); err != nil {
		return err
	}
	origin := make([]uint64, s.grid.rank())
	if b := (box{lo: lo, hi: hi}); !b.has(origin) {
		return nil
	}
	return meta.Stopped(yield(s.chunk(origin, s.addr, s.size, s.mask)))
}

func (s *single) Lookup(_ context.Context, scaled []uint64) (Chunk, bool, error) {
	if err := s.checkRank(scaled); err != nil {
		return Chunk{}, false, err
	}
	for _, v := range scaled {
		if v != 0 {
			return Chunk{}, false, nil
		}
	}
	c := s.chunk(scaled, s.addr, s.size, s.mask)
	c.Scaled = nil
	return c, true, nil
}
