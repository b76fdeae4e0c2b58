package jpeg

import "errors"

var (
	errTable = errors.New("a table of codes that is not valid")
	errCode  = errors.New("bits that are no code")
)

const fastBits = 9

// huffman holds codes of up to 16 bits (T.81, C and F.2.2.3).
type huffman struct {
	fast   [1 << fastBits]uint16 // length and value of the code that the bits begin with; 0: a longer one
	values []byte
	limit  [17]int32 // by length: the codes are below, aligned to 16 bits
	offset [17]int32 // from code to index of its value
}

func (m *Image) codes(body []byte) error {
	for len(body) > 0 {
		const counts = 1 + 16
		class, table := body[0]>>4, body[0]&15
		if class > 1 || table > 3 {
			return errTable
		}
		if len(body) < counts {
			return errSegment
		}
		n := 0
		for _, c := range body[1:counts] {
			n += int(c)
		}
		if n > 256 {
			return errTable
		}
		if len(body) < counts+n {
			return errSegment
		}
		h, err := newHuffman(body[1:counts], body[counts:counts+n])
		if err != nil {
			return err
		}
		m.huffman[class][table] = h
		body = body[counts+n:]
	}
	return nil
}

// newHuffman makes codes of the numbers of codes of each length, and their
// values.
func newHuffman(counts, values []byte) (*huffman, error) {
	h := &huffman{values: values}
	code, k := int32(0), 0
	for i, count := range counts {
		length := i + 1
		h.offset[length] = int32(k) - code
		for range count {
			if code >= 1<<length {
				return nil, errTable
			}
			if length <= fastBits {
				from := code << (fastBits - length)
				for j := from; j < from+1<<(fastBits-length); j++ {
					h.fast[j] = uint16(length)<<8 | uint16(values[k])
				}
			}
			code++
			k++
		}
		h.limit[length] = code << (16 - length)
		code <<= 1
	}
	return h, nil
}

// bits are those of a scan, up to a marker.
type bits struct {
	src []byte
	acc uint64 // the lowest n bits are to come
	n   int
}

// fill takes bytes as long as there are some and there is room for them.
func (b *bits) fill() {
	for b.n <= 48 && len(b.src) > 0 {
		c := b.src[0]
		if c == 0xff {
			if len(b.src) < 2 || b.src[1] != 0 {
				return
			}
			b.src = b.src[1:]
		}
		b.src = b.src[1:]
		b.acc = b.acc<<8 | uint64(c)
		b.n += 8
	}
}

// value reads a code. What comes after the end counts as 0, and is an error if
// the code has some of it.
func (b *bits) value(h *huffman) (byte, error) {
	if b.n < 16 {
		b.fill()
	}
	var next int32
	if b.n >= 16 {
		next = int32(b.acc >> (b.n - 16) & 0xffff)
	} else {
		next = int32(b.acc << (16 - b.n) & 0xffff)
	}
	if f := h.fast[next>>(16-fastBits)]; f != 0 {
		return byte(f), b.drop(int(f >> 8))
	}
	for length := fastBits + 1; length <= 16; length++ {
		if next < h.limit[length] {
			if err := b.drop(length); err != nil {
				return 0, err
			}
			return h.values[next>>(16-length)+h.offset[length]], nil
		}
	}
	if b.n < 16 {
		return 0, errShort
	}
	return 0, errCode
}

func (b *bits) drop(n int) error {
	if n > b.n {
		return errShort
	}
	b.n -= n
	return nil
}

// number reads a number of size bits, of which those that begin with 0 are
// negative (T.81, F.2.2.1).
func (b *bits) number(size byte) (int32, error) {
	if size == 0 {
		return 0, nil
	}
	if b.n < int(size) {
		b.fill()
	}
	if err := b.drop(int(size)); err != nil {
		return 0, err
	}
	x := int32(b.acc >> b.n & (1<<size - 1))
	if x < 1<<(size-1) {
		x -= 1<<size - 1
	}
	return x, nil
}

// next begins anew after a marker, which it returns.
func (b *bits) next() (byte, error) {
	b.acc, b.n = 0, 0
	for len(b.src) > 0 && b.src[0] != 0xff {
		b.src = b.src[1:]
	}
	for len(b.src) > 0 && b.src[0] == 0xff {
		b.src = b.src[1:]
	}
	if len(b.src) == 0 {
		return 0, errShort
	}
	marker := b.src[0]
	b.src = b.src[1:]
	return marker, nil
}
