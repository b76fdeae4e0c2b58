package zfp

// word holds a value or a coefficient of it, whatever its type.
type word interface{ uint32 | uint64 }

// signed is the number that a word may be.
type signed interface{ int32 | int64 }

// bitsOf returns the bits of a word of type U.
func bitsOf[U word]() uint {
	if ^U(0)>>16>>16 != 0 {
		return 64
	}
	return 32
}

// fromNegabinary returns the number whose digits to the base of -2 are the bits
// of v, in two's complement.
func fromNegabinary[U word](v U) U {
	const odd = 0xaaaaaaaaaaaaaaaa // places whose weight is negative
	mask := uint64(odd)
	return (v ^ U(mask)) - U(mask)
}

// half shifts a number in two's complement by one place.
func half[U word, I signed](v U) U { return U(I(v) >> 1) }

// unlift undoes the transform of four values.
func unlift[U word, I signed](x, y, z, w U) (U, U, U, U) {
	y += half[U, I](w)
	w -= half[U, I](y)
	y += w
	w += w - y
	z += x
	x += x - z
	y += z
	z += z - y
	w += x
	x += x - w
	return x, y, z, w
}

// undiff undoes the transform of four values that loses nothing: differences of
// the first to the third order.
func undiff[U word](x, y, z, w U) (U, U, U, U) {
	w += z
	z += y
	w += z
	y += x
	z += y
	w += z
	return x, y, z, w
}

// unliftBlock undoes the transform along all dimensions, the slowest first.
func unliftBlock[U word, I signed](p []U) {
	for s := len(p) / 4; s > 1; s /= 4 {
		for g := p; len(g) >= 4*s; g = g[4*s:] {
			a, b, c, d := g[:s], g[s:2*s], g[2*s:3*s], g[3*s:4*s]
			b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
			for i := range a {
				a[i], b[i], c[i], d[i] = unlift[U, I](a[i], b[i], c[i], d[i])
			}
		}
	}
	for ; len(p) >= 4; p = p[4:] {
		p[0], p[1], p[2], p[3] = unlift[U, I](p[0], p[1], p[2], p[3])
	}
}

// undiffBlock is unliftBlock for the transform that loses nothing.
func undiffBlock[U word](p []U) {
	for s := len(p) / 4; s >= 1; s /= 4 {
		for g := p; len(g) >= 4*s; g = g[4*s:] {
			a, b, c, d := g[:s], g[s:2*s], g[2*s:3*s], g[3*s:4*s]
			b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
			for i := range a {
				a[i], b[i], c[i], d[i] = undiff(a[i], b[i], c[i], d[i])
			}
		}
	}
}
