//go:build !amd64

package filter

// unshuffleBlocks has no fast path here.
func unshuffleBlocks(dst, src []byte, elem, n int) int { return 0 }
