package storagetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"clawh5/storage"
)

// Faults says how often and how a Faulty store misbehaves. The same seed and
// the same order of reads give the same faults.
type Faults struct {
	Seed      uint64
	FailEvery int           // one of so many reads fails with ErrUnavailable, at random; 0: none
	Pieces    int           // reads the inner store in pieces of 1 to so many bytes; 0: whole
	SlowEvery int           // one of so many reads takes Delay longer, at random; 0: none
	Delay     time.Duration // 1 ms if 0
}

// Faulty is a Reader, and nothing more, that hands out the bytes of another
// with Faults. A failing read leaves garbage in the buffer, as it may.
func Faulty(r storage.Reader, f Faults) storage.Reader {
	if f.Delay == 0 {
		f.Delay = time.Millisecond
	}
	return &faulty{inner: r, f: f, rnd: rand.New(rand.NewPCG(f.Seed, f.Seed))}
}

type faulty struct {
	inner storage.Reader
	f     Faults

	mu  sync.Mutex
	rnd *rand.Rand
}

// fate draws what happens to one read.
func (s *faulty) fate() (fail, slow bool, seed uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fail = s.f.FailEvery > 0 && s.rnd.IntN(s.f.FailEvery) == 0
	slow = s.f.SlowEvery > 0 && s.rnd.IntN(s.f.SlowEvery) == 0
	return fail, slow, s.rnd.Uint64()
}

func (s *faulty) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := storage.CheckRange("faulty", s.Size(), off, int64(len(p))); err != nil {
		return err
	}
	fail, slow, seed := s.fate()
	if slow {
		select {
		case <-time.After(s.f.Delay):
		case <-ctx.Done():
			return storage.ContextError(ctx, "faulty", off, int64(len(p)))
		}
	}
	rnd := rand.New(rand.NewPCG(seed, 0))
	if fail {
		for i := range p[:min(len(p), 4096)] {
			p[i] = byte(rnd.Uint32())
		}
		return &storage.Error{Location: "faulty", Op: "read", Off: off, Len: int64(len(p)),
			Err: fmt.Errorf("%w: injected", storage.ErrUnavailable)}
	}
	for len(p) > 0 {
		n := len(p)
		if s.f.Pieces > 0 {
			n = min(n, 1+rnd.IntN(s.f.Pieces))
		}
		if err := s.inner.ReadAt(ctx, p[:n], off); err != nil {
			return err
		}
		p, off = p[n:], off+int64(n)
	}
	return nil
}

func (s *faulty) Size() int64      { return s.inner.Size() }
func (s *faulty) Identity() string { return s.inner.Identity() }
func (s *faulty) Close() error     { return s.inner.Close() }
