package filter

import (
	"bytes"
	"fmt"
	"testing"
)

// bitUnshufflePlain is the definition, bit by bit.
func bitUnshufflePlain(dst, src []byte, elem int) {
	n := len(src) / elem
	clear(dst)
	for i := range n {
		for bit := range 8 * elem {
			row := src[bit*n/8 : (bit+1)*n/8]
			dst[i*elem+bit/8] |= row[i/8] >> (i % 8) & 1 << (bit % 8)
		}
	}
}

func TestBitUnshuffleEqualsTheDefinition(t *testing.T) {
	for _, elem := range []int{1, 2, 3, 4, 5, 8, 12, 16, 17} {
		for _, n := range []int{8, 16, 24, 56, 64, 72, 128, 136, 520} {
			src := random(n * elem)
			want, got, tmp := make([]byte, len(src)), make([]byte, len(src)), make([]byte, len(src))
			bitUnshufflePlain(want, src, elem)
			bitUnshuffle(got, src, tmp, elem)
			if !bytes.Equal(got, want) {
				t.Fatalf("%d elements of %d bytes: got %x, want %x", n, elem, got, want)
			}
			bitUnshuffle(src, src, tmp, elem)
			if !bytes.Equal(src, want) {
				t.Fatalf("%d elements of %d bytes in place: got %x, want %x", n, elem, src, want)
			}
		}
	}
}

func BenchmarkBitUnshuffle(b *testing.B) {
	const size = 8192
	src, dst, tmp := random(size), make([]byte, size), make([]byte, size)
	for _, elem := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprint(elem), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				bitUnshuffle(dst, src, tmp, elem)
			}
		})
	}
}
