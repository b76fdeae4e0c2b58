package sel

// Pattern is the first N positions of blocks of Block positions that start
// Stride apart from Start on. Unlike that of an Axis its last block may be cut.
type Pattern struct{ Start, Stride, Block, N uint64 }

// normal turns blocks without a gap, and what lies in the first block, into one.
func (p Pattern) normal() Pattern {
	if p.N <= p.Block || p.Stride == p.Block {
		n := max(p.N, 1)
		return Pattern{Start: p.Start, Stride: n, Block: n, N: p.N}
	}
	return p
}

// At is the position of ordinal k.
func (p *Pattern) At(k uint64) uint64 {
	if p.Block == 1 {
		return p.Start + k*p.Stride
	}
	return p.Start + k/p.Block*p.Stride + k%p.Block
}

// End is the position behind the last one; Start if there is none.
func (p *Pattern) End() uint64 {
	if p.N == 0 {
		return p.Start
	}
	return p.At(p.N-1) + 1
}

// Ceil is the ordinal of the first position at or after pos; N if there is none.
func (p *Pattern) Ceil(pos uint64) uint64 {
	if pos <= p.Start {
		return 0
	}
	d := pos - p.Start
	k, r := d/p.Stride, d%p.Stride
	if k > p.N/p.Block {
		return p.N
	}
	return min(k*p.Block+min(r, p.Block), p.N)
}

// run is how many positions follow each other from ordinal k on.
func (p *Pattern) run(k uint64) uint64 { return min(p.Block-k%p.Block, p.N-k) }

// axes are the positions of the n ordinals from k on in steps, in up to three
// axes; false if they need a longer list.
func (p *Pattern) axes(k, step, n uint64) ([]Axis, bool) {
	switch {
	case n == 1:
		return []Axis{{Start: p.At(k), Stride: 1, Count: 1, Block: 1}}, true
	case p.N <= p.Block:
		return []Axis{{Start: p.Start + k, Stride: step, Count: n, Block: 1}}, true
	case p.Block == 1:
		return []Axis{{Start: p.At(k), Stride: step * p.Stride, Count: n, Block: 1}}, true
	case step != 1:
		return nil, false
	}
	var list []Axis
	piece := func(count, block uint64) {
		if n := count * block; n > 0 {
			list = append(list, Axis{Start: p.At(k), Stride: p.Stride, Count: count, Block: block})
			k += n
		}
	}
	end := k + n
	if k%p.Block != 0 {
		piece(1, min(p.Block-k%p.Block, end-k))
	}
	piece((end-k)/p.Block, p.Block)
	piece(1, end-k)
	return list, true
}

// run is how many positions follow each other from ordinal k on.
func (a *Axis) run(k uint64) uint64 {
	switch {
	case a.Index != nil:
		n := uint64(1)
		for k+n < uint64(len(a.Index)) && a.Index[k+n] == a.Index[k]+n {
			n++
		}
		return n
	case a.Count == 1:
		return a.Block - k
	}
	return a.Block - k%a.Block
}

// progress is n ordinals of a pattern and the ordinals of an axis that have the
// same positions: both rise evenly.
type progress struct{ p, pStep, a, aStep, n uint64 }

// common is what a pattern and an axis have in common; false if that takes more
// than most progressions.
func common(p *Pattern, a *Axis, most int) ([]progress, bool) {
	if a.size() == 0 || p.N == 0 {
		return nil, true
	}
	k, end := p.Ceil(a.at(0)), p.Ceil(a.at(a.size()-1)+1)
	if k >= end {
		return nil, true
	}
	if a.Index == nil && a.Count == 1 && (p.N <= p.Block || p.Block == 1) {
		step := p.Stride
		if p.N <= p.Block {
			step = 1
		}
		return []progress{{p: k, pStep: 1, a: p.At(k) - a.Start, aStep: step, n: end - k}}, true
	}
	if p.N <= p.Block && a.Index == nil && a.Block == 1 {
		j, behind := a.ceil(p.Start), a.ceil(p.End())
		if j >= behind {
			return nil, true
		}
		return []progress{{p: a.at(j) - p.Start, pStep: a.Stride, a: j, aStep: 1, n: behind - j}}, true
	}
	return merge(p, a, k, end, most)
}

// merge walks both from ordinal k of the pattern up to end.
func merge(p *Pattern, a *Axis, k, end uint64, most int) ([]progress, bool) {
	var list []progress
	for k < end {
		pos := p.At(k)
		j := a.ceil(pos)
		if j >= a.size() {
			break
		}
		if at := a.at(j); at != pos {
			k = p.Ceil(at)
			continue
		}
		n := min(p.run(k), a.run(j))
		list = join(list, k, j, n)
		if len(list) > most {
			return nil, false
		}
		k += n
	}
	return list, true
}

// join adds n ordinals in a row to the last progression, or begins a new one.
func join(list []progress, p, a, n uint64) []progress {
	if len(list) > 0 {
		last := &list[len(list)-1]
		if last.n == 1 && n == 1 {
			last.pStep, last.aStep = p-last.p, a-last.a
		}
		inStep := p == last.p+last.n*last.pStep && a == last.a+last.n*last.aStep
		if inStep && (n == 1 || last.pStep == 1 && last.aStep == 1) {
			last.n += n
			return list
		}
	}
	return append(list, progress{p: p, pStep: 1, a: a, aStep: 1, n: n})
}
