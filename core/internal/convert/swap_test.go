package convert

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"clawh5/core/internal/format"
)

func random(n int) []byte {
	rnd := rand.New(rand.NewPCG(uint64(n), 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return b
}

func TestSwapFastAndGenericReverseEachElement(t *testing.T) {
	for _, size := range []int{1, 2, 3, 4, 5, 8, 10, 16} {
		for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200} {
			src := random(n * size)
			want := turned(src, size)
			got := make([]byte, len(src)+1)
			swap(size).Run(got, src, n)
			if !bytes.Equal(got[:len(src)], want) || got[len(src)] != 0 {
				t.Fatalf("%d elements of %d bytes: got %x, want %x", n, size, got, want)
			}
			if size == 2 || size == 4 || size == 8 || size == 16 {
				clear(got)
				swapGeneric(got[:len(src)], src, size)
				if !bytes.Equal(got[:len(src)], want) {
					t.Fatalf("generic, %d elements of %d bytes: got %x, want %x", n, size, got, want)
				}
			}
			swap(size).Run(src, src, n)
			if !bytes.Equal(src, want) {
				t.Fatalf("in place, %d elements of %d bytes: got %x, want %x", n, size, src, want)
			}
		}
	}
}

func BenchmarkSwap(b *testing.B) {
	const bytes = 1 << 20
	src, dst := random(bytes), make([]byte, bytes)
	for _, size := range []int{2, 4, 8, 16} {
		b.Run(fmt.Sprintf("fast/%d", size), func(b *testing.B) {
			run := swap(size).Run
			b.SetBytes(bytes)
			for b.Loop() {
				run(dst, src, bytes/size)
			}
		})
		b.Run(fmt.Sprintf("generic/%d", size), func(b *testing.B) {
			b.SetBytes(bytes)
			for b.Loop() {
				swapGeneric(dst, src, size)
			}
		})
	}
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(bytes)
		for b.Loop() {
			copy(dst, src)
		}
	})
}

func BenchmarkNumbers(b *testing.B) {
	const n = 1 << 16
	src, dst := make([]byte, 8*n), make([]byte, 8*n)
	for _, c := range []struct {
		name     string
		from, to kind
		order    format.Order
	}{
		{"int16 to float32", int16s, float32s, format.LittleEndian},
		{"big-endian float32 to float64", float32s, float64s, format.BigEndian},
		{"float64 to float32", float64s, float32s, format.LittleEndian},
		{"int32 to uint8", int32s, uint8s, format.LittleEndian},
		{"float16 to float32", float16s, float32s, format.LittleEndian},
	} {
		b.Run(c.name, func(b *testing.B) {
			run := compiled(b, number(c.from, c.order), number(c.to, format.LittleEndian)).Run
			b.SetBytes(int64(n * kindSize[c.from]))
			b.ReportAllocs()
			for b.Loop() {
				run(dst, src, n)
			}
		})
	}
}
