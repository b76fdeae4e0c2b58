package sz

import "encoding/binary"

// series decodes values of one dimension, each of which is expected to be as the
// one before:
//
//	4 bytes  most steps that were considered
//	4 bytes  steps
//	         a number that values stored as such are relative to
//	1 byte   bits of those
//	8 bytes  error that was allowed
//	8 bytes  size of the steps, number of values stored as such, size of their
//	         bytes, each
//	         the steps: a code, and for each value its number of steps
//	         for each value stored as such: 2 bits, how many of its first bytes
//	         are as those of the one before
//	         the other bytes of each; the bits that are left of each
func series[R real](values []R, p *parser) error {
	p.uint32()
	radius := int32(p.uint32() / 2)
	exact := exactReader[R]{}
	exact.median = takeReal[R](p)
	required := p.take(1)
	precision := takeReal[float64](p)
	stepBytes, count, byteCount := p.size(), p.size(), p.size()
	steps := parser{src: p.takes(stepBytes, 1)}
	exact.same = bitReader{src: p.takes(count/4+min(count%4, 1), 1)}
	exact.bytes = p.takes(byteCount, 1)
	exact.rest = bitReader{src: p.src}
	if p.short {
		return errShort
	}
	exact.whole, exact.bits = int(required[0]/8), uint(required[0]%8)
	if exact.left = count; int(required[0]) > 8*realSize[R]() {
		return errSteps
	}
	nodes := steps.uint32()
	steps.take(4)
	t, err := readTree(&steps, nodes)
	if err != nil {
		return err
	}
	types := make([]uint32, len(values))
	if err := t.decode(types, steps.src); err != nil {
		return err
	}
	interval := R(precision * 2)
	last := R(0)
	for i, typ := range types {
		if typ == 0 {
			if last, err = exact.next(); err != nil {
				return err
			}
		} else {
			last += R(R(int32(typ)-radius) * interval)
		}
		values[i] = last
	}
	return nil
}

// exactReader reads values that are stored as such.
type exactReader[R real] struct {
	median R
	whole  int  // bytes of a value
	bits   uint // and bits after them
	same   bitReader
	bytes  []byte
	rest   bitReader
	left   uint64

	last [8]byte
}

func (e *exactReader[R]) next() (R, error) {
	if e.left == 0 {
		return 0, errSteps
	}
	e.left--
	same := int(e.same.peek() >> 62)
	e.same.pos += 2
	clear(e.last[same:])
	if n := e.whole - same; n > 0 {
		if n > len(e.bytes) {
			return 0, errShort
		}
		copy(e.last[same:], e.bytes[:n])
		e.bytes = e.bytes[n:]
	}
	if e.bits > 0 {
		e.last[e.whole] = byte(e.rest.peek()>>(64-e.bits)) << (8 - e.bits)
		if e.rest.pos += uint64(e.bits); e.rest.pos > uint64(len(e.rest.src))*8 {
			return 0, errShort
		}
	}
	return getReal[R](e.last[:], binary.BigEndian) + e.median, nil
}
