//go:build !unix

package filestore

// MaxOpen returns how many files the process may have open at once.
func MaxOpen() int { return 1 << 13 }
