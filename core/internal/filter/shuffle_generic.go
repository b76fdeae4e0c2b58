package filter

import "encoding/binary"

// unshuffleGeneric gathers the elements from the first to n, eight at a time.
func unshuffleGeneric(dst, src []byte, elem, n, first int) {
	eights := first + (n-first)&^7
	plane := 0
	for ; elem-plane >= 8; plane += 8 {
		gather8(dst[plane:], src[plane*n:], elem, n, first, eights)
	}
	if elem-plane >= 4 {
		gather4(dst[plane:], src[plane*n:], elem, n, first, eights)
		plane += 4
	}
	if elem-plane >= 2 {
		gather2(dst[plane:], src[plane*n:], elem, n, first, eights)
		plane += 2
	}
	if plane < elem {
		gatherBytes(dst[plane:], src[plane*n:plane*n+n], elem, first, eights)
	}
	for plane = range elem {
		gatherBytes(dst[plane:], src[plane*n:plane*n+n], elem, eights, n)
	}
}

// gatherBytes puts one byte of each element in its place.
func gatherBytes(dst, plane []byte, elem, first, last int) {
	for i := first; i < last; i++ {
		dst[i*elem] = plane[i]
	}
}

// gather8 puts eight bytes of each element in their place, eight elements at a
// time: eight words, one of each plane, are transposed as a matrix of bytes.
func gather8(dst, src []byte, elem, n, first, last int) {
	le := binary.LittleEndian
	for i := first; i < last; i += 8 {
		var w [8]uint64
		for p := range w {
			w[p] = le.Uint64(src[p*n+i:])
		}
		const low8, low16, low32 = 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff
		for p := 0; p < 8; p += 2 {
			w[p], w[p+1] = swapLanes(w[p], w[p+1], 8, low8)
		}
		for _, p := range [4]int{0, 1, 4, 5} {
			w[p], w[p+2] = swapLanes(w[p], w[p+2], 16, low16)
		}
		for p := range 4 {
			w[p], w[p+4] = swapLanes(w[p], w[p+4], 32, low32)
		}
		for k := range w {
			le.PutUint64(dst[(i+k)*elem:], w[k])
		}
	}
}

// swapLanes exchanges the high lane of each pair in a with the low lane of the
// pair in b: one step of transposing a matrix.
func swapLanes(a, b uint64, shift uint, low uint64) (uint64, uint64) {
	return a&low | b&low<<shift, a>>shift&low | b&^low
}

// gather4 is gather8 for four bytes of each element.
func gather4(dst, src []byte, elem, n, first, last int) {
	le := binary.LittleEndian
	for i := first; i < last; i += 8 {
		a, b := le.Uint64(src[i:]), le.Uint64(src[n+i:])
		c, d := le.Uint64(src[2*n+i:]), le.Uint64(src[3*n+i:])
		for half := 0; half < 8; half += 4 {
			ab, cd := spread8(uint32(a))|spread8(uint32(b))<<8, spread8(uint32(c))|spread8(uint32(d))<<8
			lo, hi := spread16(uint32(ab))|spread16(uint32(cd))<<16, spread16(uint32(ab>>32))|spread16(uint32(cd>>32))<<16
			at := (i + half) * elem
			le.PutUint32(dst[at:], uint32(lo))
			le.PutUint32(dst[at+elem:], uint32(lo>>32))
			le.PutUint32(dst[at+2*elem:], uint32(hi))
			le.PutUint32(dst[at+3*elem:], uint32(hi>>32))
			a, b, c, d = a>>32, b>>32, c>>32, d>>32
		}
	}
}

// gather2 is gather8 for two bytes of each element.
func gather2(dst, src []byte, elem, n, first, last int) {
	le := binary.LittleEndian
	for i := first; i < last; i += 8 {
		a, b := le.Uint64(src[i:]), le.Uint64(src[n+i:])
		for half := 0; half < 8; half += 4 {
			ab := spread8(uint32(a)) | spread8(uint32(b))<<8
			for k := range 4 {
				le.PutUint16(dst[(i+half+k)*elem:], uint16(ab>>(16*k)))
			}
			a, b = a>>32, b>>32
		}
	}
}

// spread8 puts a zero byte after each byte of x.
func spread8(x uint32) uint64 {
	v := uint64(x)
	v = (v | v<<16) & 0x0000ffff0000ffff
	return (v | v<<8) & 0x00ff00ff00ff00ff
}

// spread16 puts two zero bytes after each pair of bytes of x.
func spread16(x uint32) uint64 {
	v := uint64(x)
	return (v | v<<16) & 0x0000ffff0000ffff
}
