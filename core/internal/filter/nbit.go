package filter

import "clawh5/core/h5err"

// nBit is filter 5 of the HDF5 library: of each number only the bits that its
// datatype's precision counts, the most significant first, one element after the
// other with no gap. Its parameters are
//
//	number of parameters, 1 if chunks are stored as they are, elements, type
//
// with a type of
//
//	1 size order precision offset            a number
//	2 size type                              an array
//	3 size members (offset type)...          a compound
//	4 size                                   bytes, all of them stored
//
// Bits that are not stored are zero.
type nBit struct{}

const (
	nbAtomic   = 1
	nbArray    = 2
	nbCompound = 3
	nbBytes    = 4

	nbTypeAt   = 3  // where the type begins
	nbMaxDepth = 32 // of types in types
)

func (nBit) Decode(dst, src []byte, params []uint32, _, limit int) ([]byte, error) {
	if len(params) < 2 || uint64(params[0]) != uint64(len(params)) {
		return nil, corrupt(NBit, "%d parameters, not as many as they say", len(params))
	}
	if params[1] != 0 {
		return appendPlain(NBit, dst, src, limit)
	}
	if len(params) < nbTypeAt {
		return nil, corrupt(NBit, "%d parameters, no type", len(params))
	}
	p := nbParser{params: params, at: nbTypeAt}
	typ, err := p.parse(nbMaxDepth)
	if err != nil {
		return nil, err
	}
	elements := uint64(params[2])
	if elements > uint64(max(limit, 0))/uint64(typ.size) {
		return nil, tooLarge(NBit, limit)
	}
	if have := uint64(len(src)) * 8; have < elements*typ.bits {
		return nil, corrupt(NBit, "%d bits, fewer than %d of %d", have, elements, typ.bits)
	}
	size := int(elements) * typ.size
	dst = grow(dst, size)
	out := dst[len(dst) : len(dst)+size]
	clear(out)
	typ.expandRow(out, &bitReader{src: src})
	return dst[:len(dst)+size], nil
}

// nbType is the type of an element or of a part of one.
type nbType struct {
	class     uint32
	size      int    // in bytes, at least 1
	bits      uint64 // stored of one element, at most 8*size
	offset    int    // in the compound that it is a member of
	bigEndian bool
	low, high uint64   // bits of a number that are stored: low up to, not including, high
	parts     []nbType // members of a compound, in order of storage; element of an array
}

// expandRow fills out, which is zero, with elements of t.
func (t *nbType) expandRow(out []byte, r *bitReader) {
	if t.class == nbAtomic && t.size <= 8 {
		unpack(out, r, uint(t.high-t.low), t.size, t.bigEndian, func(codes []uint64) {
			for i := range codes {
				codes[i] <<= t.low
			}
		})
		return
	}
	for at := 0; at < len(out); at += t.size {
		t.expand(out[at:at+t.size], r)
	}
}

// expand fills out, which is zero and of t's size.
func (t *nbType) expand(out []byte, r *bitReader) {
	switch t.class {
	case nbAtomic:
		t.expandNumber(out, r)
	case nbArray:
		t.parts[0].expandRow(out, r)
	case nbCompound:
		for i := range t.parts {
			m := &t.parts[i]
			m.expand(out[m.offset:m.offset+m.size], r)
		}
	case nbBytes:
		if r.pos&7 == 0 {
			r.pos += 8 * uint64(copy(out, r.src[r.pos>>3:]))
			return
		}
		for i := range out {
			out[i] = byte(r.next(8))
		}
	}
}

func (t *nbType) expandNumber(out []byte, r *bitReader) {
	if t.size <= 8 {
		putUint(out, r.next(uint(t.high-t.low))<<t.low, t.bigEndian)
		return
	}
	for end := t.high; end > t.low; {
		i := (end - 1) / 8
		begin := max(t.low, 8*i)
		b := byte(r.next(uint(end-begin)) << (begin - 8*i))
		if t.bigEndian {
			i = uint64(t.size) - 1 - i
		}
		out[i] = b
		end = begin
	}
}

// nbParser makes a type of parameters that nobody has checked. What it makes
// takes time in proportion to its size and depth.
type nbParser struct {
	params []uint32
	at     int
	// lost is set behind an array of compounds or arrays: libhdf5 takes the
	// element's type for what follows it, so that it loses members that do.
	lost bool
}

// parse reads the type at p.at, that may hold types down to depth.
func (p *nbParser) parse(depth int) (nbType, error) {
	if depth == 0 {
		return nbType{}, h5err.At(h5err.Limit, NBit.structure(), h5err.NoOffset, "types too deep in each other")
	}
	head, err := p.take(2)
	if err != nil {
		return nbType{}, err
	}
	const most = 1<<31 - 1
	if head[1] == 0 || head[1] > most {
		return nbType{}, corrupt(NBit, "a type of %d bytes", head[1])
	}
	t := nbType{class: head[0], size: int(head[1]), bits: 8 * uint64(head[1])}
	switch t.class {
	case nbAtomic:
		err = p.number(&t)
	case nbArray:
		err = p.array(&t, depth)
	case nbCompound:
		err = p.compound(&t, depth)
	case nbBytes:
	default:
		err = corrupt(NBit, "a type of class %d", t.class)
	}
	return t, err
}

// take returns the next n parameters.
func (p *nbParser) take(n int) ([]uint32, error) {
	if n > len(p.params)-p.at {
		return nil, corrupt(NBit, "its type ends after %d parameters", len(p.params))
	}
	p.at += n
	return p.params[p.at-n : p.at], nil
}

func (p *nbParser) number(t *nbType) error {
	v, err := p.take(3)
	if err != nil {
		return err
	}
	order, precision, offset := v[0], uint64(v[1]), uint64(v[2])
	if order > 1 || precision == 0 || precision+offset > t.bits {
		return corrupt(NBit, "order %d, %d bits from bit %d of %d bytes", order, precision, offset, t.size)
	}
	t.bigEndian, t.low, t.high, t.bits = order == 1, offset, offset+precision, precision
	return nil
}

func (p *nbParser) array(t *nbType, depth int) error {
	elem, err := p.parse(depth - 1)
	if err != nil {
		return err
	}
	if elem.class == nbBytes {
		elem.size, elem.bits = t.size, t.bits // one run of bytes
	}
	if t.size%elem.size != 0 {
		return corrupt(NBit, "an array of %d bytes of elements of %d", t.size, elem.size)
	}
	p.lost = p.lost || elem.class == nbArray || elem.class == nbCompound
	t.parts = []nbType{elem}
	t.bits = uint64(t.size/elem.size) * elem.bits
	return nil
}

func (p *nbParser) compound(t *nbType, depth int) error {
	v, err := p.take(1)
	if err != nil {
		return err
	}
	t.bits = 0
	used := 0
	for range v[0] {
		if p.lost {
			return unsupported(NBit, "members after an array of compounds or of arrays")
		}
		if v, err = p.take(1); err != nil {
			return err
		}
		m, err := p.parse(depth - 1)
		if err != nil {
			return err
		}
		offset := uint64(v[0])
		if offset+uint64(m.size) > uint64(t.size) || m.size > t.size-used {
			return corrupt(NBit, "a member of %d bytes at %d of %d", m.size, offset, t.size)
		}
		m.offset = int(offset)
		used += m.size
		t.bits += m.bits
		t.parts = append(t.parts, m)
	}
	return nil
}
