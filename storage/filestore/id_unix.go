//go:build unix

package filestore

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// fileID names the file itself, whatever its content: device and inode.
func fileID(f *os.File) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", nil
	}
	return fmt.Sprintf("%d-%d", st.Dev, st.Ino), nil
}

// isStale reports that the file was removed on its NFS server.
func isStale(err error) bool { return errors.Is(err, syscall.ESTALE) }

// notADirectory reports that a part of the path is a file.
func notADirectory(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
