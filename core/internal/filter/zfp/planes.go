package zfp

import "math/bits"

// planes holds the planes of bits of a block's coefficients as rows of tiles,
// each of which is made for being turned into columns: see put.
type planes struct {
	tiles [16]tile
	size  int // coefficients of a block
	words int // words of a plane
	used  int // coefficients that may have bits: those before
	low   int // the lowest plane that was read
}

type tile [16]uint64

func planesOf(rank int) planes {
	size := 1 << (2 * rank)
	return planes{size: size, words: (size + 63) / 64}
}

// put stores the bits in plane k of 64 coefficients, or of all if there are
// fewer. There is a row for each plane; of blocks of 16 coefficients, four
// planes share one, and of blocks of 4 coefficients 16 planes.
func (p *planes) put(k, w int, x uint64) {
	switch p.size {
	case 4:
		p.tiles[0][k>>4&15] |= x << (k & 15 * 4)
	case 16:
		p.tiles[0][k&15] |= x << (k >> 4 * 16)
	default:
		p.tile(k, w)[k&15] = x
	}
}

// tile returns the tile that has plane k of the coefficients from 64*w on, in
// blocks that have so many.
func (p *planes) tile(k, w int) *tile { return &p.tiles[(k>>4*p.words+w)&15] }

// stream is a bitReader with some bits at hand, and what is left to be read.
type stream struct {
	src    []byte
	at     uint64 // where in src the bits after those at hand are
	buf    uint64
	have   uint // bits of buf that count
	budget uint32
	k      int // planes from k on were read
}

// atHand is how many bits a stream has at hand before it takes some, so that few
// steps need more.
const atHand = 32

// load makes sure of bits at hand.
func (s *stream) load() {
	s.buf |= load(s.src, s.at) << s.have
	s.at += uint64(63-s.have) >> 3
	s.have |= 56
}

// take returns the following n bits, at most atHand.
func (s *stream) take(n uint) uint64 {
	if s.have < atHand {
		s.load()
	}
	x := s.buf & (1<<n - 1)
	s.buf >>= n
	s.have -= n
	return x
}

// read reads the planes below top down to end in at most budget bits.
func (p *planes) read(r *bitReader, budget uint32, top, end int) {
	clear(p.tiles[:max(1, p.words*top/16)])
	s := stream{src: r.src, at: r.pos>>3 + 8, buf: r.peek(), have: uint(64 - r.pos&7), budget: budget, k: top}
	p.sparse(&s, end)
	p.dense(&s, end)
	p.low = s.k
	r.pos = s.at*8 - uint64(s.have)
}

// sparse reads planes until all coefficients have a bit.
//
// In a plane, the coefficients that have a bit in an earlier one come first;
// then a bit says whether any of the following has its first one here, and if so
// zeros lead to it, but for the last one, and so on.
func (p *planes) sparse(s *stream, end int) {
	src, at, buf, have, budget, k := s.src, s.at, s.buf, s.have, s.budget, s.k
	size, n := uint32(p.size), uint32(0)
	for k > end && budget > 0 && n < size {
		k--
		known := min(n, budget)
		budget -= known
		x, w := uint64(0), 0
		for base := uint32(0); ; base += atHand {
			if have < atHand {
				buf |= load(src, at) << have
				at += uint64(63-have) >> 3
				have |= 56
			}
			step := min(known-base, atHand)
			x |= buf & (1<<step - 1) << (base & 63)
			buf >>= step
			have -= uint(step)
			if known-base <= atHand {
				break
			}
			if base&63 != 0 {
				p.put(k, w, x)
				x, w = 0, w+1
			}
		}
		for n < size && budget > 0 {
			if have < atHand {
				buf |= load(src, at) << have
				at += uint64(63-have) >> 3
				have |= 56
			}
			budget--
			test := buf & 1
			buf >>= 1
			have--
			if test == 0 {
				break
			}
			most := min(size-1-n, budget)
			run := uint32(bits.TrailingZeros64(buf))
			used := run + 1
			if run >= min(most, uint32(have)) {
				run, used = most, most
				if most > uint32(have) {
					rest := bitReader{src, at*8 - uint64(have)}
					run, used = rest.zeros(most)
					buf, have, at = rest.peek(), uint(64-rest.pos&7), rest.pos>>3+8
					budget -= used
					used = 0
				}
			}
			buf >>= used
			have -= uint(used)
			budget -= used
			n += run
			if int(n>>6) != w {
				p.put(k, w, x)
				x, w = 0, int(n>>6)
			}
			x |= 1 << (n & 63)
			n++
		}
		p.put(k, w, x)
	}
	p.used = int(n)
	s.at, s.buf, s.have, s.budget, s.k = at, buf, have, budget, k
}

// dense reads planes in which each coefficient has a bit.
func (p *planes) dense(s *stream, end int) {
	for s.k > end && s.budget > 0 {
		s.k--
		left := min(uint32(p.size), s.budget)
		s.budget -= left
		for w := 0; left > 0; w++ {
			low := min(left, atHand)
			x := s.take(uint(low))
			high := min(left-low, atHand)
			if high > 0 {
				x |= s.take(uint(high)) << atHand
			}
			p.put(s.k, w, x)
			left -= low + high
		}
	}
}

// gather makes the coefficients of their bits.
func gather[U word](coeffs []U, p *planes) {
	switch p.size {
	case 4:
		for i := range coeffs {
			v := uint64(0)
			for g := p.low >> 4; g < int(bitsOf[U]())/16; g++ {
				v |= everyFourth(p.tiles[0][g&15]>>(i&3)) << (16 * g)
			}
			coeffs[i] = U(v)
		}
	case 16:
		p.tiles[0].transpose()
		for i := range coeffs {
			coeffs[i] = U(p.tiles[0][i&15])
		}
	default:
		clear(coeffs)
		gatherTiles(coeffs, p)
	}
}

func gatherTiles[U word](coeffs []U, p *planes) {
	for k := p.low &^ 15; k < int(bitsOf[U]()); k += 16 {
		for w := range (p.used + 63) / 64 {
			t := p.tile(k, w)
			if t.empty() {
				continue
			}
			t.transpose()
			part := coeffs[64*w : 64*w+64]
			for i, row := range t {
				part[i] |= U(row&0xffff) << k
				part[i+16] |= U(row>>16&0xffff) << k
				part[i+32] |= U(row>>32&0xffff) << k
				part[i+48] |= U(row>>48) << k
			}
		}
	}
}

// everyFourth returns every fourth bit of x, from the first one on.
func everyFourth(x uint64) uint64 {
	x &= 0x1111111111111111
	x = (x | x>>3) & 0x0303030303030303
	x = (x | x>>6) & 0x000f000f000f000f
	x = (x | x>>12) & 0x000000ff000000ff
	return (x | x>>24) & 0xffff
}

func (t *tile) empty() bool {
	any := uint64(0)
	for _, row := range t {
		any |= row
	}
	return any == 0
}

// transpose swaps rows and columns in each of the four squares of a tile.
func (t *tile) transpose() {
	for i := range 8 {
		t.swap(i, i+8, 8, 0x00ff00ff00ff00ff)
	}
	for i := range 8 {
		j := i&3 | i&4<<1
		t.swap(j, j+4, 4, 0x0f0f0f0f0f0f0f0f)
	}
	for i := range 8 {
		j := i&1 | i&6<<1
		t.swap(j, j+2, 2, 0x3333333333333333)
	}
	for i := range 8 {
		t.swap(2*i, 2*i+1, 1, 0x5555555555555555)
	}
}

// swap swaps the upper of two halves of row i with the lower ones of row j.
func (t *tile) swap(i, j int, s uint, lower uint64) {
	a, b := &t[i&15], &t[j&15]
	x := (*a>>s ^ *b) & lower
	*b ^= x
	*a ^= x << s
}
