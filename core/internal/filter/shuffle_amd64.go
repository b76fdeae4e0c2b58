package filter

// unshuffleBlocks gathers elements of 2, 4 or 8 bytes, sixteen at a time, and
// returns how many it has done. SSE2 is part of amd64: nothing to detect.
func unshuffleBlocks(dst, src []byte, elem, n int) int {
	blocks := n / 16
	if blocks == 0 {
		return 0
	}
	switch elem {
	case 2:
		unshuffle2(&dst[0], &src[0], n, blocks)
	case 4:
		unshuffle4(&dst[0], &src[0], n, blocks)
	case 8:
		unshuffle8(&dst[0], &src[0], n, blocks)
	default:
		return 0
	}
	return 16 * blocks
}

// Each of these reads blocks*16 bytes of each plane, the planes lying n bytes
// apart, and writes blocks*16 elements.

//go:noescape
func unshuffle2(dst, src *byte, n, blocks int)

//go:noescape
func unshuffle4(dst, src *byte, n, blocks int)

//go:noescape
func unshuffle8(dst, src *byte, n, blocks int)
