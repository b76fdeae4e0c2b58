package convert

import (
	"encoding/binary"
	"math/bits"
)

// limbs is a number of any size without a sign, 64 bits a limb, the lowest
// first. Its length is fixed; what a shift moves out is lost.
type limbs []uint64

// spare is how many readable bytes load needs behind an element.
const spare = 16

// load takes n bits from bit at on of the little-endian b.
func (x limbs) load(b []byte, at, n int) {
	for i := range x {
		from, left := at+64*i, n-64*i
		if left <= 0 {
			x[i] = 0
			continue
		}
		p, shift := b[from/8:], uint(from%8)
		w := binary.LittleEndian.Uint64(p)>>shift | binary.LittleEndian.Uint64(p[8:])<<(64-shift)
		if left < 64 {
			w &= 1<<left - 1
		}
		x[i] = w
	}
}

// store puts the lowest n bits to bit at of the little-endian b, where all are
// clear.
func (x limbs) store(b []byte, at, n int) {
	for i := 0; i < len(x) && 64*i < n; i++ {
		to, left := at+64*i, n-64*i
		w := x[i]
		if left < 64 {
			w &= 1<<left - 1
		}
		p, shift := b[to/8:], uint(to%8)
		binary.LittleEndian.PutUint64(p, binary.LittleEndian.Uint64(p)|w<<shift)
		binary.LittleEndian.PutUint64(p[8:], binary.LittleEndian.Uint64(p[8:])|w>>(64-shift))
	}
}

// length is the number of bits up to the highest set one.
func (x limbs) length() int {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != 0 {
			return 64*i + bits.Len64(x[i])
		}
	}
	return 0
}

func (x limbs) bit(i int) bool { return i < 64*len(x) && x[i/64]>>(i%64)&1 != 0 }

func (x limbs) setBit(i int) { x[i/64] |= 1 << (i % 64) }

// anyBelow reports whether one of the lowest n bits is set.
func (x limbs) anyBelow(n int) bool {
	for i := 0; i < len(x) && n > 0; i, n = i+1, n-64 {
		w := x[i]
		if n < 64 {
			w &= 1<<n - 1
		}
		if w != 0 {
			return true
		}
	}
	return false
}

func (x limbs) shiftRight(n int) {
	words, shift := n/64, uint(n%64)
	for i := range x {
		var low, high uint64
		if i+words < len(x) {
			low = x[i+words]
		}
		if i+words+1 < len(x) {
			high = x[i+words+1]
		}
		x[i] = low>>shift | high<<(64-shift)
	}
}

func (x limbs) shiftLeft(n int) {
	words, shift := n/64, uint(n%64)
	for i := len(x) - 1; i >= 0; i-- {
		var high, low uint64
		if i >= words {
			high = x[i-words]
		}
		if i > words {
			low = x[i-words-1]
		}
		x[i] = high<<shift | low>>(64-shift)
	}
}

func (x limbs) increment() {
	for i := range x {
		if x[i]++; x[i] != 0 {
			return
		}
	}
}

// negate takes the two's complement of the lowest n bits and clears the others.
func (x limbs) negate(n int) {
	for i := range x {
		x[i] = ^x[i]
	}
	x.increment()
	x.truncate(n)
}

// truncate clears all but the lowest n bits.
func (x limbs) truncate(n int) {
	for i := range x {
		if left := n - 64*i; left <= 0 {
			x[i] = 0
		} else if left < 64 {
			x[i] &= 1<<left - 1
		}
	}
}

// ones sets the lowest n bits and clears the others.
func (x limbs) ones(n int) {
	for i := range x {
		x[i] = ^uint64(0)
	}
	x.truncate(n)
}

// onesFrom reports whether the n bits from bit at on are all set.
func (x limbs) onesFrom(at, n int) bool {
	for i := at; i < at+n; i++ {
		if !x.bit(i) {
			return false
		}
	}
	return true
}
