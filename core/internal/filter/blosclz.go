package filter

import "errors"

var errBloscLZ = errors.New("not a valid BloscLZ stream")

// expandBloscLZ undoes BloscLZ, the codec that Blosc brings with it and that has
// no other name for its format: a row of
//
//	000LLLLL                             L+1 literal bytes follow
//	LLLooooo oooooooo                    copy L+2 bytes from o+1 bytes back
//	111ooooo {11111111} LLLLLLLL oooooooo
//	                                     copy 9+L bytes, and 255 more for each
//	                                     byte of 255 before L
//	where all bits of o are set, two bytes follow: the copy is from their
//	big-endian number and 8192 bytes back
//
// The first byte is one of literals, whatever its upper bits are.
func expandBloscLZ(room, src []byte) (int, error) {
	if len(src) == 0 {
		return 0, errBloscLZ
	}
	n, ctrl := 0, int(src[0]&0x1f)
	for src = src[1:]; ; src = src[1:] {
		if ctrl < 1<<5 {
			k := ctrl + 1
			if k > len(src) || k > len(room)-n {
				return 0, errBloscLZ
			}
			n += copy(room[n:], src[:k])
			src = src[k:]
		} else {
			k, back, rest := bloscMatch(ctrl, src, len(room)-n)
			if k == 0 || k > len(room)-n || back > n {
				return 0, errBloscLZ
			}
			copyRun(room[n-back:n+k], back)
			n += k
			src = rest
		}
		if len(src) == 0 {
			return n, nil
		}
		ctrl = int(src[0])
	}
}

// bloscMatch reads the rest of a copy: its length, or 0 where src ends or the
// length is more than most, and from how far back it is.
func bloscMatch(ctrl int, src []byte, most int) (k, back int, rest []byte) {
	const near = 0x1fff
	k = ctrl>>5 + 2
	if ctrl>>5 == 7 {
		for more := 255; more == 255; src = src[1:] {
			if len(src) == 0 || k > most {
				return 0, 0, nil
			}
			more = int(src[0])
			k += more
		}
	}
	if len(src) == 0 {
		return 0, 0, nil
	}
	back = (ctrl&0x1f)<<8 + int(src[0])
	src = src[1:]
	if back == near {
		if len(src) < 2 {
			return 0, 0, nil
		}
		back += int(src[0])<<8 + int(src[1])
		src = src[2:]
	}
	return k, back + 1, src
}

// copyRun fills room from back on with the bytes that lie back bytes before.
func copyRun(room []byte, back int) {
	const short = 32
	if n := len(room) - back; n <= short || n <= back {
		copyBack(room[back:], room[:n], back)
		return
	}
	for n := back; n < len(room); {
		n += copy(room[n:], room[:n])
	}
}
