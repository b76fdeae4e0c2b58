package convert

import "sync"

// blockBytes is the room for what lies between the steps of a conversion: small
// enough to stay in the first-level cache.
const blockBytes = 8 << 10

var blocks = sync.Pool{New: func() any { return new([blockBytes]byte) }}

// chain runs a and then b, a block of elements at a time. Elements between the
// two are numbers, which fit a block many times.
func chain(a, b Conversion) Conversion {
	switch {
	case a.Identity:
		return b
	case b.Identity:
		return a
	}
	c := Conversion{SrcSize: a.SrcSize, DstSize: b.DstSize}
	c.InPlace = a.InPlace && b.InPlace && c.SrcSize == c.DstSize
	if b.InPlace && b.SrcSize == b.DstSize {
		c.Run = func(dst, src []byte, n int) {
			eachBlock(c, dst, src, n, blockBytes/b.DstSize, func(dst, src []byte, k int) {
				a.Run(dst, src, k)
				b.Run(dst, dst, k)
			})
		}
		return c
	}
	c.Run = func(dst, src []byte, n int) {
		between := blocks.Get().(*[blockBytes]byte)
		eachBlock(c, dst, src, n, blockBytes/a.DstSize, func(dst, src []byte, k int) {
			a.Run(between[:], src, k)
			b.Run(dst, between[:], k)
		})
		blocks.Put(between)
	}
	return c
}

// eachBlock cuts n elements into blocks of at most size elements.
func eachBlock(c Conversion, dst, src []byte, n, size int, run Func) {
	for n > 0 {
		k := min(n, size)
		run(dst, src, k)
		dst, src, n = dst[k*c.DstSize:], src[k*c.SrcSize:], n-k
	}
}
