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
		return nil, tooLarge(Fletcher32, limit)
	}
	return append(dst, data...), nil
}

// fletcherSum is the Fletcher-32 checksum of data as big-endian words of 16 bits,
// the last one filled with a zero byte. Both sums are modulo 65535, where zero
// is written as 65535 unless every word is zero.
//
// Exchanging the bytes of all words multiplies a sum by 256 modulo 65535, so the
// words are added as little-endian ones, eight at a time, and the result is
// multiplied.
func fletcherSum(data []byte) uint32 {
	var s fletcherState
	for len(data) >= fletcherStep {
		n := min(len(data)/fletcherStep, fletcherSteps)
		s.add(data[:n*fletcherStep])
		data = data[n*fletcherStep:]
	}
	for ; len(data) >= 2; data = data[2:] {
		s.addWord(binary.LittleEndian.Uint16(data))
	}
	if len(data) == 1 {
		s.addWord(uint16(data[0]))
	}
	return residue(s.sum2*256)<<16 | residue(s.sum1*256)
}

const (
	fletcherStep  = 16  // bytes that are added at once
	fletcherSteps = 360 // for which 32 bits hold a sum of sums: 65535 * 360 * 361 / 2
)

// fletcherLanes are the sums of the words in each place of a step, and the sums
// of what these are after each step. Words of even places come first.
type fletcherLanes struct{ even, odd, evens, odds [4]uint32 }

// fletcherState is the sum of the words and the sum of its values after each
// word, both modulo 65535 and below 2^20.
type fletcherState struct{ sum1, sum2 uint64 }

func (s *fletcherState) addWord(w uint16) {
	s.sum1 = fold(s.sum1 + uint64(w))
	s.sum2 = fold(s.sum2 + s.sum1)
}

// add adds the words of up to fletcherSteps steps.
func (s *fletcherState) add(data []byte) {
	var l fletcherLanes
	addLanes(&l, data)
	words := uint64(len(data) / 2)
	var sum, late, sums uint64
	for i := range uint64(4) {
		even, odd := uint64(l.even[i]), uint64(l.odd[i])
		sum += even + odd
		late += 2*i*even + (2*i+1)*odd
		sums += uint64(l.evens[i]) + uint64(l.odds[i])
	}
	// Each step counts all its words eight times; the word in place i is i
	// words too late for that.
	s.sum2 = fold(s.sum2 + words*s.sum1 + 8*sums - late)
	s.sum1 = fold(s.sum1 + sum)
}

// addLanesGeneric keeps two lanes of 32 bits in a word of 64.
func addLanesGeneric(l *fletcherLanes, data []byte) {
	var even, odd, evens, odds [2]uint64
	for ; len(data) >= fletcherStep; data = data[fletcherStep:] {
		x, y := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
		even[0] += x & low16
		even[1] += y & low16
		odd[0] += x >> 16 & low16
		odd[1] += y >> 16 & low16
		for i := range even {
			evens[i] += even[i]
			odds[i] += odd[i]
		}
	}
	split := func(lanes [2]uint64) [4]uint32 {
		return [4]uint32{uint32(lanes[0]), uint32(lanes[0] >> 32), uint32(lanes[1]), uint32(lanes[1] >> 32)}
	}
	*l = fletcherLanes{split(even), split(odd), split(evens), split(odds)}
}

// fold keeps x modulo 65535 and makes it less than 2^20 if it is less than 2^50,
// zero only if it is zero.
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
