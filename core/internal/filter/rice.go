package filter

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// rice decodes the blocks of the adaptive entropy coder of CCSDS 121.0-B. A block
// begins with a number that names its coding:
//
//	0         and a bit of 0: blocks of zeros, as many as a count says
//	0         and a bit of 1: pairs of small samples, each pair one count
//	1…2^w-2   samples whose upper bits are a count and whose lower k bits, one
//	          less than the number, follow after those of the whole block
//	2^w-1     samples as they are
//
// A count n is n bits of 0 and a bit of 1. Where samples are predicted, the first
// sample of a line is not coded in its block but stands before it as it is, and
// the others are differences to the sample before them, folded to be positive.
type rice struct {
	in        riceBits
	bits      int // of a sample
	idBits    int // of the number of a coding
	block     int // samples of a block
	line      int // samples of a line, without those that fill it up
	predicted bool
}

var (
	errRiceShort = errors.New("ends in the middle of a block")
	errRiceZeros = errors.New("more zeros than a line has samples")
	errRiceRange = errors.New("a sample has more bits than it may have")
	errRicePair  = errors.New("a pair of samples is larger than the coding has")
)

func newRice(src []byte, bits, block, line int, predicted bool) rice {
	d := rice{in: riceBits{src: src}, bits: bits, block: block, line: line, predicted: predicted}
	switch {
	case bits > 16:
		d.idBits = 5
	case bits > 8:
		d.idBits = 4
	default:
		d.idBits = 3
	}
	return d
}

// next returns the first n samples of the next line, decoded into buf, which has
// room for a line and a block. Only the last line may be asked for in part.
func (d *rice) next(buf []uint32, n int) ([]uint32, error) {
	blocks := (d.line + d.block - 1) / d.block
	all := buf[:blocks*d.block]
	for at := 0; at < n; {
		got, err := d.decodeBlock(all, at)
		if err != nil {
			return nil, err
		}
		if d.in.short {
			return nil, errRiceShort
		}
		at += got
	}
	if d.predicted {
		d.integrate(all[:n])
	}
	return all[:n], nil
}

// decodeBlock decodes one block, or several of zeros, to all[at:] and returns
// how many samples these are.
func (d *rice) decodeBlock(all []uint32, at int) (int, error) {
	id, last := int(d.in.take(d.idBits)), 1<<d.idBits-1
	low := id == 0 && d.in.take(1) == 0
	out := all[at : at+d.block]
	if id == last {
		for i := range out {
			out[i] = d.in.take(d.bits)
		}
		return d.block, nil
	}
	coded := out
	if d.predicted && at == 0 {
		out[0] = d.in.take(d.bits)
		coded = out[1:]
	}
	switch {
	case low:
		return d.zeros(all, at, d.block-len(coded))
	case id == 0:
		return d.block, d.pairs(coded)
	}
	return d.block, d.split(coded, id-1)
}

// split decodes samples with k bits that are not in a count.
func (d *rice) split(out []uint32, k int) error {
	var seen uint64
	in, acc, n := &d.in, d.in.acc, d.in.n // acc and n stay in registers
	for i := range out {
		v := uint64(bits.LeadingZeros64(acc))
		if int(v) < n {
			acc = acc << (v & 63) << 1
			n -= int(v) + 1
		} else {
			in.acc, in.n = acc, n
			v = in.longCount()
			acc, n = in.acc, in.n
		}
		v <<= k
		seen |= v
		out[i] = uint32(v)
	}
	if seen>>d.bits != 0 || k > d.bits {
		return errRiceRange
	}
	if k > 0 {
		for i := range out {
			if n < k {
				in.acc, in.n = acc, n
				in.need(k)
				acc, n = in.acc, in.n
			}
			out[i] |= uint32(acc >> (64 - k))
			acc <<= k & 63
			n -= k
		}
	}
	in.acc, in.n = acc, n
	return nil
}

// zeros decodes a run of blocks of zeros, the first of which has skip samples
// before it. A count of 4 says that the run goes to the end of the line or of 64
// blocks, counted from the line's begin; larger counts are of one block less.
func (d *rice) zeros(all []uint32, at, skip int) (int, error) {
	const rest, segment = 5, 64
	count := d.in.count() + 1
	left := uint64((len(all) - at) / d.block)
	switch {
	case count == rest:
		count = min(left, segment-uint64(at/d.block%segment))
	case count > rest:
		count--
	}
	if count > left {
		return 0, errRiceZeros
	}
	n := int(count) * d.block
	clear(all[at+skip : at+n])
	return n, nil
}

// pairs decodes pairs a, b that are one count (a+b)(a+b+1)/2 + b. Where a sample
// stands before the block, the first of the first pair is not there.
func (d *rice) pairs(out []uint32) error {
	const most = 90 // a+b is less than 13
	for i := -(len(out) % 2); i < len(out); i += 2 {
		m := d.in.count()
		if m > most {
			return errRicePair
		}
		sum, first := uint64(0), uint64(0)
		for first+sum < m {
			sum++
			first += sum
		}
		b := m - first
		if i >= 0 {
			out[i] = uint32(sum - b)
		}
		out[i+1] = uint32(b)
		if sum>>d.bits != 0 {
			return errRiceRange
		}
	}
	return nil
}

// integrate makes samples of differences. A difference to a sample x is folded:
// 0, -1, 1, -2, 2, … as far as both x-i and x+i are samples, and from there on
// the others in order.
func (d *rice) integrate(samples []uint32) {
	top := uint32(uint64(1)<<d.bits - 1)
	x := samples[0]
	for i, v := range samples[1:] {
		upper := -(x >> (d.bits - 1)) & top // all bits, if the upper end is the nearer one
		next := x + (v>>1 ^ -(v & 1))
		if v>>1+v&1 > upper^x {
			next = upper ^ v
		}
		x = next
		samples[1+i] = x
	}
}

// riceBits reads bits, the highest of a byte first. After the end of src it
// gives zeros and sets short.
type riceBits struct {
	src   []byte
	pos   int    // bytes that were taken into acc
	acc   uint64 // the next n bits, from the highest one on, and perhaps more of src
	n     int
	short bool
}

// fill makes n at least 56, where src has as many bits.
func (b *riceBits) fill() {
	if len(b.src)-b.pos >= 8 {
		b.acc |= binary.BigEndian.Uint64(b.src[b.pos:]) >> b.n
		k := (63 - b.n) >> 3
		b.pos += k
		b.n += 8 * k
		return
	}
	for b.n <= 56 && b.pos < len(b.src) {
		b.acc |= uint64(b.src[b.pos]) << (56 - b.n)
		b.pos++
		b.n += 8
	}
}

// take returns the next k bits, at most 32.
func (b *riceBits) take(k int) uint32 {
	if b.n < k {
		b.need(k)
	}
	v := uint32(b.acc >> 1 >> (63 - k&63))
	b.acc <<= k & 63
	b.n -= k
	return v
}

// need makes n at least k, at most 56.
func (b *riceBits) need(k int) {
	b.fill()
	if b.n < k {
		b.short, b.acc, b.n = true, 0, k
	}
}

// count returns how many bits of 0 come before the next one of 1.
func (b *riceBits) count() uint64 {
	z := bits.LeadingZeros64(b.acc)
	if z >= b.n {
		return b.longCount()
	}
	b.acc = b.acc << (z & 63) << 1
	b.n -= z + 1
	return uint64(z)
}

// longCount is count where the next bit of 1 is not in acc.
func (b *riceBits) longCount() uint64 {
	var zeros uint64
	for {
		zeros += uint64(b.n)
		b.acc, b.n = 0, 0
		if b.pos == len(b.src) {
			b.short = true
			return 0
		}
		b.fill()
		if z := bits.LeadingZeros64(b.acc); z < b.n {
			b.acc = b.acc << (z & 63) << 1
			b.n -= z + 1
			return zeros + uint64(z)
		}
	}
}
