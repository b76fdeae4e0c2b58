package filestore

import (
	"fmt"
	"os"
	"syscall"
)

// fileID names the file itself, whatever its content: volume and file index.
func fileID(f *os.File) (string, error) {
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &info); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d-%d-%d", info.VolumeSerialNumber, info.FileIndexHigh, info.FileIndexLow), nil
}

func isStale(error) bool       { return false }
func notADirectory(error) bool { return false }
