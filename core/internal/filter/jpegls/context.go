package jpegls

import "math/bits"

// context is what is known of samples whose neighbours are alike.
type context struct{ a, b, c, n int32 }

// runContext is that of samples that end a run: a, n and how many errors were
// negative.
type runContext struct{ a, n, nn int32 }

// sample decodes a sample that is predicted, in a context (T.87 A.4 to A.6).
func (s *scan) sample(q, predicted int32) (int32, error) {
	sign := q >> 31
	ctx := &s.contexts[(q^sign)-sign]
	k := golomb(ctx.n, ctx.a)
	code, err := s.code(k, s.limit)
	if err != nil {
		return 0, err
	}
	e := code>>1 ^ -(code & 1)
	if k == 0 && s.near == 0 && 2*ctx.b+ctx.n-1 < 0 {
		e = ^e
	}
	predicted = s.clamp(predicted + (ctx.c ^ sign - sign))
	ctx.update(e, s.step, s.reset)
	return s.reconstruct(predicted, (e^sign)-sign), nil
}

// golomb returns how many bits of a code are plain: the least k with n<<k >= a.
func golomb(n, a int32) int {
	k := max(0, bits.Len32(uint32(a))-bits.Len32(uint32(n)))
	if n<<k < a {
		k++
	}
	return k
}

// maxPlain is the highest number of plain bits: errors have 16 bits.
const maxPlain = 16

// code decodes a number: zeros that say how often 2^k fits and the k bits of the
// rest, or, after as many zeros as there may be, the number less one.
func (s *scan) code(k, limit int) (int32, error) {
	most := int32(limit - s.bits - 1)
	high := s.r.zeros()
	if k > maxPlain || high > most || s.r.have < 0 {
		return 0, errBits
	}
	v := int32(0)
	if high == most {
		v = s.r.take(s.bits) + 1
	} else {
		v = high<<k | s.r.take(k)
	}
	if v > 2<<maxPlain || s.r.have < 0 {
		return 0, errBits
	}
	return v, nil
}

func (ctx *context) update(e, step, reset int32) {
	const lowest, highest = -128, 127
	ctx.a += max(e, -e)
	ctx.b += e * step
	if ctx.n == reset {
		ctx.a >>= 1
		ctx.b >>= 1
		ctx.n >>= 1
	}
	ctx.n++
	if ctx.b+ctx.n <= 0 {
		ctx.b = max(ctx.b+ctx.n, 1-ctx.n)
		ctx.c = max(ctx.c-1, lowest)
	} else if ctx.b > 0 {
		ctx.b = min(ctx.b-ctx.n, 0)
		ctx.c = min(ctx.c+1, highest)
	}
}

func (s *scan) clamp(v int32) int32 { return min(max(v, 0), s.top) }

// reconstruct adds an error, of which only the remainder is coded.
func (s *scan) reconstruct(predicted, e int32) int32 {
	v := predicted + e*s.step
	if v < -s.near {
		v += s.values * s.step
	} else if v > s.top+s.near {
		v -= s.values * s.step
	}
	return s.clamp(v)
}
