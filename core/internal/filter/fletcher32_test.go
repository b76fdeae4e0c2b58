package filter

import (
	"bytes"
	"testing"
)

// fletcherPlain adds word by word.
func fletcherPlain(data []byte) uint32 {
	mod := func(x uint64) uint64 {
		if x == 0 {
			return 0
		}
		return (x-1)%65535 + 1
	}
	var a, b uint64
	for i := 0; i < len(data); i += 2 {
		w := uint64(data[i]) << 8
		if i+1 < len(data) {
			w |= uint64(data[i+1])
		}
		a = mod(a + w)
		b = mod(b + a)
	}
	return uint32(b<<16 | a)
}

func TestFletcherInLanesEqualsWordByWord(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 8, 9, 15, 16, 31, 32, 5759, 5760, 5761, 5776, 11520, 11527, 100003} {
		for name, data := range map[string][]byte{
			"random": random(n), "zeros": make([]byte, n), "ones": bytes.Repeat([]byte{0xff}, n),
			"first": append(make([]byte, n), 1)[min(1, n):], "sum of 65535": append(make([]byte, n), 0xff, 0xfe, 0, 1),
		} {
			if got, want := fletcherSum(data), fletcherPlain(data); got != want {
				t.Errorf("%s, %d bytes: %#08x, want %#08x", name, len(data), got, want)
			}
		}
	}
}

func TestFletcherLanesFastAndGenericAreEqual(t *testing.T) {
	for _, steps := range []int{1, 2, 3, fletcherSteps} {
		for _, data := range [][]byte{random(steps * fletcherStep), bytes.Repeat([]byte{0xff}, steps*fletcherStep)} {
			var fast, generic fletcherLanes
			addLanes(&fast, data)
			addLanesGeneric(&generic, data)
			if fast != generic {
				t.Errorf("%d steps: %v, %v", steps, fast, generic)
			}
		}
	}
}

func BenchmarkFletcher32(b *testing.B) {
	data := random(1 << 20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		fletcherSum(data)
	}
}
