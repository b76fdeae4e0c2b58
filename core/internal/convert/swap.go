package convert

import (
	"encoding/binary"
	"math/bits"
)

// swap reverses the bytes of elements of a size.
func swap(size int) Conversion {
	run := func(dst, src []byte, n int) { reverseEach(dst[:n*size], src[:n*size], size) }
	switch size {
	case 2, 4, 8, 16:
		run = func(dst, src []byte, n int) {
			dst, src = dst[:n*size], src[:n*size]
			done := swapBlocks(dst, src, size)
			swapGeneric(dst[done:], src[done:], size)
		}
	}
	return Conversion{SrcSize: size, DstSize: size, InPlace: true, Run: run}
}

// swapGeneric reverses the bytes of elements of 2, 4, 8 or 16 bytes.
func swapGeneric(dst, src []byte, size int) {
	le := binary.LittleEndian
	words := len(src) &^ 7
	dst = dst[:len(src)]
	switch size {
	case 2:
		const low8 = 0x00ff00ff00ff00ff
		for i := 0; i < words; i += 8 {
			x := le.Uint64(src[i:])
			le.PutUint64(dst[i:], x&low8<<8|x>>8&low8)
		}
	case 4:
		for i := 0; i < words; i += 8 {
			le.PutUint64(dst[i:], bits.RotateLeft64(bits.ReverseBytes64(le.Uint64(src[i:])), 32))
		}
	case 8:
		for i := 0; i < words; i += 8 {
			le.PutUint64(dst[i:], bits.ReverseBytes64(le.Uint64(src[i:])))
		}
	case 16:
		for i := 0; i+16 <= len(src); i += 16 {
			a, b := le.Uint64(src[i:]), le.Uint64(src[i+8:])
			le.PutUint64(dst[i:], bits.ReverseBytes64(b))
			le.PutUint64(dst[i+8:], bits.ReverseBytes64(a))
		}
	}
	reverseEach(dst[words:], src[words:], size)
}

// reverseEach reverses the bytes of elements of any size.
func reverseEach(dst, src []byte, size int) {
	for ; len(src) >= size; dst, src = dst[size:], src[size:] {
		for i, j := 0, size-1; i <= j; i, j = i+1, j-1 {
			dst[i], dst[j] = src[j], src[i]
		}
	}
}
