package filter

// shuffle is filter 2: the first bytes of all elements, then the second ones,
// and so on; bytes at the end that fill no element stay where they are. The
// parameter is the size of an element.
type shuffle struct{}

func (shuffle) encodedSize(n int) int { return n }

func (shuffle) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	if len(params) != 1 || params[0] == 0 {
		return nil, corrupt(Shuffle, "parameters %v are not the size of an element", params)
	}
	if len(src) > limit {
		return nil, tooLarge(Shuffle, limit)
	}
	dst = grow(dst, len(src))
	out := dst[len(dst) : len(dst)+len(src)]
	dst = dst[:len(dst)+len(src)]
	if elem := uint64(params[0]); elem > 1 && elem <= uint64(len(src)) {
		unshuffle(out, src, int(elem))
	} else {
		copy(out, src)
	}
	return dst, nil
}

// unshuffle fills dst with the elements of elem bytes whose bytes lie in src in
// planes. dst and src have the same length, at least elem.
func unshuffle(dst, src []byte, elem int) {
	n := len(src) / elem
	done := unshuffleBlocks(dst, src, elem, n)
	unshuffleGeneric(dst, src, elem, n, done)
	copy(dst[n*elem:], src[n*elem:])
}
