package filter

import "encoding/binary"

// unshuffleGeneric gathers the elements from the first to n, eight at a time:
// eight of their bytes at once, then four, then the rest one by one.
func unshuffleGeneric(dst, src []byte, elem, n, first int) {
	eights := first + (n-first)&^7
	plane := 0
	if eights > first {
		for ; elem-plane >= 8; plane += 8 {
			gather8(dst[plane:], src[plane*n:], elem, n, first, eights)
		}
		if elem-plane >= 4 {
			gather4(dst[plane:], src[plane*n:], elem, n, first, eights)
			plane += 4
		}
		if elem == 2 {
			gather2(dst, src, n, first, eights)
			plane += 2
		}
	}
	for p := range elem {
		from := first
		if p < plane {
			from = eights
		}
		gatherBytes(dst[p:], src[p*n:p*n+n], elem, from)
	}
}

// gatherBytes puts one byte of each element in its place.
func gatherBytes(dst, plane []byte, elem, first int) {
	at := first * elem
	for _, b := range plane[first:] {
		dst[at] = b
		at += elem
	}
}

const (
	low8  = 0x00ff00ff00ff00ff // the low byte of each pair
	low16 = 0x0000ffff0000ffff
	low32 = 0x00000000ffffffff
)

// gather8 puts eight bytes of each element in their place, for eight elements at
// a time: eight words, one of each plane, are transposed as a matrix of bytes.
func gather8(dst, src []byte, elem, n, first, last int) {
	le := binary.LittleEndian
	p0, p1, p2, p3 := src[:n], src[n:2*n], src[2*n:3*n], src[3*n:4*n]
	p4, p5, p6, p7 := src[4*n:5*n], src[5*n:6*n], src[6*n:7*n], src[7*n:8*n]
	for i := first; i < last; i += 8 {
		a, b, c, d := le.Uint64(p0[i:]), le.Uint64(p1[i:]), le.Uint64(p2[i:]), le.Uint64(p3[i:])
		e, f, g, h := le.Uint64(p4[i:]), le.Uint64(p5[i:]), le.Uint64(p6[i:]), le.Uint64(p7[i:])
		a, b = a&low8|b&low8<<8, a>>8&low8|b&^low8
		c, d = c&low8|d&low8<<8, c>>8&low8|d&^low8
		e, f = e&low8|f&low8<<8, e>>8&low8|f&^low8
		g, h = g&low8|h&low8<<8, g>>8&low8|h&^low8
		a, c = a&low16|c&low16<<16, a>>16&low16|c&^low16
		b, d = b&low16|d&low16<<16, b>>16&low16|d&^low16
		e, g = e&low16|g&low16<<16, e>>16&low16|g&^low16
		f, h = f&low16|h&low16<<16, f>>16&low16|h&^low16
		out := dst[i*elem:]
		le.PutUint64(out, a&low32|e<<32)
		le.PutUint64(out[elem:], b&low32|f<<32)
		le.PutUint64(out[2*elem:], c&low32|g<<32)
		le.PutUint64(out[3*elem:], d&low32|h<<32)
		le.PutUint64(out[4*elem:], a>>32|e&^low32)
		le.PutUint64(out[5*elem:], b>>32|f&^low32)
		le.PutUint64(out[6*elem:], c>>32|g&^low32)
		le.PutUint64(out[7*elem:], d>>32|h&^low32)
	}
}

// gather4 is gather8 for four bytes of each element.
func gather4(dst, src []byte, elem, n, first, last int) {
	le := binary.LittleEndian
	p0, p1, p2, p3 := src[:n], src[n:2*n], src[2*n:3*n], src[3*n:4*n]
	for i := first; i < last; i += 8 {
		a, b, c, d := le.Uint64(p0[i:]), le.Uint64(p1[i:]), le.Uint64(p2[i:]), le.Uint64(p3[i:])
		a, b = a&low8|b&low8<<8, a>>8&low8|b&^low8
		c, d = c&low8|d&low8<<8, c>>8&low8|d&^low8
		a, c = a&low16|c&low16<<16, a>>16&low16|c&^low16
		b, d = b&low16|d&low16<<16, b>>16&low16|d&^low16
		out := dst[i*elem:]
		le.PutUint32(out, uint32(a))
		le.PutUint32(out[elem:], uint32(b))
		le.PutUint32(out[2*elem:], uint32(c))
		le.PutUint32(out[3*elem:], uint32(d))
		le.PutUint32(out[4*elem:], uint32(a>>32))
		le.PutUint32(out[5*elem:], uint32(b>>32))
		le.PutUint32(out[6*elem:], uint32(c>>32))
		le.PutUint32(out[7*elem:], uint32(d>>32))
	}
}

// gather2 is gather8 for elements of two bytes.
func gather2(dst, src []byte, n, first, last int) {
	le := binary.LittleEndian
	p0, p1 := src[:n], src[n:2*n]
	for i := first; i < last; i += 8 {
		a, b := le.Uint64(p0[i:]), le.Uint64(p1[i:])
		le.PutUint64(dst[2*i:], spread(uint32(a))|spread(uint32(b))<<8)
		le.PutUint64(dst[2*i+8:], spread(uint32(a>>32))|spread(uint32(b>>32))<<8)
	}
}

// spread puts a zero byte after each byte of x.
func spread(x uint32) uint64 {
	v := uint64(x)
	v = (v | v<<16) & low16
	return (v | v<<8) & low8
}
