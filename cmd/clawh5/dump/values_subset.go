package dump

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

func writeNumber(b *strings.Builder, n uint64) { b.WriteString(strconv.FormatUint(n, 10)) }

// subsetElements prints the elements of a subset row by row: the rows of the
// last two dimensions for each position in those before.
func (d *dumper) subsetElements(w io.Writer, l *render.Layout, f *render.Format, r *reading) error {
	s := r.subset
	rank := len(r.space.Dims)
	if rank == 0 {
		return d.strips(w, l, f, r)
	}
	outer := slices.Clone(s.start[:max(rank-2, 0)])
	for {
		start := slices.Concat(outer, s.start[len(outer):])
		if err := d.subsetRows(w, l, f, r, start); err != nil {
			return err
		}
		i := len(outer) - 1
		for ; i >= 0; i-- {
			if outer[i] += s.stride[i]; outer[i] < s.start[i]+s.count[i]*s.stride[i] {
				break
			}
			outer[i] = s.start[i]
		}
		if i < 0 {
			return nil
		}
	}
}

// subsetRows prints the rows of one position in the outer dimensions, from
// start.
func (d *dumper) subsetRows(w io.Writer, l *render.Layout, f *render.Format, r *reading, start []uint64) error {
	s := r.subset
	rank := len(start)
	count, block := slices.Clone(s.count), slices.Clone(s.block)
	together := true
	for i := range max(rank-2, 0) {
		count[i] = 1
		together = together && block[i] == 1
	}
	row, rows := 0, uint64(1)
	if rank > 1 {
		row = rank - 2
		rows = s.count[row] * s.block[row]
		count[row], block[row] = 1, 1
	}
	elements := uint64(1) // of a row
	for i := range rank {
		elements *= count[i] * block[i]
	}
	if elements == 0 {
		return nil
	}
	var data, heap []byte
	var err error
	size := int(elements * r.memory.Size())
	if together = together && rank > 1 && rows <= stripBytes/uint64(max(size, 1)); together {
		count[row], block[row] = s.count[row], s.block[row]
		if data, heap, err = r.read(core.Hyperslab(start, s.stride, count, block), elements*rows); err != nil {
			return err
		}
	}
	at := slices.Clone(start)
	for i := range rows {
		if rank > 1 {
			at[row] = start[row] + i/s.block[row]*s.stride[row] + i%s.block[row]
		}
		part := data
		if together {
			part = data[int(i)*size:][:size]
		} else if part, heap, err = r.read(core.Hyperslab(at, s.stride, count, block), elements); err != nil {
			return err
		}
		l.Position = linear(at, r.space.Dims)
		l.Break = true
		d.rows(w, l, f, r, part, heap, i+1 == rows)
		l.Continuation++
	}
	return nil
}

// linear returns the position of an element in C order.
func linear(index, dims []uint64) uint64 {
	n := uint64(0)
	for i, k := range index {
		n = n*dims[i] + k
	}
	return n
}
