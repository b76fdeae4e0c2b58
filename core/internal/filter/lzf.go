package filter

import "errors"

// lzf is filter 32000, of h5py: LibLZF's format, a row of
//
//	000LLLLL                    L+1 literal bytes follow
//	LLLooooo oooooooo           copy L+2 bytes from o+1 bytes back, L of 1 to 6
//	111ooooo LLLLLLLL oooooooo  copy L+9 bytes from o+1 bytes back
//
// with nothing that says how many bytes it makes. A chunk that LZF could not
// make smaller is stored as it is, with the filter's bit set in its mask.
type lzf struct{}

var errLZF = errors.New("not a valid LZF stream")

func (lzf) Decode(dst, src []byte, _ []uint32, size, limit int) ([]byte, error) {
	return decodeInto(LZF, dst, src, size, limit, expandLZF)
}

func expandLZF(room, src []byte) (int, error) {
	n := 0
	for len(src) > 0 {
		ctrl := int(src[0])
		src = src[1:]
		if ctrl < 1<<5 {
			k := ctrl + 1
			if k > len(src) {
				return 0, errLZF
			}
			if k > len(room)-n {
				return 0, errRoom
			}
			n += copy(room[n:], src[:k])
			src = src[k:]
			continue
		}
		k := ctrl >> 5
		if k == 7 {
			if len(src) == 0 {
				return 0, errLZF
			}
			k += int(src[0])
			src = src[1:]
		}
		k += 2
		if len(src) == 0 {
			return 0, errLZF
		}
		back := (ctrl&0x1f)<<8 + int(src[0]) + 1
		src = src[1:]
		if back > n {
			return 0, errLZF
		}
		if k > len(room)-n {
			return 0, errRoom
		}
		copyBack(room[n:n+k], room[n-back:n+k-back], back)
		n += k
	}
	return n, nil
}

// copyBack fills dst with the bytes that lie back bytes before it, which may be
// bytes of dst itself.
func copyBack(dst, from []byte, back int) {
	if back >= len(dst) {
		copy(dst, from)
		return
	}
	for i := range dst {
		dst[i] = from[i]
	}
}
