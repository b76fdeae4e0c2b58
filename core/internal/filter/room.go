package filter

import (
	"errors"

	"clawh5/core/internal/filter/codec"
	"clawh5/core/internal/filter/inflate"
)

// errRoom says that the decoded bytes do not fit the room that was given.
var errRoom = inflate.ErrRoom

// decodeInto appends to dst what try writes into the room that it is given: room
// for size bytes, or, where size is -1, twice as much as before each time that
// try finds it too small with errRoom, up to limit.
func decodeInto(id ID, dst, src []byte, size, limit int, try func(room, src []byte) (int, error)) ([]byte, error) {
	n := min(size, limit)
	if size < 0 {
		n = firstRoom(len(src), cap(dst)-len(dst), limit)
	}
	for {
		dst = grow(dst, n)
		got, err := try(dst[len(dst):len(dst)+n:len(dst)+n], src)
		switch {
		case err == nil:
			return dst[:len(dst)+got], nil
		case err != errRoom:
			return nil, corrupt(id, "%v", err)
		case size >= 0 || n >= limit:
			return nil, corrupt(id, "decodes to more than %d bytes", n)
		case n > limit/2:
			n = limit
		default:
			n *= 2
		}
	}
}

// fill appends the n bytes that decode sets.
func fill(dst []byte, n int, decode func(room []byte) error) ([]byte, error) {
	dst = grow(dst, n)
	end := len(dst) + n
	if err := decode(dst[len(dst):end:end]); err != nil {
		return nil, err
	}
	return dst[:end], nil
}

// tooLarge is the error of bytes that decode to more than limit.
func tooLarge(id ID, limit int) error { return corrupt(id, "decodes to more than %d bytes", limit) }

// codecError tells data that is damaged from data that a codec does not know.
func codecError(id ID, err error) error {
	var u codec.Unsupported
	if errors.As(err, &u) {
		return unsupported(id, "%v", err)
	}
	return corrupt(id, "%v", err)
}

// firstRoom guesses the room that src needs: the room there is, or four times
// its length.
func firstRoom(src, room, limit int) int {
	const least = 512
	if src > limit/4 {
		return limit
	}
	return min(limit, max(room, 4*src, least))
}

// grow returns dst with room for n more bytes, and no more than that if it has
// to be moved.
func grow(dst []byte, n int) []byte {
	if cap(dst)-len(dst) >= n {
		return dst
	}
	return append(make([]byte, 0, len(dst)+n), dst...)
}
