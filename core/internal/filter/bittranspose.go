package filter

import "encoding/binary"

// bitUnshuffle fills dst with elements of elem bytes whose bits lie in src in
// rows: bit i%8 of byte i/8 of row 8*p+b is bit b of byte p of element i. The
// number of elements is a multiple of 8. dst may be src; tmp is as long as both.
func bitUnshuffle(dst, src, tmp []byte, elem int) {
	n := len(src) / elem
	for p := range elem {
		bitPlane(tmp[p*n:(p+1)*n], src[p*n:(p+1)*n])
	}
	if elem == 1 {
		copy(dst, tmp)
		return
	}
	unshuffle(dst, tmp, elem)
}

// bitPlane makes one byte of each element of the eight rows that hold its bits.
// dst and src have the same length, a multiple of 8.
func bitPlane(dst, src []byte) {
	row := len(src) / 8
	i := 0
	for ; i+8 <= row; i += 8 {
		bits64(dst[8*i:8*i+64], src[i:], row)
	}
	for ; i < row; i++ {
		var x uint64
		for b := range 8 {
			x |= uint64(src[b*row+i]) << (8 * b)
		}
		binary.LittleEndian.PutUint64(dst[8*i:], transpose8x8(x))
	}
}

// transpose8x8 swaps bit b of byte k with bit k of byte b.
func transpose8x8(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// bits64 makes 64 bytes of eight bytes of each of the eight rows: bits change
// places between the rows for all eight byte columns at once, then bytes do.
func bits64(dst, src []byte, row int) {
	const (
		bits4, bits2, bits1    = 0x0f0f0f0f0f0f0f0f, 0x3333333333333333, 0x5555555555555555
		bytes4, bytes2, bytes1 = 0x00000000ffffffff, 0x0000ffff0000ffff, 0x00ff00ff00ff00ff
	)
	le := binary.LittleEndian
	r0, r1, r2, r3 := le.Uint64(src), le.Uint64(src[row:]), le.Uint64(src[2*row:]), le.Uint64(src[3*row:])
	src = src[4*row:]
	r4, r5, r6, r7 := le.Uint64(src), le.Uint64(src[row:]), le.Uint64(src[2*row:]), le.Uint64(src[3*row:])
	r0, r4 = exchange(r0, r4, 4, bits4)
	r1, r5 = exchange(r1, r5, 4, bits4)
	r2, r6 = exchange(r2, r6, 4, bits4)
	r3, r7 = exchange(r3, r7, 4, bits4)
	r0, r2 = exchange(r0, r2, 2, bits2)
	r1, r3 = exchange(r1, r3, 2, bits2)
	r4, r6 = exchange(r4, r6, 2, bits2)
	r5, r7 = exchange(r5, r7, 2, bits2)
	r0, r1 = exchange(r0, r1, 1, bits1)
	r2, r3 = exchange(r2, r3, 1, bits1)
	r4, r5 = exchange(r4, r5, 1, bits1)
	r6, r7 = exchange(r6, r7, 1, bits1)
	r0, r4 = exchange(r0, r4, 32, bytes4)
	r1, r5 = exchange(r1, r5, 32, bytes4)
	r2, r6 = exchange(r2, r6, 32, bytes4)
	r3, r7 = exchange(r3, r7, 32, bytes4)
	r0, r2 = exchange(r0, r2, 16, bytes2)
	r1, r3 = exchange(r1, r3, 16, bytes2)
	r4, r6 = exchange(r4, r6, 16, bytes2)
	r5, r7 = exchange(r5, r7, 16, bytes2)
	r0, r1 = exchange(r0, r1, 8, bytes1)
	r2, r3 = exchange(r2, r3, 8, bytes1)
	r4, r5 = exchange(r4, r5, 8, bytes1)
	r6, r7 = exchange(r6, r7, 8, bytes1)
	le.PutUint64(dst, r0)
	le.PutUint64(dst[8:], r1)
	le.PutUint64(dst[16:], r2)
	le.PutUint64(dst[24:], r3)
	le.PutUint64(dst[32:], r4)
	le.PutUint64(dst[40:], r5)
	le.PutUint64(dst[48:], r6)
	le.PutUint64(dst[56:], r7)
}

// exchange swaps the bits of a that lie shift above those of mask with the bits
// of b that lie in mask.
func exchange(a, b uint64, shift uint, mask uint64) (uint64, uint64) {
	t := (a>>(shift&63) ^ b) & mask
	return a ^ t<<(shift&63), b ^ t
}
