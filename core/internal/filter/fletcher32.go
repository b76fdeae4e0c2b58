package filter

import "encoding/binary"

// fletcher32 is filter 3: a checksum of four bytes after the data.
type fletcher32 struct{}

const fletcherSize = 4

func (fletcher32) encodedSize(n int) int { return n + fletcherSize }

func (fletcher32) view(src []byte, _ []uint32) ([]byte, error) {
	if len(src) < fletcherSize {
		return nil, corrupt(Fletcher32, "%d bytes do not hold a checksum", len(src))
	}
	data := src[:len(src)-fletcherSize]
	stored := binary.LittleEndian.Uint32(src[len(data):])
	sum := fletcherSum(data)
	// HDF5 1.6.2 and older exchanged the bytes of each half.
	swapped := sum>>8&0x00ff00ff | sum<<8&0xff00ff00
	if stored != sum && stored != swapped {
		return nil, corrupt(Fletcher32, "stored checksum %#08x, computed %#08x", stored, sum)
	}
	return data, nil
}

func (f fletcher32) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	data, err := f.view(src, params)
	if err != nil {
		return nil, err
	}
	if len(data) > limit {
		return nil, corrupt(Fletcher32, "decodes to more than %d bytes", limit)
	}
	return append(dst, data...), nil
}

// fletcherSum is the Fletcher-32 checksum of data as big-endian words of 16 bits,
// the last one filled with a zero byte. Both sums are modulo 65535, where zero
// is written as 65535 unless every word is zero.
//
// Exchanging the bytes of all words multiplies a sum by 256 modulo 65535, so the
// words are added as little-endian ones, four at a time, and the result is
// multiplied.
func fletcherSum(data []byte) uint32 {
	var s fletcherState
	for len(data) >= fletcherBlock {
		s.add(data[:fletcherBlock])
		data = data[fletcherBlock:]
	}
	whole := len(data) &^ 7
	s.add(data[:whole])
	for data = data[whole:]; len(data) >= 2; data = data[2:] {
		s.addWord(binary.LittleEndian.Uint16(data))
	}
	if len(data) == 1 {
		s.addWord(uint16(data[0]))
	}
	return residue(s.sum2*256)<<16 | residue(s.sum1*256)
}

// fletcherBlock is the largest number of bytes for which the four lanes of 32
// bits of a sum of sums do not overflow: with 360 steps 65535 * 360 * 361 / 2.
const fletcherBlock = 360 * 8

// fletcherState is the sum of the words and the sum of its values after each
// word, both modulo 65535 and below 2^40.
type fletcherState struct{ sum1, sum2 uint64 }

func (s *fletcherState) addWord(w uint16) {
	s.sum1 = fold(s.sum1 + uint64(w))
	s.sum2 = fold(s.sum2 + s.sum1)
}

// add adds the words of data, a multiple of eight bytes and no more than
// fletcherBlock.
func (s *fletcherState) add(data []byte) {
	const lanes = 0x0000ffff0000ffff
	var even, odd, evens, odds uint64 // words 0 and 2, words 1 and 3, and the sums of these sums
	words := uint64(len(data) / 2)
	for ; len(data) >= 8; data = data[8:] {
		x := binary.LittleEndian.Uint64(data)
		even += x & lanes
		odd += x >> 16 & lanes
		evens += even
		odds += odd
	}
	w0, w1, w2, w3 := even&0xffffffff, odd&0xffffffff, even>>32, odd>>32
	total := evens&0xffffffff + evens>>32 + odds&0xffffffff + odds>>32
	// A step counts all its words four times; word j is added j words late.
	block := 4*total - w1 - 2*w2 - 3*w3
	s.sum2 = fold(s.sum2 + words*s.sum1 + block)
	s.sum1 = fold(s.sum1 + w0 + w1 + w2 + w3)
}

// fold keeps x modulo 65535 and makes it smaller, never zero unless it is.
func fold(x uint64) uint64 {
	x = x&0xffff + x>>16
	return x&0xffff + x>>16
}

// residue is x modulo 65535 in 16 bits, zero only for zero.
func residue(x uint64) uint32 {
	for x > 0xffff {
		x = fold(x)
	}
	return uint32(x)
}
