package convert

import "golang.org/x/sys/cpu"

const swapBlock = 128

// swapMasks[i] reverses the bytes of elements of 2<<i bytes in each half.
var swapMasks = func() (masks [4][32]byte) {
	for i := range masks {
		size := 2 << i
		for j := range masks[i] {
			masks[i][j] = byte(j&15 ^ (size - 1))
		}
	}
	return masks
}()

// swapBlocks reverses the bytes of elements of 2, 4, 8 or 16 bytes in whole
// blocks of 128 bytes, and returns how many bytes it has done.
func swapBlocks(dst, src []byte, size int) int {
	blocks := len(src) / swapBlock
	if blocks == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	mask := 0
	for 2<<mask < size {
		mask++
	}
	swapAVX2(&dst[0], &src[0], blocks, &swapMasks[mask])
	return blocks * swapBlock
}

//go:noescape
func swapAVX2(dst, src *byte, blocks int, mask *[32]byte)
