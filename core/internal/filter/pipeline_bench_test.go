package filter_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"testing"

	"clawh5/core/internal/filter"
)

// floats are n float32 of a smooth field with a little noise, shuffled by hand.
func shuffledFloats(n int) []byte {
	planes := make([]byte, 4*n)
	for i := range n {
		v := float32(280 + 20*math.Sin(float64(i)/300) + float64(i*7919%64)/64)
		v = float32(math.Round(float64(v)*100) / 100)
		var e [4]byte
		binary.LittleEndian.PutUint32(e[:], math.Float32bits(v))
		for p, b := range e {
			planes[p*n+i] = b
		}
	}
	return planes
}

func BenchmarkShuffledDeflatedChunk(b *testing.B) {
	for _, c := range []struct {
		name  string
		elems int
	}{{"108 KiB", 27648}, {"1 MiB", 1 << 18}} {
		b.Run(c.name, func(b *testing.B) {
			planes := shuffledFloats(c.elems)
			var stored bytes.Buffer
			w, _ := zlib.NewWriterLevel(&stored, 4)
			w.Write(planes)
			w.Close()
			p, err := filter.Compile([]filter.Spec{{ID: filter.Shuffle, Params: []uint32{4}}, {ID: filter.Deflate}}, len(planes), 4)
			if err != nil {
				b.Fatal(err)
			}
			dst, scratch := make([]byte, len(planes)), new(filter.Scratch)
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				if err := p.Decode(dst, stored.Bytes(), 0, scratch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFilters(b *testing.B) {
	for _, id := range tested {
		for _, c := range casesOf(b, id) {
			if len(c.Plain) < 1000 {
				continue
			}
			f, dst := lookup(b, id), make([]byte, 0, len(c.Plain))
			b.Run(c.Name, func(b *testing.B) {
				b.SetBytes(int64(len(c.Plain)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := f.Decode(dst, c.Stored, c.Params, len(c.Plain), len(c.Plain)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
