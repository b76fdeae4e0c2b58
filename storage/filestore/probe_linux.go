package filestore

import (
	"os"
	"sync"
	"syscall"
)

// prober asks the operating system for the state of an open file: fstat on the
// descriptor without the allocations of os.File.Stat, since it follows every
// read. The RawConn keeps the descriptor from being closed and given to
// another file meanwhile.
type prober struct{ conn syscall.RawConn }

func newProber(f *os.File) (prober, error) {
	conn, err := f.SyscallConn()
	return prober{conn}, err
}

// fstat is one call of fstat and its result.
type fstat struct {
	st   syscall.Stat_t
	err  error
	call func(fd uintptr)
}

var fstats = sync.Pool{New: func() any {
	c := new(fstat)
	c.call = func(fd uintptr) {
		for {
			if c.err = syscall.Fstat(int(fd), &c.st); c.err != syscall.EINTR {
				return
			}
		}
	}
	return c
}}

func (p prober) state() (state, error) {
	c := fstats.Get().(*fstat)
	defer fstats.Put(c)
	if err := p.conn.Control(c.call); err != nil {
		return state{}, err
	}
	return state{c.st.Size, c.st.Mtim.Nano()}, c.err
}
