package sz

// lorenzo decodes values block by block, in the order of a file, each of which
// lets values be expected from one or two layers of those before them:
//
//	         of one, two or four dimensions
//	8 bytes  for each dimension: how many values there are
//	4 bytes  values of a block along each
//	1 byte   for each kind of blocks that there may be
//	         if there is more than one: how many blocks there are, 8 bytes, and
//	         the numbers of their kinds, see takeNumbers
//	         of three dimensions
//	4 bytes  values of a block along each
//	4 bytes  how many dimensions count, the last one, it and the first, or all
//	36 bytes how it was made, and the error that was allowed
//	1 byte   whether one value is frequent
//	         that value
//	8 bytes  blocks of another kind: none
//	         for each block: 0, one layer; 2, two
//	         of all: see steps
type lorenzo[R real] struct {
	steps[R]
	dims     []int
	strides  []int
	counting []int // dimensions that count, in the order in which they are added up
	block    int
	layers   []int    // of each kind of blocks
	kinds    []uint32 // of the blocks
	frequent bool
	mean     R
}

// kinds are the kinds of blocks that there may be.
type kinds struct{ oneLayer, twoLayers bool }

func decodeLorenzo[R real](dst, stream []byte, dims []int, k kinds) error {
	p := parser{src: stream}
	l := lorenzo[R]{dims: dims, strides: stridesOf(dims)}
	l.values = make([]R, len(dst)/realSize[R]())
	for i := range dims {
		l.counting = append(l.counting, i)
	}
	read := l.readBlocks
	if len(dims) == 3 {
		read = l.readVolume
	}
	if err := read(&p, k); err != nil {
		return err
	}
	if err := l.steps.read(&p); err != nil {
		return err
	}
	if err := l.blocks(); err != nil {
		return err
	}
	putReals(dst, l.values)
	return nil
}

// stridesOf returns how far values lie apart along each dimension.
func stridesOf(dims []int) []int {
	strides := make([]int, len(dims))
	stride := 1
	for i := len(dims) - 1; i >= 0; i-- {
		strides[i] = stride
		stride *= dims[i]
	}
	return strides
}

// readBlocks decodes the blocks of one, two or four dimensions.
func (l *lorenzo[R]) readBlocks(p *parser, k kinds) error {
	for _, n := range l.dims {
		if p.little64() != uint64(n) {
			return errConfig
		}
	}
	if k.oneLayer {
		l.layers = append(l.layers, 1)
	}
	if k.twoLayers {
		l.layers = append(l.layers, 2)
	}
	count, err := l.cut(p.little32())
	if err != nil {
		return err
	}
	p.take(len(l.layers))
	l.kinds = make([]uint32, count)
	if len(l.layers) == 1 {
		return p.err()
	}
	if p.little64() != uint64(count) {
		return errConfig
	}
	return takeNumbers(p, l.kinds)
}

// readVolume decodes the blocks of three dimensions.
func (l *lorenzo[R]) readVolume(p *parser, _ kinds) error {
	const others = 36 + 8 // and the error that was allowed
	l.layers = []int{1, 0, 2}
	count, err := l.cut(p.little32())
	if err != nil {
		return err
	}
	switch p.little32() {
	case 1:
		l.counting = []int{2}
	case 2:
		l.counting = []int{2, 0}
	case 3:
	default:
		return errConfig
	}
	p.take(others)
	if frequent := p.take(1); frequent != nil {
		l.frequent = frequent[0] != 0
	}
	mean := reals[R]{p.take(realSize[R]())}
	if p.short {
		return errShort
	}
	l.mean, _ = mean.next()
	if p.little64() != 0 {
		return errPlanes
	}
	l.kinds = make([]uint32, count)
	return takeNumbers(p, l.kinds)
}

// cut sets the size of blocks and returns how many there are.
func (l *lorenzo[R]) cut(size uint32) (int, error) {
	if size == 0 || size > 1<<30 {
		return 0, errConfig
	}
	l.block = int(size)
	count := 1
	for _, n := range l.dims {
		count *= (n-1)/l.block + 1
	}
	return count, nil
}

// blocks decodes the values of all blocks.
func (l *lorenzo[R]) blocks() error {
	terms := [3][]term{1: l.terms(1), 2: l.terms(2)}
	var from, to, origin [4]int
	for _, kind := range l.kinds {
		if uint64(kind) >= uint64(len(l.layers)) || l.layers[kind] == 0 {
			return errSteps
		}
		for i, n := range l.dims {
			to[i] = min(from[i]+l.block, n)
		}
		for at, more := from, true; more; more = next(at[:len(l.dims)], from[:], to[:], 1) {
			if err := l.value(&at, terms[l.layers[kind]]); err != nil {
				return err
			}
		}
		next(from[:len(l.dims)], origin[:], l.dims, l.block)
	}
	return nil
}

// next moves a position on by a step along the last dimension, or where that
// ends along the one before it, and so on; after the last one it reports false.
func next(at, from, to []int, step int) bool {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i] += step; at[i] < to[i] {
			return true
		}
		at[i] = from[i]
	}
	return false
}

// value decodes one value.
func (l *lorenzo[R]) value(at *[4]int, terms []term) error {
	i := 0
	for axis, stride := range l.strides {
		i += at[axis] * stride
	}
	typ := int32(l.types[0])
	if l.frequent && typ >= l.radius && typ != 0 {
		if typ == l.radius {
			l.types = l.types[1:]
			l.values[i] = l.mean
			return nil
		}
		l.types[0]--
	}
	return l.recover(i, l.expect(at, i, terms))
}

// term is a value that counts for one that comes after it.
type term struct {
	back   [4]int // how far it is
	offset int
	factor float64
}

// expect adds up terms, where what is outside of the array is 0.
func (l *lorenzo[R]) expect(at *[4]int, i int, terms []term) R {
	var sum R
	for k := range terms {
		t := &terms[k]
		if at[0] >= t.back[0] && at[1] >= t.back[1] && at[2] >= t.back[2] && at[3] >= t.back[3] {
			sum += R(R(t.factor) * l.values[i-t.offset])
		}
	}
	return sum
}

// terms returns the values that count, of so many layers, so that a polynomial
// of a lower degree than that in each dimension is met. In which order they are
// added up is part of the format. Of four dimensions there is but one layer.
func (l *lorenzo[R]) terms(layers int) []term {
	factors := []float64{1, -1}
	if layers == 2 && len(l.dims) < 4 {
		factors = []float64{1, -2, 1}
	}
	all := []term{{factor: -1}}
	for _, axis := range l.counting {
		var more []term
		for _, t := range all {
			for back, factor := range factors {
				u := t
				u.back[axis] = back
				u.offset += back * l.strides[axis]
				u.factor *= factor
				more = append(more, u)
			}
		}
		all = more
	}
	all = all[1:] // the value itself
	if layers == 1 && len(l.counting) == 3 {
		all[2], all[3] = all[3], all[2] // 100 before 011
	}
	return all
}
