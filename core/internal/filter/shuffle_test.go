package filter

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// unshufflePlain is the definition: byte p of element i is byte i of plane p.
func unshufflePlain(dst, src []byte, elem int) {
	n := len(src) / elem
	copy(dst, src)
	for i := range n {
		for p := range elem {
			dst[i*elem+p] = src[p*n+i]
		}
	}
}

func random(n int) []byte {
	rnd := rand.New(rand.NewPCG(uint64(n), 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return b
}

func TestUnshuffleFastAndGenericEqualTheDefinition(t *testing.T) {
	for elem := 2; elem <= 33; elem++ {
		for n := range 70 {
			for _, rest := range []int{0, 1, elem - 1} {
				if n == 0 {
					continue
				}
				src := random(n*elem + rest)
				want, got := make([]byte, len(src)), make([]byte, len(src)+1)
				unshufflePlain(want, src, elem)
				unshuffle(got[:len(src)], src, elem)
				if !bytes.Equal(got[:len(src)], want) || got[len(src)] != 0 {
					t.Fatalf("%d elements of %d bytes and %d more: got %x, want %x", n, elem, rest, got, want)
				}
				clear(got)
				unshuffleGeneric(got[:n*elem], src, elem, n, 0)
				if !bytes.Equal(got[:n*elem], want[:n*elem]) {
					t.Fatalf("generic, %d elements of %d bytes: got %x, want %x", n, elem, got, want)
				}
			}
		}
	}
}

func BenchmarkUnshuffle(b *testing.B) {
	const size = 1 << 20
	src, dst := random(size), make([]byte, size)
	for _, elem := range []int{2, 3, 4, 8, 12, 16} {
		n := size / elem
		b.Run(fmt.Sprintf("fast/%d", elem), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				unshuffle(dst, src, elem)
			}
		})
		b.Run(fmt.Sprintf("generic/%d", elem), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				unshuffleGeneric(dst, src, elem, n, 0)
			}
		})
	}
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			copy(dst, src)
		}
	})
}
