package jpeg

// Factors of the transform, as integers of 13 bits of fraction: of the cosines
// c_k = cos(k pi / 16) times the square root of 2.
const (
	fraction = 13
	extra    = 2 // bits of fraction between the passes

	f0298 = 2446  // -c1 + c3 + c5 - c7
	f0390 = 3196  // c5 - c3, negated
	f0541 = 4433  // c6
	f0765 = 6270  // c2 - c6
	f0899 = 7373  // c3 - c7
	f1175 = 9633  // c3
	f1501 = 12299 // c1 + c3 - c5 - c7
	f1847 = 15137 // c2 + c6
	f1961 = 16069 // c3 + c5
	f2053 = 16819 // c1 + c3 - c5 + c7
	f2562 = 20995 // c1 + c3
	f3072 = 25172 // c1 + c3 + c5 - c7
)

// inverse writes the samples of a block to dst, whose lines lie stride apart:
// the algorithm of Loeffler, Ligtenberg and Moschytz with 12 multiplications, by
// columns and then by lines.
func inverse(b *[64]int32, dst []byte, stride int) {
	for x := range 8 {
		eight(b[x:], 8, fraction-extra)
	}
	for y := range 8 {
		line := b[8*y : 8*y+8 : 8*y+8]
		eight(line, 1, fraction+extra+3)
		out := dst[y*stride : y*stride+8 : y*stride+8]
		for x, v := range line {
			out[x] = uint8(min(max(v+128, 0), 255))
		}
	}
}

// eight transforms eight numbers that lie step apart, and divides them by 2 to
// the power of shift.
func eight(b []int32, step int, shift uint) {
	x0, x1, x2, x3 := b[0], b[step], b[2*step], b[3*step]
	x4, x5, x6, x7 := b[4*step], b[5*step], b[6*step], b[7*step]

	z := (x2 + x6) * f0541
	low, high := z-x6*f1847, z+x2*f0765
	sum, diff := (x0+x4)<<fraction, (x0-x4)<<fraction
	e0, e3, e1, e2 := sum+high, sum-high, diff+low, diff-low

	z5 := (x7 + x3 + x5 + x1) * f1175
	z1, z2 := -(x7+x1)*f0899, -(x5+x3)*f2562
	z3, z4 := z5-(x7+x3)*f1961, z5-(x5+x1)*f0390
	o0, o1 := x7*f0298+z1+z3, x5*f2053+z2+z4
	o2, o3 := x3*f3072+z2+z3, x1*f1501+z1+z4

	half := int32(1) << (shift - 1)
	b[0], b[7*step] = (e0+o3+half)>>shift, (e0-o3+half)>>shift
	b[step], b[6*step] = (e1+o2+half)>>shift, (e1-o2+half)>>shift
	b[2*step], b[5*step] = (e2+o1+half)>>shift, (e2-o1+half)>>shift
	b[3*step], b[4*step] = (e3+o0+half)>>shift, (e3-o0+half)>>shift
}
