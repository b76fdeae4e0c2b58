package filter

import (
	"bytes"
	"encoding/binary"
)

// blosc2Array is what the metalayer b2nd says of a chunk: the array is cut into
// blocks of the same shape, which are stored whole, in C order as their elements
// are; what lies outside of the array is of no value.
//
//	1 byte   array of 7, or of 5 by the name of caterva
//	1 byte   version
//	1 byte   rank
//	1 byte   array; 9 bytes each: type and 8 bytes of a dimension
//	1 byte   array; 5 bytes each: type and 4 bytes of a dimension of a chunk
//	1 byte   array; 5 bytes each: type and 4 bytes of a dimension of a block
type blosc2Array struct {
	elem  int
	shape []int
	block []int
}

// blosc2MaxRank is the largest rank of an array.
const blosc2MaxRank = 16

// appendArray appends the elements of an array in C order.
func (c *blosc2Chunk) appendArray(dst, meta []byte, elem int, params []uint32, limit int) ([]byte, error) {
	a, err := parseBlosc2Array(meta)
	if err != nil {
		return nil, err
	}
	if err := a.checkParams(params); err != nil {
		return nil, err
	}
	elements, stored := uint64(1), uint64(1)
	for i, n := range a.shape {
		elements *= uint64(a.block[i])
		stored *= uint64((n + a.block[i] - 1) / a.block[i] * a.block[i])
		if stored > blosc2Most {
			return nil, corrupt(Blosc2, "an array of shape %v in blocks of %v", a.shape, a.block)
		}
	}
	// Frames say 1 where elements have more than 255 bytes.
	if elem == 1 {
		elem = c.block / int(elements)
	}
	if stored*uint64(elem) != uint64(c.size) || elements*uint64(elem) != uint64(c.block) {
		return nil, corrupt(Blosc2, "%d bytes in blocks of %d are not an array of shape %v in blocks of %v",
			c.size, c.block, a.shape, a.block)
	}
	a.elem = elem
	size := elem
	for _, n := range a.shape {
		size *= n
	}
	if size > limit {
		return nil, corrupt(Blosc2, "decodes to %d bytes, more than %d", size, limit)
	}
	dst = grow(dst, size)
	if err := c.decodeArray(dst[len(dst):len(dst)+size], a.folded()); err != nil {
		return nil, corrupt(Blosc2, "%v", err)
	}
	return dst[:len(dst)+size], nil
}

// parseBlosc2Array reads the metalayer of an array.
func parseBlosc2Array(meta []byte) (blosc2Array, error) {
	const head, wide, narrow = 3, 1 + 8, 1 + 4
	var a blosc2Array
	if len(meta) < head {
		return a, corrupt(Blosc2, "%d bytes do not hold the shape of an array", len(meta))
	}
	rank := int(meta[2])
	if rank == 0 || rank > blosc2MaxRank || len(meta) < head+3+rank*(wide+2*narrow) {
		return a, corrupt(Blosc2, "%d bytes do not hold the shape of an array of rank %d", len(meta), rank)
	}
	shape := meta[head+1:]
	chunk := shape[rank*wide+1:]
	block := chunk[rank*narrow+1:]
	for i := range rank {
		n := binary.BigEndian.Uint64(shape[i*wide+1:])
		k, b := binary.BigEndian.Uint32(chunk[i*narrow+1:]), binary.BigEndian.Uint32(block[i*narrow+1:])
		switch {
		case n == 0 || n > blosc2Most || b == 0 || b > k:
			return a, corrupt(Blosc2, "dimension %d of %d elements, %d in a block", i, n, b)
		case uint64(k) != n:
			return a, unsupported(Blosc2, "an array of more than one chunk")
		}
		a.shape = append(a.shape, int(n))
		a.block = append(a.block, int(b))
	}
	return a, nil
}

// checkParams compares the shape to that which the parameters hold, if they do.
func (a blosc2Array) checkParams(params []uint32) error {
	if len(params) <= blosc2Rank {
		return nil
	}
	shape := params[blosc2Rank+1:]
	if params[blosc2Rank] != uint32(len(a.shape)) || len(shape) < len(a.shape) {
		return corrupt(Blosc2, "an array of rank %d, not as in parameters %v", len(a.shape), params)
	}
	for i, n := range a.shape {
		if shape[i] != uint32(n) {
			return corrupt(Blosc2, "an array of shape %v, not %v", a.shape, shape)
		}
	}
	return nil
}

// folded returns the same array with as few dimensions as possible: where blocks
// extend over all of the last one, it can be part of the elements.
func (a blosc2Array) folded() blosc2Array {
	for last := len(a.shape) - 1; last > 0 && a.block[last] == a.shape[last]; last-- {
		a = blosc2Array{elem: a.elem * a.shape[last], shape: a.shape[:last], block: a.block[:last]}
	}
	return a
}

// decodeArray fills room, which has the size of the array.
func (c *blosc2Chunk) decodeArray(room []byte, a blosc2Array) error {
	w, block := c.borrow(), borrow(c.block)
	defer w.release()
	defer block.release()
	origin := make([]int, len(a.shape))
	for i, more := 0, true; more; i++ {
		if err := c.decodeBlock(i, block.bytes, w); err != nil {
			return err
		}
		if i == 0 && c.delta {
			c.first = bytes.Clone(block.bytes)
		}
		a.place(room, block.bytes, origin, 0, 0, 0)
		more = a.next(origin)
	}
	return nil
}

// place copies the part of a block that lies in the array to where it belongs:
// dimension d and those after it, at which there are to and from elements before
// it in the array and in the block.
func (a blosc2Array) place(room, block []byte, origin []int, d, to, from int) {
	to += origin[d]
	n := min(a.block[d], a.shape[d]-origin[d])
	if d == len(a.shape)-1 {
		copy(room[to*a.elem:(to+n)*a.elem], block[from*a.elem:])
		return
	}
	for k := range n {
		a.place(room, block, origin, d+1, (to+k)*a.shape[d+1], (from+k)*a.block[d+1])
	}
}

// next moves origin to the next block, and reports whether there is one.
func (a blosc2Array) next(origin []int) bool {
	for d := len(origin) - 1; d >= 0; d-- {
		if origin[d] += a.block[d]; origin[d] < a.shape[d] {
			return true
		}
		origin[d] = 0
	}
	return false
}
