//go:build !unix && !windows

package filestore

import "os"

func fileID(*os.File) (string, error) { return "", nil }
func isStale(error) bool              { return false }
func notADirectory(error) bool        { return false }
