package inflate

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"testing"

	klauspost "github.com/klauspost/compress/zlib"
)

// reference decodes with a streaming reader, as Zlib must.
func reference(open func(io.Reader) (io.ReadCloser, error), src []byte, room int) ([]byte, error) {
	r, err := open(bytes.NewReader(src))
	if err != nil {
		return nil, ErrStream
	}
	out, err := io.ReadAll(io.LimitReader(r, int64(room)+1))
	switch {
	case err != nil:
		return nil, ErrStream
	case len(out) > room:
		return nil, ErrRoom
	}
	return out, nil
}

// checkAgrees compares Zlib with streaming readers. libdeflate lets pass some
// broken codes that they refuse (a code of one symbol, more than 30 distances);
// what it then gives must have the right checksum.
func checkAgrees(t *testing.T, src []byte, room int) (accepted bool) {
	t.Helper()
	out := make([]byte, room)
	n, err := Zlib(out, src)
	for name, open := range map[string]func(io.Reader) (io.ReadCloser, error){
		"compress/zlib": zlib.NewReader, "klauspost": klauspost.NewReader,
	} {
		want, wantErr := reference(open, src, room)
		if err == nil && wantErr != nil && Implementation == "libdeflate" && endsInSumOf(src, out[:n]) {
			continue
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%s and %s differ: %v, %v; room %d, stream %x", Implementation, name, err, wantErr, room, src)
		}
		if err == nil && !bytes.Equal(out[:n], want) {
			t.Fatalf("%s and %s differ: %x, %x; stream %x", Implementation, name, out[:n], want, src)
		}
	}
	return err == nil
}

func endsInSumOf(src, plain []byte) bool {
	return bytes.Contains(src, binary.BigEndian.AppendUint32(nil, adler32.Checksum(plain)))
}

func payloads() map[string][]byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3000)
	ramp := make([]byte, 1500)
	text := make([]byte, 40000)
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
	}
	for i := range ramp {
		ramp[i] = byte(i * i >> 6)
	}
	for i := range text {
		text[i] = "etaoin shrdlu"[rnd.IntN(4+rnd.IntN(10))]
	}
	return map[string][]byte{
		"nothing": {}, "one byte": {7}, "zeros": make([]byte, 10000), "noise": noise, "ramp": ramp, "text": text,
	}
}

func compress(t testing.TB, plain []byte, level int) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(plain)
	w.Close()
	return b.Bytes()
}

func TestZlibAgreesWithStreamingReaders(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for name, plain := range payloads() {
		for _, level := range []int{zlib.NoCompression, zlib.BestSpeed, 6, zlib.HuffmanOnly} {
			t.Run(fmt.Sprintf("%s at level %d", name, level), func(t *testing.T) {
				stream := compress(t, plain, level)
				if !checkAgrees(t, stream, len(plain)) {
					t.Fatal("a good stream is refused")
				}
				for _, room := range []int{0, len(plain) / 2, len(plain) - 1, len(plain) + 1, 2 * len(plain)} {
					checkAgrees(t, stream, max(room, 0))
				}
				checkAgrees(t, append(bytes.Clone(stream), "more"...), len(plain))
				for range 40 {
					bad := bytes.Clone(stream)
					switch rnd.IntN(4) {
					case 0:
						bad = bad[:rnd.IntN(len(bad))]
					case 1:
						bad[rnd.IntN(min(len(bad), 60))] ^= 1 << rnd.IntN(8)
					default:
						bad[rnd.IntN(len(bad))] ^= byte(1 + rnd.IntN(255))
					}
					checkAgrees(t, bad, len(plain))
				}
			})
		}
	}
}

func TestSmallRoomAndBadStreamsAreErrors(t *testing.T) {
	plain := payloads()["ramp"]
	stream := compress(t, plain, 6)
	room := make([]byte, len(plain))
	if n, err := Zlib(room, stream); err != nil || !bytes.Equal(room[:n], plain) {
		t.Fatal(n, err)
	}
	if _, err := Zlib(room[:len(plain)-1], stream); err != ErrRoom {
		t.Errorf("small room: %v", err)
	}
	for n := range stream {
		if _, err := Zlib(room, stream[:n]); err == nil {
			t.Fatalf("%d of %d bytes were enough", n, len(stream))
		}
	}
	stream[len(stream)-1] ^= 1
	if _, err := Zlib(room, stream); err != ErrStream {
		t.Errorf("wrong Adler-32: %v", err)
	}
}

func FuzzZlib(f *testing.F) {
	for _, plain := range payloads() {
		f.Add(compress(f, plain, 6), len(plain))
	}
	f.Fuzz(func(t *testing.T, src []byte, room int) {
		if room >= 0 && room < 1<<17 {
			checkAgrees(t, src, room)
		}
	})
}

func BenchmarkZlib(b *testing.B) {
	for name, plain := range payloads() {
		if len(plain) < 1000 {
			continue
		}
		stream := compress(b, plain, 4)
		b.Run(Implementation+"/"+name, func(b *testing.B) {
			room := make([]byte, len(plain))
			b.SetBytes(int64(len(plain)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Zlib(room, stream); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
