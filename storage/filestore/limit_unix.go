//go:build unix

package filestore

import (
	"math"
	"syscall"
)

// MaxOpen returns how many files the process may have open at once.
func MaxOpen() int {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return minOpen
	}
	return int(min(uint64(l.Cur), math.MaxInt32))
}

// minOpen is what POSIX systems allow at least by default.
const minOpen = 256
