//go:build !amd64

package convert

// swapBlocks has no fast path here.
func swapBlocks(dst, src []byte, size int) int { return 0 }
