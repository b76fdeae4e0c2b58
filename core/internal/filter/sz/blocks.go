package sz

import (
	"encoding/binary"

	"clawh5/core/internal/filter/codec"
)

// blockStream decodes values in blocks, in the order of a file, each of which
// lets values be expected either from those before them or from a plane:
//
//	4 bytes  size of a block
//	         error that was allowed
//	4 bytes  steps
//	         their code: size, number of nodes, 4 bytes each, the tree
//	1 byte   whether one value is frequent
//	         that value, little-endian
//	         a bit for each block, 1: there is no plane
//	         if there are planes, for each coefficient of one: see readCoefficient
//	8 bytes  number of values stored as such, little-endian
//	         those, little-endian
//	         for each value its number of steps
//
// There are three dimensions, the first of which may have one value.
type blockStream[R real] struct {
	dims   [3]int
	values []R

	precision    R
	radius       int32
	frequent     bool
	mean         R
	flat         bitReader // for each block: there is no plane
	coefficients []coefficient[R]
	exact        reals[R]
	types        []uint32
}

// coefficient is one of planes: of each, its steps from the one before.
type coefficient[R real] struct {
	precision R
	radius    int32
	types     []uint32
	exact     reals[R]
	last      R
}

// reals are values stored as such.
type reals[R real] struct{ src []byte }

func (r *reals[R]) next() (R, error) {
	n := realSize[R]()
	if len(r.src) < n {
		return 0, errSteps
	}
	v := getReal[R](r.src, binary.LittleEndian)
	r.src = r.src[n:]
	return v, nil
}

func blocks[R real](values []R, p *parser, dims []int) error {
	b := blockStream[R]{values: values}
	switch len(dims) {
	case 2:
		b.dims = [3]int{1, dims[0], dims[1]}
	case 3:
		b.dims = [3]int(dims)
	case 4:
		b.dims = [3]int{dims[0] * dims[1], dims[2], dims[3]}
	default:
		return codec.Unsupported("an array of five dimensions")
	}
	size := p.uint32()
	if size == 0 || p.short {
		return errSteps
	}
	var cuts [3][]int
	for axis, n := range b.dims {
		cuts[axis] = cut(n, size)
	}
	count := (len(cuts[0]) - 1) * (len(cuts[1]) - 1) * (len(cuts[2]) - 1)
	if err := b.read(p, count, len(dims) == 2); err != nil {
		return err
	}
	for i := range len(cuts[0]) - 1 {
		for j := range len(cuts[1]) - 1 {
			for k := range len(cuts[2]) - 1 {
				from := [3]int{cuts[0][i], cuts[1][j], cuts[2][k]}
				to := [3]int{cuts[0][i+1], cuts[1][j+1], cuts[2][k+1]}
				if err := b.block(from, to, len(dims) == 2); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// cut returns where blocks along a dimension begin, and its length: blocks are
// of a size or longer, those that come first by one.
func cut(n int, size uint32) []int {
	count := 1
	if uint64(n) > uint64(size) {
		count = n / int(size)
	}
	at := make([]int, count+1)
	for i := range count {
		at[i+1] = at[i] + n/count
		if i < n%count {
			at[i+1]++
		}
	}
	return at
}

// read decodes what comes before the values, of which there are so many blocks.
func (b *blockStream[R]) read(p *parser, count int, planar bool) error {
	b.precision = takeReal[R](p)
	b.radius = int32(p.uint32() / 2)
	code, err := takeTree(p)
	if err != nil {
		return err
	}
	if frequent := p.take(1); frequent != nil {
		b.frequent = frequent[0] != 0
	}
	mean := reals[R]{p.take(realSize[R]())}
	b.flat.src = p.take((count + 7) / 8)
	if p.short {
		return errShort
	}
	b.mean, _ = mean.next()
	planes := 0
	for range count {
		planes += 1 - int(b.flat.peek()>>63)
		b.flat.pos++
	}
	b.flat.pos = 0
	if planes > 0 {
		b.coefficients = make([]coefficient[R], 4)
		if planar {
			b.coefficients = b.coefficients[:3]
		}
		for i := range b.coefficients {
			if err := b.coefficients[i].read(p, planes); err != nil {
				return err
			}
		}
	}
	n := p.take(8)
	if p.short {
		return errShort
	}
	b.exact.src = p.takes(binary.LittleEndian.Uint64(n), realSize[R]())
	if p.short {
		return errShort
	}
	b.types = make([]uint32, len(b.values))
	return code.decode(b.types, p.src)
}

// takeTree takes a code of a given size.
func takeTree(p *parser) (*tree, error) {
	size, nodes := p.uint32(), p.uint32()
	part := parser{src: p.takes(uint64(size), 1)}
	if p.short {
		return nil, errShort
	}
	return readTree(&part, nodes)
}

// read decodes the coefficients of so many planes:
//
//	         error that was allowed
//	4 bytes  half of the steps
//	         their code, as that of values
//	8 bytes  size of the steps
//	         for each plane the number of steps
//	4 bytes  number of coefficients stored as such
//	         those, little-endian
func (c *coefficient[R]) read(p *parser, planes int) error {
	c.precision = takeReal[R](p)
	c.radius = int32(p.uint32())
	code, err := takeTree(p)
	if err != nil {
		return err
	}
	steps := p.takes(p.size(), 1)
	c.exact.src = p.takes(uint64(p.uint32()), realSize[R]())
	if p.short {
		return errShort
	}
	c.types = make([]uint32, planes)
	return code.decode(c.types, steps)
}

// next returns the coefficient of the following plane.
func (c *coefficient[R]) next() (R, error) {
	typ := c.types[0]
	c.types = c.types[1:]
	if typ == 0 {
		v, err := c.exact.next()
		c.last = v
		return v, err
	}
	c.last += R(R(2*(int32(typ)-c.radius)) * c.precision)
	return c.last, nil
}

// block decodes the values from one corner to another.
func (b *blockStream[R]) block(from, to [3]int, planar bool) error {
	flat := b.flat.peek()>>63 != 0
	b.flat.pos++
	var plane [4]R
	if !flat {
		at := 4 - len(b.coefficients)
		for i := range b.coefficients {
			v, err := b.coefficients[i].next()
			if err != nil {
				return err
			}
			plane[at+i] = v
		}
	}
	for x := from[0]; x < to[0]; x++ {
		for y := from[1]; y < to[1]; y++ {
			row := (x*b.dims[1] + y) * b.dims[2]
			for z := from[2]; z < to[2]; z++ {
				typ := b.types[0]
				b.types = b.types[1:]
				at := row + z
				switch {
				case typ == 0:
					v, err := b.exact.next()
					if err != nil {
						return err
					}
					b.values[at] = v
				case flat:
					b.values[at] = b.fromNear(int32(typ)-b.radius, x, y, z, at)
				default:
					v := R(plane[1]*R(y-from[1])) + R(plane[2]*R(z-from[2])) + plane[3]
					if !planar {
						v = R(plane[0]*R(x-from[0])) + R(plane[1]*R(y-from[1])) + R(plane[2]*R(z-from[2])) + plane[3]
					}
					b.values[at] = v + R(R(2*(int32(typ)-b.radius))*b.precision)
				}
			}
		}
	}
	return nil
}

// fromNear returns a value from those before it and its steps, of which 0 stands
// for the frequent one, if there is one.
func (b *blockStream[R]) fromNear(steps int32, x, y, z, at int) R {
	if b.frequent {
		if steps == 0 {
			return b.mean
		}
		if steps < 0 {
			steps++
		}
	}
	return b.near(x, y, z, at) + R(R(2*steps)*b.precision)
}

// near returns what a value is expected to be from those before it, where what
// is outside of the array is 0.
func (b *blockStream[R]) near(x, y, z, at int) R {
	v, up, left := b.values, b.dims[1]*b.dims[2], b.dims[2]
	var d001, d010, d100, d011, d101, d110, d111 R
	if z > 0 {
		d001 = v[at-1]
	}
	if y > 0 {
		d010 = v[at-left]
	}
	if x > 0 {
		d100 = v[at-up]
	}
	if y > 0 && z > 0 {
		d011 = v[at-left-1]
	}
	if x > 0 && z > 0 {
		d101 = v[at-up-1]
	}
	if x > 0 && y > 0 {
		d110 = v[at-up-left]
	}
	if x > 0 && y > 0 && z > 0 {
		d111 = v[at-up-left-1]
	}
	return d001 + d010 + d100 - d011 - d101 - d110 + d111
}
